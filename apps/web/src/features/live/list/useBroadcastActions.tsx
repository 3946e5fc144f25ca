import type { Broadcast, BroadcastAction } from '@rmeet/contract';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { loadChunk } from '../../../lib/chunks.ts';
import { copyText } from '../../../lib/clipboard.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { ask, toast } from '../../../lib/notify.ts';
import { watchPath } from '../../../lib/paths.ts';
import { useBroadcastAct } from '../queries.ts';
import { useT } from '../texts.ts';

const SettingsDialog = lazy(() =>
  loadChunk(async () => ({ default: (await import('./SettingsDialog.tsx')).SettingsDialog })),
);

const RUNS = { start: 'START', pause: 'PAUSE', resume: 'RESUME', end: 'END' } as const satisfies Record<
  string,
  BroadcastAction
>;
type Run = keyof typeof RUNS;
export type ListAction = Run | 'watch' | 'enter' | 'copy' | 'settings';

/** What can be done with a broadcast of the list. `dialogs` belongs into the page. */
export function useBroadcastActions(): {
  act: (action: ListAction, broadcast: Broadcast) => void;
  dialogs: ReactNode;
} {
  const t = useT();
  const common = useTexts('common');
  const navigate = useNavigate();
  const running = useBroadcastAct();
  const [edited, setEdited] = useState<Broadcast | null>(null);

  const run = async (action: Run, { id, subject }: Broadcast) => {
    const sure =
      action !== 'end' ||
      (await ask({
        title: t('end.title'),
        text: t('end.text', { subject }),
        okText: t('action.end'),
        cancelText: common('cancel'),
        danger: true,
      }));
    if (sure)
      running.mutate({ id, action: RUNS[action] }, { onSuccess: () => toast('success', () => t(`done.${action}`)) });
  };
  const act = (action: ListAction, broadcast: Broadcast): void => {
    switch (action) {
      case 'watch':
        return void navigate(watchPath(broadcast.id));
      case 'enter':
        return void navigate(`/join?number=${broadcast.numericId}&meet=${broadcast.meetId}`);
      case 'copy':
        return void copyText(broadcast.link, () => t('copied'));
      case 'settings':
        return setEdited(broadcast);
      default:
        return void run(action, broadcast);
    }
  };
  return {
    act,
    dialogs: edited && (
      <Suspense fallback={null}>
        <SettingsDialog id={edited.id} onClose={() => setEdited(null)} />
      </Suspense>
    ),
  };
}
