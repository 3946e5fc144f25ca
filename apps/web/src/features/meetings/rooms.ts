import { useMemo } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { isBareFloor, useFloors } from '../../lib/rooms/index.ts';
import type { MeetingTexts } from './format.ts';

/** A room as it is named to people. */
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

/** A room in full: building, floor, room. */
export function roomWords(room: NamedRoom, t: MeetingTexts): string {
  return t('rooms.full', { place: placeWords(room, t), room: room.name });
}

/** The name of a room by its id: of those that may be booked, and of `known` ones that perhaps may not any more. */
export function useRoomNames(known: readonly NamedRoom[] | undefined): (id: string) => string {
  const t = useTexts('meetings');
  const { data } = useFloors();
  return useMemo(() => {
    const bookable = (data ?? []).flatMap(({ floors }) => floors.flatMap(({ rooms }) => rooms));
    const names = new Map([...(known ?? []), ...bookable].map(({ id, name }) => [id, name]));
    return (id) => names.get(id) ?? t('rooms.unknown');
  }, [data, known, t]);
}

/** Days of the week in short words of a language; three and more in a row as `Mon–Fri`. */
export function daysWords(days: readonly number[], language: string): string {
  // Weeks begin on Monday where days are counted for work; 4 January 2026 was a Sunday.
  const name = (day: number) => new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' }).format(Date.UTC(2026, 0, 4 + day));
  const rows: number[][] = [];
  for (const day of [1, 2, 3, 4, 5, 6, 7].filter((one) => days.includes(one % 7))) {
    const row = rows.at(-1);
    if (row?.at(-1) === day - 1) row.push(day);
    else rows.push([day]);
  }
  return rows.map((row) => (row.length > 2 ? `${name(row[0] ?? 0)}–${name(row.at(-1) ?? 0)}` : row.map(name).join(', '))).join(', ');
}
