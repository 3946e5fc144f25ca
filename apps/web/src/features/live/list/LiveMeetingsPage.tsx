import { BROADCAST_ACTIONS_IN, BROADCAST_SCOPES, type Broadcast } from '@rmeet/contract';
import { useTexts } from '../../../lib/i18n/index.ts';
import { isFiltered, useListState } from '../../../lib/listState.ts';
import { useMediaQuery } from '../../../lib/useMediaQuery.ts';
import { AdminPage } from '../../../ui/admin/AdminPage.tsx';
import { AdminTable } from '../../../ui/admin/AdminTable.tsx';
import { useT as useBroadcastTexts } from '../../../ui/broadcast/texts.ts';
import { ListToolbar } from '../../../ui/admin/ListToolbar.tsx';
import { RowActions, type RowAction } from '../../../ui/admin/RowActions.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { Select } from '../../../ui/Select.tsx';
import { useBroadcastList } from '../queries.ts';
import { useT } from '../texts.ts';
import { useBroadcastColumns } from './broadcastColumns.tsx';
import { listShape, type LiveListState } from './listShape.ts';
import { useBroadcastActions, type ListAction } from './useBroadcastActions.tsx';
import './list.css';

/** The live broadcasts that the user may see. All of its state is in the URL. */
export function LiveMeetingsPage() {
  const t = useT();
  const admin = useTexts('admin');
  const [state, setState] = useListState(listShape);
  const list = useBroadcastList(state);
  const isPhone = useMediaQuery('(max-width: 720px)');
  const columns = useBroadcastColumns(isPhone);
  const { act, dialogs } = useBroadcastActions();
  const actions = useRowActions(act);
  return (
    <AdminPage title={t('title')}>
      <AdminTable
        name={isPhone ? 'broadcasts-phone' : 'broadcasts'}
        label={t('title')}
        columns={columns}
        list={list}
        state={state}
        onState={setState}
        nameOf={({ subject }) => subject}
        actions={{
          width: isPhone ? 96 : 128,
          render: (row) => <RowActions name={row.subject} actions={actions(row)} />,
        }}
        toolbar={<Filters state={state} onState={setState} isPhone={isPhone} />}
        empty={
          isFiltered(listShape, state, ['scope'])
            ? { title: admin('noMatch'), hint: admin('noMatchHint') }
            : { title: t(`empty.${state.scope}`), hint: t('emptyHint') }
        }
      />
      {dialogs}
    </AdminPage>
  );
}

/** What can be done with a broadcast; the first one is its button. */
function useRowActions(act: (action: ListAction, broadcast: Broadcast) => void) {
  const t = useT();
  const running = useBroadcastTexts();
  return (row: Broadcast): RowAction[] => {
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
    const runs = BROADCAST_ACTIONS_IN[state].map((one): RowAction => ({
      key: one.toLowerCase(),
      label: running(`run.action.${one}`),
      run: () => act(one, row),
      allowed: can.run,
      danger: one === 'END',
    }));
    const watch = action('watch', true);
    // A person who can put it on air now needs that most, others its page.
    const isNext = state === 'scheduled' && isReady && can.run;
    return [
      ...(isNext ? [...runs, watch] : [watch, ...runs]),
      action('enter', state !== 'ended'),
      action('copy', true),
      action('settings', can.manage),
      action('addresses', can.manage && state !== 'ended'),
      action('statistics', can.manage && state !== 'scheduled'),
    ];
  };
}

interface FiltersProps {
  state: LiveListState;
  onState: (change: Partial<LiveListState>) => void;
  isPhone: boolean;
}

function Filters({ state, onState, isPhone }: FiltersProps) {
  const t = useT();
  return (
    <>
      <Segments
        label={t('scopes')}
        values={BROADCAST_SCOPES}
        chosen={state.scope}
        textOf={(scope) => t(`scope.${scope}`)}
        onChoose={(scope) => onState({ scope })}
        testId="scope"
        className="broadcast-scopes"
      />
      <ListToolbar keyword={state.keyword} onSearch={(keyword) => onState({ keyword })} placeholder={t('search')}>
        {/* A phone has no column headings to sort by. */}
        {isPhone && <Sorting state={state} onState={onState} />}
      </ListToolbar>
    </>
  );
}

function Sorting({ state, onState }: Pick<FiltersProps, 'state' | 'onState'>) {
  const t = useT();
  return (
    <Select
      label={t('sort')}
      value={`${state.sort} ${state.order}`}
      options={listShape.sorts.flatMap((sort) =>
        (['DESC', 'ASC'] as const).map((order) => ({ value: `${sort} ${order}`, label: t(`sortBy.${sort}.${order}`) })),
      )}
      onChange={(value) => {
        const [sort, order] = value.split(' ') as [LiveListState['sort'], LiveListState['order']];
        onState({ sort, order });
      }}
      data-testid="sort"
    />
  );
}
