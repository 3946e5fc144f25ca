import { ROOM_EQUIPMENT, type Building, type Room } from '@rmeet/contract';
import type { useTexts } from '../../lib/i18n/index.ts';
import type { FieldErrors } from '../../ui/admin/useForm.ts';
import { WEEK } from './format.ts';

type Equipment = (typeof ROOM_EQUIPMENT)[number];

/** A room in the form. Numbers are null if their field is empty. */
export interface RoomDraft {
  name: string;
  /** Empty if none is chosen. */
  buildingId: string;
  floor: string;
  capacity: number | null;
  equipment: readonly Equipment[];
  /** Open at any time; days and times are kept in case it is switched off again. */
  always: boolean;
  days: readonly number[];
  from: string;
  until: string;
  /** Null: never. */
  releaseMinutes: number | null;
  note: string;
  enabled: boolean;
}

/** A building in the form. */
export interface BuildingDraft {
  name: string;
  address: string;
  timeZone: string;
}

/** Number ranges accepted by the server. */
export const RANGES = { capacity: [1, 10_000], releaseMinutes: [5, 120] } as const satisfies Partial<
  Record<keyof RoomDraft, readonly [number, number]>
>;
const OFFICE_HOURS = { days: [1, 2, 3, 4, 5], from: '08:00', until: '20:00' };

/** A new room; in the building selected in the list, or in the only one. */
export function newRoom(buildings: readonly Pick<Building, 'id'>[], chosen: string): RoomDraft {
  const only = buildings.length === 1 ? buildings[0]?.id : undefined;
  const buildingId = buildings.some(({ id }) => id === chosen) ? chosen : (only ?? '');
  return {
    name: '',
    buildingId,
    floor: '',
    capacity: null,
    equipment: [],
    always: true,
    ...OFFICE_HOURS,
    releaseMinutes: null,
    note: '',
    enabled: true,
  };
}

export function draftOf({
  name,
  building,
  floor,
  capacity,
  equipment,
  opening,
  releaseMinutes,
  note,
  enabled,
}: Room): RoomDraft {
  const times = opening ?? OFFICE_HOURS;
  return {
    name,
    buildingId: building.id,
    floor,
    capacity,
    equipment: inOrder(ROOM_EQUIPMENT, equipment),
    always: opening === null,
    days: inOrder(WEEK, times.days),
    from: times.from,
    until: times.until,
    releaseMinutes,
    note,
    enabled,
  };
}

/** The elements of `order` that are in `chosen`, so that the order of choosing makes no difference. */
export function inOrder<T>(order: readonly T[], chosen: readonly unknown[]): T[] {
  return order.filter((one) => chosen.includes(one));
}

/** The part of the request body shared by create and change; for a draft without faults. */
export function roomBody({ always, days, from, until, capacity, name, floor, note, equipment, ...rest }: RoomDraft) {
  return {
    ...rest,
    name: name.trim(),
    floor: floor.trim(),
    note: note.trim(),
    capacity: capacity ?? 0,
    equipment: [...equipment],
    opening: always ? null : { days: [...days], from, until },
  };
}

type RoomTexts = ReturnType<typeof useTexts<'rooms'>>;
type AdminTexts = ReturnType<typeof useTexts<'admin'>>;

/** The errors of a room found before anything is sent. */
export function roomFaults(draft: RoomDraft, t: RoomTexts, admin: AdminTexts): FieldErrors<RoomDraft> {
  const faults: FieldErrors<RoomDraft> = {};
  if (draft.name.trim() === '') faults.name = admin('invalid.required');
  if (draft.buildingId === '') faults.buildingId = admin('invalid.required');
  for (const [field, [min, max]] of Object.entries(RANGES) as [keyof typeof RANGES, readonly [number, number]][]) {
    const value = draft[field];
    if (value === null && field === 'releaseMinutes') continue;
    if (value === null || value < min || value > max) faults[field] = admin('invalid.range', { min, max });
  }
  if (!draft.always && draft.days.length === 0) faults.days = t('form.daysNone');
  if (!draft.always && draft.from >= draft.until) faults.until = t('form.untilEarly');
  return faults;
}

export function buildingDraftOf({ name, address, timeZone }: Building): BuildingDraft {
  return { name, address, timeZone };
}

/** Times of day to choose from, every quarter of an hour, plus the chosen one if it is a different time. */
export function clockTimes(chosen: string): string[] {
  const quarters = Array.from(
    { length: 97 },
    (_, at) => `${String(Math.floor(at / 4)).padStart(2, '0')}:${String((at % 4) * 15).padStart(2, '0')}`,
  );
  return quarters.includes(chosen) ? quarters : [...quarters, chosen].sort();
}
