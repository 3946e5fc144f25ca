import { lazy, Suspense, useRef } from 'react';
import { loadChunk } from '../../../../lib/chunks.ts';
import { useDesk, useDeskPart, useRights, useView, type DeskView } from '../context.ts';
import type { IconName } from '../../../../ui/icons.tsx';
import { ActionButton } from '../components/ActionButton.tsx';
import { useT } from '../texts.tsx';

type PanelName = NonNullable<DeskView['panel']>;

const load = () => loadChunk(() => import('./panels.ts'));
// Panels are loaded after the desk.
const PANELS = {
  layout: lazy(async () => ({ default: (await load()).LayoutPanel })),
  content: lazy(async () => ({ default: (await load()).ContentPanel })),
  captions: lazy(async () => ({ default: (await load()).CaptionsPanel })),
} satisfies Record<PanelName, unknown>;

/** The verb that each panel requires. */
const ACTS = [
  { panel: 'layout', verb: 'layout', icon: 'layout' },
  { panel: 'content', verb: 'contentLock', icon: 'share' },
  { panel: 'captions', verb: 'banner', icon: 'captions' },
] as const satisfies readonly { panel: PanelName; verb: string; icon: IconName }[];

/** Buttons for layouts, content and captions; each panel opens beside its button. */
export function ScreenActions() {
  const t = useT();
  const desk = useDesk();
  const rights = useRights();
  const open = useView((view) => view.panel);
  const isLocked = useDeskPart(({ state }) => state.control.contentLockId !== null);
  const hasCaptions = useDeskPart(
    ({ state }) =>
      state.control.banner !== null ||
      Object.values(state.control.terminals).some((entry) => entry.present && entry.banner !== null),
  );
  const group = useRef<HTMLDivElement>(null);
  const shown = ACTS.filter(({ verb }) => rights.may(verb));
  if (shown.length === 0) return null;
  const marked: Record<PanelName, boolean> = { layout: false, content: isLocked, captions: hasCaptions };
  const Opened = open !== null && shown.some(({ panel }) => panel === open) ? PANELS[open] : null;
  return (
    <div ref={group} className="desk-act-group" role="group" aria-label={t('screen.title')}>
      {shown.map(({ panel, verb, icon }) => (
        <ActionButton
          key={panel}
          icon={icon}
          label={t(`screen.acts.${panel}`)}
          className={marked[panel] ? 'desk-act-due' : ''}
          cannot={rights.cannot(verb)}
          data-panel={panel}
          aria-haspopup="dialog"
          aria-expanded={open === panel}
          data-testid={`desk-${panel}`}
          onPointerEnter={() => void load()}
          onAction={() => desk.view.set({ panel: open === panel ? null : panel })}
        >
          {marked[panel] && <span className="visually-hidden">{t(`screen.acts.${panel as 'content'}On`)}</span>}
        </ActionButton>
      ))}
      {Opened !== null && (
        <Suspense fallback={null}>
          <Opened
            anchor={() => group.current?.querySelector<HTMLElement>(`[data-panel="${open}"]`) ?? null}
            onClose={() => desk.view.set({ panel: null })}
          />
        </Suspense>
      )}
    </div>
  );
}
