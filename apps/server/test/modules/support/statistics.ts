import { sql } from 'drizzle-orm';
import { MEETING_TYPES } from '@rmeet/contract';
import { session } from '../../../src/modules/accounts/auth/tables.ts';
import { conference, conferenceCall, terminalSession } from '../../../src/modules/conferences/tables.ts';
import { terminalQuality } from '../../../src/modules/history/tables.ts';
import { broadcast, broadcastViewer } from '../../../src/modules/live/tables.ts';
import { meeting, meetingNumber } from '../../../src/modules/meetings/tables.ts';
import { recording } from '../../../src/modules/recordings/tables.ts';
import { resourceBooking } from '../../../src/modules/resources/tables.ts';
import { roomBooking } from '../../../src/modules/rooms/tables.ts';
import { drizzleOf, newId, type TenantTx } from '../../../src/platform/db/index.ts';
import { fresh } from './fresh.ts';
import type { TestServer } from './server.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
export const DEPARTMENTS = ['', '医院', '医院/外科', '医院/外科/一区', '医院/外科楼', '100%_院/a', 'Board'] as const;

interface Past {
  tenantId: string;
  /** Numbers of meetings begin with it. */
  prefix: number;
  meetings: number;
  /** The days before now that they are spread over. */
  days: number;
  random: () => number;
}

interface Place {
  hosts: string[];
  rooms: string[];
  resources: string[];
}

/** What one meeting was like. */
interface Made {
  id: string;
  host: string;
  type: (typeof MEETING_TYPES)[number];
  start: Date;
  minutes: number;
}

/** Hosts of all departments, rooms and resources of a tenant. */
async function makePlace(server: TestServer, tenantId: string): Promise<Place> {
  const hosts: string[] = [];
  for (const department of DEPARTMENTS)
    for (let n = 0; n < 2; n += 1) hosts.push(await fresh.account(server, tenantId, { department }));
  return {
    hosts,
    rooms: [await fresh.room(server, tenantId), await fresh.room(server, tenantId)],
    resources: [await fresh.resource(server, tenantId)],
  };
}

/**
 * A tenant's past: meetings of all types and departments with conferences, terminals, quality, calls, recordings,
 * broadcasts, rooms, resources and sign-ins, by a seeded generator.
 */
export async function makePast(server: TestServer, past: Past): Promise<void> {
  const { tenantId, meetings } = past;
  const place = await makePlace(server, tenantId);
  await server.db.tenant(tenantId, async (tx) => {
    for (let n = 0; n < meetings; n += 1) await addMeeting(tx, server, past, place, n);
    for (let n = 0; n < meetings; n += 1) await addSignIn(tx, server, past, place, n);
  });
}

const chosen = <T>(values: readonly T[], random: () => number): T => values[Math.floor(random() * values.length)] as T;

async function addMeeting(tx: TenantTx, server: TestServer, past: Past, place: Place, n: number): Promise<void> {
  const { random } = past;
  const now = server.clock.now().getTime();
  const made: Made = {
    id: newId(),
    host: chosen(place.hosts, random),
    type: chosen(MEETING_TYPES, random),
    // Not in the last hours, so that all conferences are over; down to the second, around midnight too.
    start: new Date(Math.floor((now - 6 * 3_600_000 - random() * past.days * DAY) / 1_000) * 1_000),
    minutes: 15 + Math.floor(random() * 90),
  };
  const number = String(past.prefix * 1_000_000 + n);
  const end = new Date(made.start.getTime() + made.minutes * MINUTE);
  const isCancelled = random() < 0.1;
  await tx.insert(meetingNumber, { number, kind: 'meeting', createdAt: made.start });
  await tx.insert(meeting, {
    id: made.id,
    number,
    type: made.type,
    subject: `Meeting ${n}`,
    startTime: made.start,
    duration: made.minutes,
    endTime: end,
    waitingRoom: true,
    hostId: made.host,
    status: 'OFFLINE',
    cancelledAt: isCancelled ? made.start : null,
    createdAt: made.start,
    updatedAt: made.start,
  });
  if (random() < 0.4) await addBookings(tx, place, made, random);
  if (!isCancelled) await addConference(tx, place, made, random);
}

async function addBookings(tx: TenantTx, place: Place, { id, start, minutes }: Made, random: () => number) {
  const endTime = new Date(start.getTime() + minutes * MINUTE);
  const isEarly = random() < 0.3;
  // Released before it began, or in the middle.
  const releasedAt = random() < 0.5 ? new Date(start.getTime() + (isEarly ? -MINUTE : 10 * MINUTE)) : null;
  await tx.insert(resourceBooking, {
    meetingId: id,
    resourceId: chosen(place.resources, random),
    ports: 1 + Math.floor(random() * 20),
    startTime: start,
    endTime,
    releasedAt,
  });
  // Rooms cannot be booked twice at a time, so only given back ones are certain to fit.
  if (releasedAt)
    await tx.insert(roomBooking, {
      id: newId(),
      meetingId: id,
      roomId: chosen(place.rooms, random),
      position: 0,
      startTime: start,
      endTime,
      releasedAt,
    });
}

async function addConference(tx: TenantTx, place: Place, made: Made, random: () => number): Promise<void> {
  const conferenceId = newId();
  const startedAt = new Date(made.start.getTime() + Math.floor(random() * 300_000));
  const endedAt = new Date(startedAt.getTime() + Math.floor(random() * made.minutes * MINUTE));
  await tx.insert(conference, {
    id: conferenceId,
    meetingId: made.id,
    type: made.type,
    startedAt,
    endedAt,
    endReason: 'ended',
    peakTerminals: Math.floor(random() * 9),
  });
  const terminals = Math.floor(random() * 5);
  for (let n = 0; n < terminals; n += 1) {
    const [inside, person] = [random() < 0.9, random()];
    const termId = `T${newId()}`;
    const at = new Date(startedAt.getTime() + Math.floor(random() * (endedAt.getTime() - startedAt.getTime())));
    await tx.insert(terminalSession, {
      termId,
      conferenceId,
      meetingId: made.id,
      accountId: person < 0.6 ? chosen(place.hosts, random) : null,
      deviceMark: person < 0.8 ? `mark ${Math.floor(random() * 12)}` : null,
      tokenHash: termId,
      name: 'Alice',
      role: 'member',
      state: 'left',
      deviceType: chosen([1, 3, 5], random),
      origin: '',
      createdAt: at,
      admittedAt: inside ? at : null,
      firstInsideAt: inside ? at : null,
      leftAt: new Date(at.getTime() + Math.floor(random() * 1_800_000)),
      lastSeenAt: at,
    });
    if (inside && random() < 0.7) await addQuality(tx, conferenceId, termId, at, random);
  }
  if (random() < 0.3) await addCall(tx, conferenceId, startedAt, random);
  if (random() < 0.3) await addRecording(tx, made, conferenceId, startedAt, random);
  if (made.type === 'LIVE_MEETING') await addBroadcast(tx, made.id, startedAt, random);
}

async function addQuality(tx: TenantTx, conferenceId: string, termId: string, at: Date, random: () => number) {
  const count = (most: number): number => Math.floor(random() * most);
  const value = (max: number) => ({ count: 1, sum: max, min: max, max });
  await tx.insert(terminalQuality, {
    termId,
    conferenceId,
    updatedAt: at,
    summary: {
      scores: { good: count(500), fair: count(100), poor: random() < 0.5 ? 0 : 1 + count(60) },
      measures: { loss: value(random() * 16), roundTrip: value(random() * 1_200) },
    },
  });
}

async function addCall(tx: TenantTx, conferenceId: string, at: Date, random: () => number): Promise<void> {
  const isDeclined = random() < 0.5;
  await tx.insert(conferenceCall, {
    conferenceId,
    target: `M${newId()}`,
    calledAt: at,
    calledBy: 'Chair',
    until: at,
    declinedAt: isDeclined ? at : null,
    overAt: at,
    mail: 'none',
  });
}

async function addRecording(tx: TenantTx, made: Made, conferenceId: string, at: Date, random: () => number) {
  await tx.insert(recording, {
    id: newId(),
    meetingId: made.id,
    conferenceId,
    hostId: made.host,
    subject: 'Recorded',
    state: 'ready',
    withTracks: false,
    startedAt: at,
    endedAt: at,
    duration: Math.floor(random() * 3_600_000),
    bytes: Math.floor(random() * 4e9),
    download: true,
    watermark: false,
  });
}

async function addBroadcast(tx: TenantTx, id: string, at: Date, random: () => number): Promise<void> {
  await tx.insert(broadcast, {
    id,
    state: 'ended',
    access: 'public',
    chat: 'off',
    slowSeconds: 0,
    questions: false,
    allowsLikes: false,
    watermark: false,
    announcement: '',
    replay: false,
    startedAt: at,
    endedAt: at,
    createdAt: at,
  });
  for (let n = Math.floor(random() * 3); n > 0; n -= 1)
    await tx.insert(broadcastViewer, {
      id: newId(),
      broadcastId: id,
      accountId: null,
      name: 'Bob',
      tokenHash: newId(),
      passwordVersion: 0,
      openedAt: at,
      lastSeenAt: at,
      watched: Math.floor(random() * 3_600_000),
    });
}

async function addSignIn(tx: TenantTx, server: TestServer, past: Past, place: Place, n: number): Promise<void> {
  const { random } = past;
  const at = new Date(server.clock.now().getTime() - 6 * 3_600_000 - random() * past.days * DAY);
  await tx.insert(session, {
    id: newId(),
    accountId: chosen(place.hosts, random),
    tokenHash: `past ${past.prefix} ${n}`,
    method: chosen(['PASSWORD', 'QR', 'SSO'] as const, random),
    address: `192.0.2.${Math.floor(random() * 250)}`,
    createdAt: at,
    lastSeenAt: at,
    expiresAt: new Date(at.getTime() + 7 * DAY),
    endedAt: at,
    endReason: 'logout',
  });
}

/** Rows of a statement of any form, across tenants. */
export async function rowsOf<R>(server: TestServer, query: ReturnType<typeof sql>): Promise<R[]> {
  return server.db.platform(async (tx) => ((await drizzleOf(tx).execute(query)) as { rows: unknown[] }).rows as R[]);
}
