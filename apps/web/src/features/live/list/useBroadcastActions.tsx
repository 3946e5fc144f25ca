import type { Broadcast, BroadcastAction } from '@rmeet/contract';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { loadChunk } from '../../../lib/chunks.ts';
import { copyText } from '../../../lib/clipboard.ts';
import { watchPath } from '../../../lib/paths.ts';
import { useProfile } from '../../../lib/profile.ts';
import { useRunBroadcast } from '../../../ui/broadcast/useRunBroadcast.ts';
import { useT } from '../texts.ts';

const SettingsDialog = lazy(() =>
  loadChunk(async () => ({ default: (await import('./SettingsDialog.tsx')).SettingsDialog })),
);

const TargetsDialog = lazy(() =>
  loadChunk(async () => ({ default: (await import('../targets/TargetsDialog.tsx')).TargetsDialog })),
);

const StatisticsDialog = lazy(() =>
  loadChunk(async () => ({ default: (await import('../statistics/StatisticsDialog.tsx')).StatisticsDialog })),
);

export type ListAction = BroadcastAction | 'watch' | 'enter' | 'copy' | Opened;
/** What opens a dialog. */
type Opened = 'settings' | 'addresses' | 'statistics';

/** What can be done with a broadcast of the list. `dialogs` belongs into the page. */
export function useBroadcastActions(): {
  act: (action: ListAction, broadcast: Broadcast) => void;
  dialogs: ReactNode;
} {
  const t = useT();
  const navigate = useNavigate();
  const run = useRunBroadcast();
  const canSwitch = useProfile()?.flags.enableSwitchLiveResource === 1;
  const [dialog, setDialog] = useState<{ opened: Opened; broadcast: Broadcast } | null>(null);
  const close = () => setDialog(null);
  const act = (action: ListAction, broadcast: Broadcast): void => {
    switch (action) {
      case 'watch':
        return void navigate(watchPath(broadcast.id));
      case 'enter':
        return void navigate(`/join?number=${broadcast.numericId}&meet=${broadcast.meetId}`);
      case 'copy':
        return void copyText(broadcast.link, () => t('copied'));
      case 'settings':
      case 'addresses':
      case 'statistics':
        return setDialog({ opened: action, broadcast });
      default:
        return run(action, broadcast);
    }
  };
  return {
    act,
    dialogs: (
      <Suspense fallback={null}>
        {dialog?.opened === 'settings' && <SettingsDialog id={dialog.broadcast.id} onClose={close} />}
        {dialog?.opened === 'addresses' && (
          <TargetsDialog broadcast={dialog.broadcast} canSwitch={canSwitch} onClose={close} />
        )}
        {dialog?.opened === 'statistics' && <StatisticsDialog broadcast={dialog.broadcast} onClose={close} />}
      </Suspense>
    ),
  };
}
