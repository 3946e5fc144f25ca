import { z } from 'zod';
import { API_BASE, LIMITS } from '../constants.ts';
import { page, pageQuery } from '../http/envelope.ts';
import { line } from '../line.ts';
import { route } from '../http/route.ts';

/** What a room offers besides seats. */
export const ROOM_EQUIPMENT = [
  'display',
  'projector',
  'camera',
  'microphone',
  'phone',
  'whiteboard',
  'interpretation',
  'wheelchair',
] as const;

/** A time of day, `00:00` to `24:00`. */
const clock = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/);
/** When a room may be booked, in the time zone of its building. Days of the week: 1 to 6, and 0 for Sunday. */
export const openingTimes = z
  .object({ days: z.array(z.number().int().min(0).max(6)).min(1).max(7), from: clock, until: clock })
  .refine(({ from, until }) => from < until);
export type OpeningTimes = z.infer<typeof openingTimes>;

export const building = z.object({
  id: z.uuid(),
  name: z.string(),
  address: z.string(),
  /** IANA name, as `Asia/Shanghai`. */
  timeZone: z.string(),
  /** Number of rooms in it, including disabled ones. */
  roomCount: z.number().int(),
  version: z.number().int(),
});
export type Building = z.infer<typeof building>;

/** A physical meeting room. */
export const room = z.object({
  id: z.uuid(),
  name: z.string(),
  building: z.object({ id: z.uuid(), name: z.string(), timeZone: z.string() }),
  floor: z.string(),
  /** Number of seats. */
  capacity: z.number().int(),
  equipment: z.array(z.enum(ROOM_EQUIPMENT)),
  /** Null: open at any time. */
  opening: openingTimes.nullable(),
  /**
   * Minutes after its start at which a booking without check-in is released; null: never. A running meeting counts as
   * checked in.
   */
  releaseMinutes: z.number().int().nullable(),
  note: z.string(),
  enabled: z.boolean(),
  version: z.number().int(),
});
export type Room = z.infer<typeof room>;

/** A room as shown in a meeting. */
export const bookedRoom = z.object({
  id: z.uuid(),
  name: z.string(),
  building: z.string(),
  floor: z.string(),
  /** A person has checked in, or the meeting runs. */
  checkedIn: z.boolean(),
});

/** A time interval in which a room is taken. */
export const occupancy = z.object({
  startTime: z.iso.datetime(),
  endTime: z.iso.datetime(),
  /** Who booked it. */
  host: z.string(),
  /** Null if the caller may not see the meeting. */
  meetId: z.uuid().nullable(),
  subject: z.string().nullable(),
  checkedIn: z.boolean(),
});
export type Occupancy = z.infer<typeof occupancy>;

/** Whether this time zone is known; browsers use older names for some zones, such as `Asia/Calcutta`. */
export function isTimeZone(zone: string): boolean {
  try {
    return /^[A-Z]/.test(zone) && new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const buildingBody = z.object({
  name: line().min(1).max(LIMITS.roomName),
  address: z.string().trim().max(300).default(''),
  timeZone: z.string().max(60).refine(isTimeZone),
});
const roomBody = z.object({
  name: line().min(1).max(LIMITS.roomName),
  buildingId: z.uuid(),
  floor: line().max(20),
  capacity: z.number().int().min(1).max(10_000),
  equipment: z.array(z.enum(ROOM_EQUIPMENT)).max(ROOM_EQUIPMENT.length).default([]),
  opening: openingTimes.nullable().default(null),
  releaseMinutes: z.number().int().min(5).max(120).nullable().default(null),
  note: z.string().trim().max(500).default(''),
  enabled: z.boolean().default(true),
});
const version = { version: z.number().int() };
const byId = z.object({ id: z.uuid() });

const exampleId = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2e01';
const exampleBuilding: Building = {
  id: exampleId,
  name: 'Main building',
  address: '1 Harbour Road',
  timeZone: 'Asia/Shanghai',
  roomCount: 1,
  version: 1,
};
const exampleRoom: Room = {
  id: exampleId,
  name: 'Library',
  building: { id: exampleId, name: 'Main building', timeZone: 'Asia/Shanghai' },
  floor: '3',
  capacity: 12,
  equipment: ['display', 'camera'],
  opening: { days: [1, 2, 3, 4, 5], from: '08:00', until: '20:00' },
  releaseMinutes: 15,
  note: '',
  enabled: true,
  version: 1,
};
const exampleBody = { name: 'Library', buildingId: exampleId, floor: '3', capacity: 12 };
const manages = { callers: ['user'], permission: 'rooms:manage' } as const;
const bookingBody = z.object({ meetId: z.uuid(), roomId: z.uuid() });

/** Physical meeting rooms. Room and floor names sort numerically: 2 before 10. */
export const rooms = {
  floors: route({
    method: 'GET',
    path: `${API_BASE}/rooms/query-rooms/floors`,
    callers: ['user'],
    scope: 'rooms:read',
    summary: 'Buildings, their floors and the rooms there that may be booked.',
    input: {},
    data: z.array(z.object({ building, floors: z.array(z.object({ floor: z.string(), rooms: z.array(room) })) })),
    errors: [],
    example: { data: [{ building: exampleBuilding, floors: [{ floor: '3', rooms: [exampleRoom] }] }] },
  }),
  occupancy: route({
    method: 'POST',
    path: `${API_BASE}/rooms/occupancy/room`,
    callers: ['user'],
    scope: 'rooms:read',
    summary:
      'When rooms are taken between two times, at most 32 days apart. `except` ' +
      'leaves out the bookings of one meeting, as while it is edited.',
    input: {
      body: z
        .object({
          roomIds: z.array(z.uuid()).min(1).max(200),
          from: z.iso.datetime({ offset: true }),
          until: z.iso.datetime({ offset: true }),
          except: z.uuid().optional(),
        })
        .refine(
          ({ from, until }) =>
            Date.parse(until) > Date.parse(from) && Date.parse(until) - Date.parse(from) <= 32 * 86_400_000,
          { path: ['until'] },
        ),
    },
    data: z.array(z.object({ roomId: z.uuid(), taken: z.array(occupancy) })),
    errors: [],
    example: {
      body: { roomIds: [exampleId], from: '2026-11-20T00:00:00Z', until: '2026-11-21T00:00:00Z' },
      data: [
        {
          roomId: exampleId,
          taken: [
            {
              startTime: '2026-11-20T09:00:00.000Z',
              endTime: '2026-11-20T10:00:00.000Z',
              host: 'Alice',
              meetId: exampleId,
              subject: 'Ward round',
              checkedIn: false,
            },
          ],
        },
      ],
    },
  }),
  checkIn: route({
    method: 'POST',
    path: `${API_BASE}/rooms/checkIn`,
    callers: ['user'],
    audit: true,
    summary:
      'Says that a meeting is in its room, from 15 minutes before its start to its end; the room is not released ' +
      'then. For its host and those invited.',
    input: { body: bookingBody },
    data: z.null(),
    errors: ['ROOM_NOT_BOOKED', 'CHECK_IN_EARLY'],
    example: { body: { meetId: exampleId, roomId: exampleId }, data: null },
  }),
  release: route({
    method: 'POST',
    path: `${API_BASE}/rooms/release`,
    callers: ['user'],
    audit: true,
    summary: 'Gives a room back for the rest of a meeting. For those who manage the meeting.',
    input: { body: bookingBody },
    data: z.null(),
    errors: ['ROOM_NOT_BOOKED'],
    example: { body: { meetId: exampleId, roomId: exampleId }, data: null },
  }),
  list: route({
    method: 'GET',
    path: `${API_BASE}/rooms`,
    ...manages,
    scope: 'rooms:read',
    summary: 'Rooms of the tenant, paged.',
    input: {
      query: z.object({
        ...pageQuery,
        keyword: z.string().trim().max(100).optional(),
        buildingId: z.uuid().optional(),
        status: z.enum(['enabled', 'disabled']).optional(),
        sort: z.enum(['name', 'building', 'capacity']).default('building'),
        order: z.enum(['ASC', 'DESC']).default('ASC'),
      }),
    },
    data: page(room),
    errors: [],
    example: { query: {}, data: { records: [exampleRoom], total: 1, current: 1, size: 20 } },
  }),
  create: route({
    method: 'POST',
    path: `${API_BASE}/rooms`,
    ...manages,
    audit: true,
    summary: 'Adds a room. Its name is the only one in its building.',
    input: { body: roomBody },
    data: room,
    errors: ['NAME_TAKEN', 'BUILDING_UNKNOWN'],
    example: { body: exampleBody, data: exampleRoom },
  }),
  update: route({
    method: 'PUT',
    path: `${API_BASE}/rooms/:id`,
    ...manages,
    audit: true,
    summary: 'Changes a room; bookings that stand stay. `version` is the one that was edited.',
    input: { params: byId, body: roomBody.extend(version) },
    data: room,
    errors: ['NAME_TAKEN', 'BUILDING_UNKNOWN', 'CHANGED_MEANWHILE'],
    example: { params: { id: exampleId }, body: { ...exampleBody, version: 1 }, data: exampleRoom },
  }),
  remove: route({
    method: 'DELETE',
    path: `${API_BASE}/rooms/:id`,
    ...manages,
    audit: true,
    summary: 'Deletes a room nothing is booked in any more.',
    input: { params: byId },
    data: z.null(),
    errors: ['ROOM_BOOKED'],
    example: { params: { id: exampleId }, data: null },
  }),
  buildings: route({
    method: 'GET',
    path: `${API_BASE}/rooms/buildings`,
    callers: ['user'],
    scope: 'rooms:read',
    summary: 'The buildings of the tenant.',
    input: {},
    data: z.array(building),
    errors: [],
    example: { data: [exampleBuilding] },
  }),
  createBuilding: route({
    method: 'POST',
    path: `${API_BASE}/rooms/buildings`,
    ...manages,
    audit: true,
    summary: 'Adds a building.',
    input: { body: buildingBody },
    data: building,
    errors: ['NAME_TAKEN'],
    example: { body: { name: 'Main building', timeZone: 'Asia/Shanghai' }, data: exampleBuilding },
  }),
  updateBuilding: route({
    method: 'PUT',
    path: `${API_BASE}/rooms/buildings/:id`,
    ...manages,
    audit: true,
    summary: 'Changes a building. `version` is the one that was edited.',
    input: { params: byId, body: buildingBody.extend(version) },
    data: building,
    errors: ['NAME_TAKEN', 'CHANGED_MEANWHILE'],
    example: {
      params: { id: exampleId },
      body: { name: 'Main building', timeZone: 'Asia/Shanghai', version: 1 },
      data: exampleBuilding,
    },
  }),
  removeBuilding: route({
    method: 'DELETE',
    path: `${API_BASE}/rooms/buildings/:id`,
    ...manages,
    audit: true,
    summary: 'Deletes a building without rooms.',
    input: { params: byId },
    data: z.null(),
    errors: ['BUILDING_NOT_EMPTY'],
    example: { params: { id: exampleId }, data: null },
  }),
};
