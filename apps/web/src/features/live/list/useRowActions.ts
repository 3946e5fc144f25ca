import { BROADCAST_ACTIONS_IN, type Broadcast } from '@rmeet/contract';
import type { RowAction } from '../../../ui/admin/RowActions.tsx';
import { useT as useBroadcastTexts } from '../../../ui/broadcast/texts.ts';
import { useT } from '../texts.ts';
import type { ListAction } from './useBroadcastActions.tsx';

/** What can be done with every broadcast, by name; the list of its page puts them in order. */
export function useRowActions(act: (action: ListAction, broadcast: Broadcast) => void) {
  const t = useT();
  const running = useBroadcastTexts();
  return (row: Broadcast) => {
    const { can, state, isReady } = row;
    const action = (
      key: 'watch' | 'enter' | 'copy' | 'settings' | 'addresses' | 'statistics',
      allowed: boolean,
    ): RowAction => ({
      key,
      label: t(`action.${key}`),
      run: () => act(key, row),
      allowed,
    });
    return {
      runs: BROADCAST_ACTIONS_IN[state].map((one): RowAction => ({
        key: one.toLowerCase(),
        label: running(`run.action.${one}`),
        run: () => act(one, row),
        allowed: can.run,
        danger: one === 'END',
      })),
      /** A person who can put it on air now needs that most. */
      isNext: state === 'scheduled' && isReady && can.run,
      watch: action('watch', true),
      enter: action('enter', state !== 'ended' && row.source === 'conference'),
      others: [
        action('copy', true),
        action('settings', can.manage),
        action('addresses', can.manage && state !== 'ended'),
        action('statistics', can.manage && state !== 'scheduled'),
      ],
    };
  };
}
