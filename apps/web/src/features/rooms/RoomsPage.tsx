import type { Building, Room } from '@rmeet/contract';
import { useTexts } from '../../lib/i18n/index.ts';
import { isFiltered, useListState } from '../../lib/listState.ts';
import { AdminPage } from '../../ui/admin/AdminPage.tsx';
import { AdminList } from '../../ui/admin/AdminList.tsx';
import { FilterSelect } from '../../ui/admin/FilterSelect.tsx';
import { NewButton } from '../../ui/admin/NewButton.tsx';
import { StatusFilter } from '../../ui/admin/StatusFilter.tsx';
import { useDrawer } from '../../ui/admin/useDrawer.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { BuildingDrawer } from './BuildingDrawer.tsx';
import { BuildingsDrawer } from './BuildingsDrawer.tsx';
import { listShape, ROOM_STATUSES, type RoomListState } from './listShape.ts';
import { useBuildings, useRoomList } from './queries.ts';
import { useRoomColumns } from './roomColumns.tsx';
import { RoomDrawer } from './RoomDrawer.tsx';
import { useRoomActions } from './useRoomActions.ts';
import './texts.ts';
import './rooms.css';

/** The tenant's meeting rooms and the buildings they are in. */
// oxlint-disable-next-line max-lines-per-function -- plain JSX of one page
export function RoomsPage() {
  const t = useTexts('rooms');
  const admin = useTexts('admin');
  const [state, setState] = useListState(listShape);
  const list = useRoomList(state);
  const buildings = useBuildings();
  const { removeRoom } = useRoomActions();
  const editing = useDrawer<Room | null>();
  const managing = useDrawer<null>();
  const adding = useDrawer<null>();
  const columns = useRoomColumns(editing.show);

  const isBare = buildings.data?.length === 0;
  return (
    <AdminPage
      title={t('title')}
      actions={
        !isBare && (
          <>
            <Button data-testid="buildings" onClick={() => managing.show(null)}>
              <Icon name="building" />
              {t('building.title')}
            </Button>
            <NewButton label={t('new')} testId="room-new" onClick={() => editing.show(null)} />
          </>
        )
      }
    >
      {isBare ? (
        <div className="rooms-bare">
          <EmptyState picture="list" title={t('bare')} hint={t('bareHint')}>
            <NewButton label={t('building.new')} testId="building-first" onClick={() => adding.show(null)} />
          </EmptyState>
        </div>
      ) : (
        <AdminList
          name="rooms"
          label={t('title')}
          columns={columns}
          list={list}
          state={state}
          onState={setState}
          nameOf={({ name }) => name}
          rowActions={(room) => [
            { key: 'edit', label: admin('action.edit'), run: () => editing.show(room) },
            { key: 'remove', label: admin('action.delete'), danger: true, run: () => void removeRoom(room) },
          ]}
          search={t('search')}
          filters={<RoomFilters state={state} buildings={buildings.data ?? []} onState={setState} />}
          filtered={isFiltered(listShape, state)}
          empty={{ title: t('empty'), hint: t('emptyHint') }}
        />
      )}
      {editing.last && (
        <RoomDrawer
          key={`room-${editing.last.opening}`}
          room={editing.last.value}
          chosen={state.building}
          open={editing.open}
          onClose={editing.hide}
        />
      )}
      {managing.last && <BuildingsDrawer open={managing.open} onClose={managing.hide} />}
      {adding.last && (
        <BuildingDrawer
          key={`building-${adding.last.opening}`}
          building={null}
          open={adding.open}
          onClose={adding.hide}
        />
      )}
    </AdminPage>
  );
}

interface RoomFiltersProps {
  state: RoomListState;
  buildings: readonly Building[];
  onState: (change: Partial<RoomListState>) => void;
}

function RoomFilters({ state, buildings, onState }: RoomFiltersProps) {
  const t = useTexts('rooms');
  return (
    <>
      <FilterSelect
        label={t('column.building')}
        value={state.building}
        options={buildings.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(building) => onState({ building })}
        testId="filter-building"
      />
      <StatusFilter statuses={ROOM_STATUSES} value={state.status} onChange={(status) => onState({ status })} />
    </>
  );
}
