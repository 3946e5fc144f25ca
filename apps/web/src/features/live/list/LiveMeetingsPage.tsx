import type { Broadcast } from '@rmeet/contract';
import { useListState } from '../../../lib/listState.ts';
import { useMediaQuery } from '../../../lib/useMediaQuery.ts';
import type { RowAction } from '../../../ui/admin/RowActions.tsx';
import { useBroadcastList } from '../queries.ts';
import { useT } from '../texts.ts';
import { useBroadcastColumns } from './broadcastColumns.tsx';
import { BroadcastsPage } from './BroadcastsPage.tsx';
import { listShape, PHONE_LIST } from './listShape.ts';
import { useBroadcastActions } from './useBroadcastActions.tsx';
import { useRowActions } from './useRowActions.ts';

/** The live broadcasts that the user may see. All of its state is in the URL. */
export function LiveMeetingsPage() {
  const t = useT();
  const [state, setState] = useListState(listShape);
  const list = useBroadcastList(state);
  const isPhone = useMediaQuery(PHONE_LIST);
  const columns = useBroadcastColumns(isPhone);
  const { act, dialogs } = useBroadcastActions();
  const actionsOf = useRowActions(act);
  const inOrder = (row: Broadcast): RowAction[] => {
    const { runs, isNext, watch, enter, others } = actionsOf(row);
    return [...(isNext ? [...runs, watch] : [watch, ...runs]), enter, ...others];
  };
  return (
    <BroadcastsPage
      name="broadcasts"
      title={t('title')}
      search={t('search')}
      emptyHint={t('emptyHint')}
      columns={columns}
      list={list}
      state={state}
      onState={setState}
      isPhone={isPhone}
      actionsOf={inOrder}
    >
      {dialogs}
    </BroadcastsPage>
  );
}
