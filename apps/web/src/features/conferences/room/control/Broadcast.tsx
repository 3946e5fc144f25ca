import { BROADCAST_ACTIONS_IN } from '@rmeet/contract';
import { useQuery } from '@tanstack/react-query';
import type { Call } from '../../../../call/index.ts';
import { api } from '../../../../lib/api/index.ts';
import { session } from '../../../../lib/browser.ts';
import { useT } from '../../../../ui/broadcast/texts.ts';
import { BROADCASTS_KEY, useRunBroadcast } from '../../../../ui/broadcast/useRunBroadcast.ts';
import { MenuGroup, MenuItem } from '../../../../ui/Menu.tsx';
import { useStorePart } from '../../shared/use-store.ts';

/** Start, pause and end of the meeting's broadcast in the host menu, for those who may run it. */
export function BroadcastItems({ call: { store, meetId } }: { call: Call }) {
  const t = useT();
  const run = useRunBroadcast();
  const status = useStorePart(store, ({ control }) => control.broadcast?.status ?? null);
  const { data } = useQuery({
    // Its state changes with the one that everybody sees.
    queryKey: [BROADCASTS_KEY, 'ofMeeting', meetId, status],
    queryFn: () => api.broadcasts.detail({ params: { id: meetId } }),
    enabled: session.token !== null,
    retry: false,
    meta: { quiet: true },
  });
  const actions = data?.can.run === true ? BROADCAST_ACTIONS_IN[data.state] : [];
  if (data === undefined || actions.length === 0) return null;
  return (
    <MenuGroup label={t('run.title')}>
      {actions.map((action) => (
        <MenuItem key={action} testId={`host-live-${action.toLowerCase()}`} onSelect={() => run(action, data)}>
          {t(`run.action.${action}`)}
        </MenuItem>
      ))}
    </MenuGroup>
  );
}
