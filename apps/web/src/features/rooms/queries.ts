import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Building, Room } from '@rmeet/contract';
import { api } from '../../lib/api/index.ts';
import { withoutEmpty } from '../../lib/listState.ts';
import { useListQuery } from '../../lib/useListQuery.ts';
import { findRow } from '../../lib/findRow.ts';
import type { RoomListState } from './listShape.ts';

const KEY = 'rooms';

export function useRoomList(state: RoomListState) {
  const { keyword, building, status, sort, order, current, size } = state;
  return useListQuery([KEY, 'list', state], () =>
    api.rooms.list({
      query: { keyword, sort, order, current, size, ...withoutEmpty({ buildingId: building, status }) },
    }),
  );
}

export function useBuildings() {
  return useQuery({ queryKey: [KEY, 'buildings'], queryFn: () => api.rooms.buildings(), meta: { quiet: 'unloaded' } });
}

/** Fetches again all queries that show rooms, including those of the booking pages. */
export function useRefreshRooms(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await Promise.all([KEY, 'floors'].map((key) => client.invalidateQueries({ queryKey: [key] })));
  };
}

/** The current version of a room; there is no call for a single one, and its name may have changed. */
export function findRoom(id: string): Promise<Room | undefined> {
  return findRow((paging) => api.rooms.list({ query: paging }), id);
}

/** The current version of a building. */
export async function findBuilding(id: string): Promise<Building | undefined> {
  return (await api.rooms.buildings()).find((building) => building.id === id);
}

/** Deletes rooms and buildings. The caller shows errors. */
export function useRemove(kind: 'room' | 'building') {
  const refresh = useRefreshRooms();
  return useMutation({
    mutationFn: (id: string) =>
      kind === 'room' ? api.rooms.remove({ params: { id } }) : api.rooms.removeBuilding({ params: { id } }),
    onSettled: refresh,
    meta: { quiet: true },
  });
}
