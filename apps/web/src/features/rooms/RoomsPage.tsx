import type { Room } from '@rmeet/contract';
import { useTexts } from '../../lib/i18n/index.ts';
import { useListState } from '../../lib/listState.ts';
import { AdminPage } from '../../ui/admin/AdminPage.tsx';
import { AdminTable } from '../../ui/admin/AdminTable.tsx';
import { FilterSelect } from '../../ui/admin/FilterSelect.tsx';
import { ListToolbar } from '../../ui/admin/ListToolbar.tsx';
import { RowActions } from '../../ui/admin/RowActions.tsx';
import { useDrawer } from '../../ui/admin/useDrawer.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { BuildingDrawer } from './BuildingDrawer.tsx';
import { BuildingsDrawer } from './BuildingsDrawer.tsx';
import { listShape, ROOM_STATUSES } from './listShape.ts';
import { useBuildings, useRoomList } from './queries.ts';
import { useRoomColumns } from './roomColumns.tsx';
import { RoomDrawer } from './RoomDrawer.tsx';
import { useRoomActions } from './useRoomActions.ts';
import './texts.ts';
import './rooms.css';

/** The tenant's meeting rooms and the buildings they are in. */
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
  const isFiltered = state.keyword !== '' || state.building !== '' || state.status !== '';
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
            <Button kind="primary" data-testid="room-new" onClick={() => editing.show(null)}>
              <Icon name="plus" />
              {t('new')}
            </Button>
          </>
        )
      }
    >
      {isBare ? (
        <div className="rooms-bare">
          <EmptyState picture="list" title={t('bare')} hint={t('bareHint')}>
            <Button kind="primary" data-testid="building-first" onClick={() => adding.show(null)}>
              <Icon name="plus" />
              {t('building.new')}
            </Button>
          </EmptyState>
        </div>
      ) : (
        <AdminTable
          name="rooms"
          label={t('title')}
          columns={columns}
          list={list}
          state={state}
          onState={setState}
          nameOf={({ name }) => name}
          actions={{
            width: 112,
            render: (room) => (
              <RowActions
                name={room.name}
                actions={[
                  { key: 'edit', label: admin('action.edit'), run: () => editing.show(room) },
                  { key: 'remove', label: admin('action.delete'), danger: true, run: () => void removeRoom(room) },
                ]}
              />
            ),
          }}
          toolbar={
            <ListToolbar
              keyword={state.keyword}
              onSearch={(keyword) => setState({ keyword })}
              placeholder={t('search')}
            >
              <FilterSelect
                label={t('column.building')}
                value={state.building}
                options={(buildings.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
                onChange={(building) => setState({ building })}
                testId="filter-building"
              />
              <FilterSelect
                label={admin('status.label')}
                value={state.status}
                options={ROOM_STATUSES.map((value) => ({ value, label: admin(`status.${value}`) }))}
                onChange={(status) => setState({ status })}
                testId="filter-status"
              />
            </ListToolbar>
          }
          empty={
            isFiltered
              ? { title: admin('noMatch'), hint: admin('noMatchHint') }
              : { title: t('empty'), hint: t('emptyHint') }
          }
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
