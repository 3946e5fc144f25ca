import { lazy, Suspense, useState } from 'react';
import { loadChunk } from '../../../../lib/chunks.ts';
import { Loading } from '../../../../ui/states.tsx';
import { useDeskPart, useRights } from '../context.ts';
import { ActionButton } from '../components/ActionButton.tsx';
import { useT } from '../texts.tsx';

const PollingPanel = lazy(() =>
  loadChunk(async () => ({ default: (await import('./PollingPanel.tsx')).PollingPanel })),
);
const ScenesPanel = lazy(() => loadChunk(async () => ({ default: (await import('./ScenesPanel.tsx')).ScenesPanel })));

type Panel = 'polling' | 'scenes';

/** Buttons for polling and scenes; each panel opens beside its button. */
export function ProceedingsActions() {
  const t = useT();
  const rights = useRights();
  const isPolling = useDeskPart(({ state }) => state.control.polling !== null);
  const [open, setOpen] = useState<{ panel: Panel; anchor: HTMLElement } | null>(null);
  const toggle = (panel: Panel) => (anchor: HTMLElement) =>
    setOpen((now) => (now?.panel === panel ? null : { panel, anchor }));
  const close = () => setOpen(null);
  if (!rights.may('polling') && !rights.may('scene')) return null;
  return (
    <div className="desk-act-group" role="group" aria-label={t('proceed.title')}>
      {rights.may('polling') && (
        <ActionButton
          icon="turns"
          label={t('proceed.polling.title')}
          aria-haspopup="dialog"
          aria-expanded={open?.panel === 'polling'}
          cannot={rights.cannot('polling')}
          className={isPolling ? 'desk-act-live' : ''}
          data-testid="desk-polling"
          onAction={toggle('polling')}
        />
      )}
      {rights.may('scene') && (
        <ActionButton
          icon="scenes"
          label={t('proceed.scenes.title')}
          aria-haspopup="dialog"
          aria-expanded={open?.panel === 'scenes'}
          cannot={rights.cannot('scene')}
          data-testid="desk-scenes"
          onAction={toggle('scenes')}
        />
      )}
      {open !== null && (
        // The panel is a separate chunk: it is positioned once it has loaded.
        <Suspense
          fallback={
            <span className="desk-panel-loading">
              <Loading />
            </span>
          }
        >
          {open.panel === 'polling' ? (
            <PollingPanel anchor={open.anchor} onClose={close} />
          ) : (
            <ScenesPanel anchor={open.anchor} onClose={close} />
          )}
        </Suspense>
      )}
    </div>
  );
}
