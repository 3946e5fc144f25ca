import { sql, type SQL } from 'drizzle-orm';
import { MEETING_TYPES, type StatisticFigures } from '@rmeet/contract';
import { unitOf } from '../../../src/modules/statistics/calendar.ts';
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

/** A part of the figures. */
export interface Cut {
  from: string;
  to: string;
  department?: string;
  type?: (typeof MEETING_TYPES)[number];
  tenantId?: string;
}

/** What the details say of a cut, in plain SQL that shares nothing with the product. */
export async function figuresOfDetails(
  server: TestServer,
  { tenantId, zone, from, to, department, type }: Cut & { tenantId: string; zone: string },
): Promise<Partial<StatisticFigures>> {
  const on = (at: SQL): SQL => sql`(${at} at time zone ${zone})::date between ${from}::date and ${to}::date`;
  const inside = (column: SQL): SQL =>
    department === undefined
      ? sql`true`
      : sql`(${column} = ${department} or left(${column}, length(${department}) + 1) = ${department} || '/')`;
  const ofType = (column: SQL): SQL => (type === undefined ? sql`true` : sql`${column} = ${type}`);
  const booked = sql`meeting m join account a on a.id = m.host_id where m.tenant_id = ${tenantId}::uuid and
    ${inside(sql`a.department`)} and ${ofType(sql`m.type`)}`;
  const held = sql`select c.* from conference c, ${booked} and m.id = c.meeting_id and ${on(sql`c.started_at`)}`;
  /** The columns of the only row of a statement, as numbers. */
  const one = async (query: SQL) => {
    const [row] = await rowsOf<Record<string, unknown>>(server, query);
    return (name: string): number => Number(row?.[name] ?? 0);
  };
  const minutes = (seconds: number): number => Math.round((seconds * 10) / 60) / 10;
  const b = await one(sql`select count(*) n, count(m.cancelled_at) c from ${booked} and ${on(sql`m.start_time`)}`);
  const c = await one(sql`select count(*) n, sum(round(extract(epoch from ended_at - started_at))) s,
    max(peak_terminals) p from (${held}) h`);
  const t = await one(sql`select count(*) n,
    sum(round(extract(epoch from greatest(s.left_at - s.first_inside_at, interval '0')))) s,
    count(distinct coalesce(s.account_id::text, s.device_mark, s.term_id)) p
    from (${held}) h join terminal_session s on s.conference_id = h.id where s.first_inside_at is not null`);
  const k = await one(sql`select count(*) n, count(x.declined_at) d from (${held}) h
    join conference_call x on x.conference_id = h.id`);
  const r = await one(sql`select count(*) n, sum(round(r.duration / 1000.0)) s, sum(r.bytes) y from recording r,
    ${booked} and m.id = r.meeting_id and ${on(sql`r.started_at`)}`);
  const l = await one(sql`select count(distinct l.id) n, count(v.id) v, sum(round(v.watched / 1000.0)) s
    from ${sql`(select l.* from broadcast l, ${booked} and m.id = l.id and ${on(sql`l.started_at`)}) l`}
    left join broadcast_viewer v on v.broadcast_id = l.id`);
  const o = await one(sql`select count(*) n, count(distinct o.room_id) r,
    sum(extract(epoch from least(coalesce(o.released_at, o.end_time), o.end_time) - o.start_time)) s
    from room_booking o, ${booked} and m.id = o.meeting_id and ${on(sql`o.start_time`)}
    and (o.released_at is null or o.released_at > o.start_time)`);
  const e = await one(sql`select count(*) n, sum(e.ports *
    extract(epoch from least(coalesce(e.released_at, e.end_time), e.end_time) - e.start_time)) s
    from resource_booking e, ${booked} and m.id = e.meeting_id and ${on(sql`e.start_time`)}
    and (e.released_at is null or e.released_at > e.start_time)`);
  const q = await one(sql`select sum((q.summary -> 'scores' ->> 'good')::int * 2) g,
    sum((q.summary -> 'scores' ->> 'fair')::int * 2) f, sum((q.summary -> 'scores' ->> 'poor')::int * 2) p
    from terminal_quality q join terminal_session s on s.term_id = q.term_id join conference c on c.id =
    s.conference_id left join account w on w.id = s.account_id where c.tenant_id = ${tenantId}::uuid and
    ${on(sql`c.started_at`)} and ${inside(sql`coalesce(w.department, '')`)} and ${ofType(sql`c.type`)}`);
  const i = await one(sql`select count(*) n from session s join account a on a.id = s.account_id
    where s.tenant_id = ${tenantId}::uuid and ${on(sql`s.created_at`)} and ${inside(sql`a.department`)}`);
  return {
    booked: b('n'),
    cancelled: b('c'),
    meetings: c('n'),
    minutes: minutes(c('s')),
    peak: c('p'),
    terminals: t('n'),
    terminalMinutes: minutes(t('s')),
    people: unitOf({ from, to }) === null ? null : t('p'),
    calls: k('n'),
    declined: k('d'),
    recordings: r('n'),
    recordedMinutes: minutes(r('s')),
    recordedBytes: r('y'),
    broadcasts: l('n'),
    viewers: l('v'),
    watchedMinutes: minutes(l('s')),
    rooms: o('r'),
    roomBookings: o('n'),
    roomMinutes: minutes(o('s')),
    resourceBookings: e('n'),
    portMinutes: minutes(e('s')),
    goodMinutes: minutes(q('g')),
    fairMinutes: minutes(q('f')),
    badMinutes: minutes(q('p')),
    signIns: type === undefined ? i('n') : null,
  };
}
