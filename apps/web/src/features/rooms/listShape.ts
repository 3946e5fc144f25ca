import { oneOf, shortText, type ListState } from '../../lib/listState.ts';

export const ROOM_STATUSES = ['enabled', 'disabled'] as const;

export const listShape = {
  filters: { building: shortText(36), status: oneOf(['', ...ROOM_STATUSES], '') },
  sorts: ['building', 'name', 'capacity'],
} as const;

export type RoomListState = ListState<typeof listShape>;
