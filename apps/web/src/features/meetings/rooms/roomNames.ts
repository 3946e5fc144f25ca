import { useMemo } from 'react';
import { useTexts } from '../../../lib/i18n/index.ts';
import { isBareFloor } from '../../../lib/rooms/index.ts';
import { useFloors } from '../../../lib/rooms/queries.ts';
import type { MeetingTexts } from '../format.ts';

/** A room with the data shown to people. */
export interface NamedRoom {
  id: string;
  name: string;
  building: string;
  floor: string;
}

/** A building and a floor in it: `Main building, floor 3`. */
export function placeWords({ building, floor }: Pick<NamedRoom, 'building' | 'floor'>, t: MeetingTexts): string {
  if (floor === '') return building;
  return t('rooms.place', { building, floor: isBareFloor(floor) ? t('rooms.floor', { floor }) : floor });
}

/** The full name of a room: building, floor, room. */
export function roomWords(room: NamedRoom, t: MeetingTexts): string {
  return t('rooms.full', { place: placeWords(room, t), room: room.name });
}

/** Room names by id: of rooms that can be booked, and of `known` rooms that possibly no longer can. */
export function useRoomNames(known: readonly NamedRoom[] | undefined): (id: string) => string {
  const t = useTexts('meetings');
  const { data } = useFloors();
  return useMemo(() => {
    const bookable = (data ?? []).flatMap(({ floors }) => floors.flatMap(({ rooms }) => rooms));
    const names = new Map([...(known ?? []), ...bookable].map(({ id, name }) => [id, name]));
    return (id) => names.get(id) ?? t('rooms.unknown');
  }, [data, known, t]);
}
