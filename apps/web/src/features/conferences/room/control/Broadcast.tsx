import { BROADCAST_ACTIONS_IN } from '@rmeet/contract';
import type { Call } from '../../../../call/index.ts';
import { useT } from '../../../../ui/broadcast/texts.ts';
import { useMeetingBroadcast } from '../../../../ui/broadcast/useMeetingBroadcast.ts';
import { useRunBroadcast } from '../../../../ui/broadcast/useRunBroadcast.ts';
import { MenuGroup, MenuItem } from '../../../../ui/Menu.tsx';
import { useStorePart } from '../../shared/use-store.ts';

/** Start, pause and end of the meeting's broadcast in the host menu, for those who may run it. */
export function BroadcastItems({ call: { store, meetId } }: { call: Call }) {
  const t = useT();
  const run = useRunBroadcast();
  const status = useStorePart(store, ({ control }) => control.broadcast?.status ?? null);
  const broadcast = useMeetingBroadcast(meetId, { status });
  const actions = broadcast?.can.run === true ? BROADCAST_ACTIONS_IN[broadcast.state] : [];
  if (broadcast === null || actions.length === 0) return null;
  return (
    <MenuGroup label={t('run.title')}>
      {actions.map((action) => (
        <MenuItem key={action} testId={`host-live-${action.toLowerCase()}`} onSelect={() => run(action, broadcast)}>
          {t(`run.action.${action}`)}
        </MenuItem>
      ))}
    </MenuGroup>
  );
}
