import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ENTRY_TYPES, type ApprovalRules, type BookingBody, type Meeting } from '@rmeet/contract';
import { approvalRequest, approvalRule } from '../../src/modules/approvals/tables.ts';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { meeting } from '../../src/modules/meetings/tables.ts';
import { accountPermission, permission } from '../../src/modules/accounts/permissions/tables.ts';
import { roomBooking } from '../../src/modules/rooms/tables.ts';
import { codeOf, signIn, type Person } from './support/client.ts';
import { fresh } from './support/fresh.ts';
import { book } from './support/meetings.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let admin: Person;
let chair: Person;
let alice: Person;
let north: string;

beforeAll(async () => {
  server = await startTestServer();
  north = server.people.get('admin')?.tenantId ?? '';
  await server.db.platform(async (tx) => {
    const entry = await tx.findOne(
      permission,
      and(eq(permission.code, 'sys:approve'), eq(permission.type, ENTRY_TYPES.permission)),
    );
    if (entry)
      await tx.insert(accountPermission, {
        tenantId: north,
        accountId: server.people.get('chair')?.id ?? '',
        permissionId: entry.id,
      });
  });
  [admin, chair, alice] = [await signIn(server, 'admin'), await signIn(server, 'chair'), await signIn(server, 'alice')];
});
afterAll(() => server.close());
beforeEach(() =>
  server.db.platform(async (tx) => {
    await tx.update(meeting, { status: 'OFFLINE', cancelledAt: server.clock.now() }, eq(meeting.status, 'SCHEDULE'));
    await tx.delete(approvalRequest, eq(approvalRequest.tenantId, approvalRequest.tenantId));
    await tx.delete(approvalRule, eq(approvalRule.tenantId, approvalRule.tenantId));
  }),
);

const DAY = 24 * 60;
const rule = async (values: Partial<ApprovalRules>): Promise<ApprovalRules> =>
  admin.approvals.updateRules({
    body: {
      all: false,
      types: [],
      vip: false,
      longerThan: null,
      morePeopleThan: null,
      version: (await admin.approvals.rules()).version,
      ...values,
    },
  });
const queue = async (query: object = {}) => (await chair.approvals.list({ query })).records;
const decide = (id: string, approve: boolean, more: object = {}) =>
  chair.approvals.decide({ params: { id }, body: { approve, ...more } });
const bookSeries = (body: Partial<BookingBody> = {}): Promise<Meeting> =>
  alice.meetings.createNetwork({
    body: {
      subject: 'Daily round',
      startTime: server.clock.in(60),
      duration: 30,
      password: '4821',
      recurrence: { rule: 'FREQ=DAILY;COUNT=3' },
      ...body,
    },
  });
const meetingsOf = async (made: Meeting): Promise<Meeting[]> =>
  (await alice.meetings.list({ query: { size: 100 } })).records
    .filter(({ series }) => series?.id === made.series?.id)
    .toSorted((one, other) => one.startTime.localeCompare(other.startTime));
const move = (before: Meeting, minutes: number, more: object = {}): Promise<Meeting> =>
  alice.meetings.update({
    params: { id: before.meetId },
    body: {
      subject: before.subject,
      duration: before.duration,
      password: before.password,
      version: before.version,
      scope: 'one',
      startTime: new Date(Date.parse(before.startTime) + minutes * 60_000).toISOString(),
      ...more,
    },
  });

describe('a series in the queue', () => {
  test('is one row with the number of its meetings and their period, beside single meetings', async () => {
    await rule({ all: true });
    const made = await bookSeries({ startTime: server.clock.in(120) });
    const single = await book(server, alice, { subject: 'Single', startTime: server.clock.in(60) });
    const [first, second, ...others] = await queue();
    expect(others).toEqual([]);
    expect(first).toMatchObject({ meetId: single.meetId, series: null });
    expect(second).toMatchObject({
      meetId: made.meetId,
      subject: 'Daily round',
      startTime: server.clock.in(120),
      state: 'waiting',
      series: { seriesId: made.series?.id, meetings: 3, lastStart: server.clock.in(120 + 2 * DAY) },
    });
    expect(await chair.approvals.list({ query: { size: 1, current: 2 } })).toMatchObject({
      total: 2,
      records: [{ subject: 'Daily round' }],
    });
    expect(await queue({ keyword: 'daily' })).toHaveLength(1);
    expect((await chair.approvals.list({ query: { state: 'waiting', size: 1 } })).total).toBe(2);
  });

  test('is decided at once, and leaves one row in the audit log', async () => {
    await rule({ all: true });
    const made = await bookSeries();
    expect(await decide(made.meetId, true, { note: 'All of them', version: made.version })).toMatchObject({
      meetId: made.meetId,
      state: 'approved',
      series: { meetings: 3 },
    });
    expect((await meetingsOf(made)).map(({ approval }) => approval)).toEqual(['approved', 'approved', 'approved']);
    expect(await queue()).toMatchObject([
      { meetId: made.meetId, state: 'approved', note: 'All of them', series: { meetings: 3 } },
    ]);
    const rows = await server.db.tenant(north, (tx) =>
      tx.find(auditLog, eq(auditLog.action, 'approvals.decide'), { orderBy: auditLog.id }),
    );
    expect(rows).toHaveLength(1);
    expect(rows.at(-1)).toMatchObject({
      targetId: made.meetId,
      after: { approval: 'approved', note: 'All of them', meetings: 3 },
    });
    expect(await codeOf(decide(made.meetId, false))).toBe('APPROVAL_DECIDED');
  });

  test('is decided through any of its meetings, and releases all its rooms when refused', async () => {
    await rule({ all: true });
    const roomId = await fresh.room(server, north);
    const made = await bookSeries({ roomIds: [roomId] });
    const [, , last] = await meetingsOf(made);
    expect(await decide(last?.meetId ?? '', false)).toMatchObject({
      meetId: made.meetId,
      state: 'refused',
      series: { meetings: 3 },
    });
    expect((await meetingsOf(made)).map(({ approval, rooms }) => [approval, rooms.length])).toEqual([
      ['refused', 0],
      ['refused', 0],
      ['refused', 0],
    ]);
    const held = await server.db.tenant(north, (tx) => tx.find(roomBooking, eq(roomBooking.roomId, roomId)));
    expect(held.filter(({ releasedAt }) => releasedAt === null)).toEqual([]);
  });

  test('does not decide a meeting that was changed separately', async () => {
    await rule({ all: true });
    const made = await bookSeries();
    const [, second] = await meetingsOf(made);
    if (!second) throw new Error('There is no second meeting.');
    const moved = await move(second, 90);
    expect((await queue()).map(({ meetId, series }) => [meetId, series?.meetings])).toEqual([
      [made.meetId, 2],
      [moved.meetId, undefined],
    ]);
    await decide(made.meetId, true);
    expect((await meetingsOf(made)).map(({ approval }) => approval)).toEqual(['approved', 'waiting', 'approved']);
    await decide(moved.meetId, false);
    expect((await meetingsOf(made)).map(({ approval }) => approval)).toEqual(['approved', 'refused', 'approved']);
  });

  test('is decided in the version shown: an edit is reported, and only one of two approvers decides', async () => {
    await rule({ all: true });
    const made = await bookSeries();
    const edited = await alice.meetings.update({
      params: { id: made.meetId },
      body: {
        subject: 'Longer round',
        startTime: made.startTime,
        duration: 45,
        password: '4821',
        version: made.version,
        scope: 'all',
      },
    });
    expect(await codeOf(decide(made.meetId, true, { version: made.version }))).toBe('MEETING_CONFLICT');
    const rows = await meetingsOf(edited);
    const codes = await Promise.all(
      Array.from({ length: 12 }, (_, at) => codeOf(decide(rows[at % 3]?.meetId ?? '', at % 2 === 0)).catch(() => 'OK')),
    );
    expect(codes.filter((code) => code === 'OK')).toHaveLength(1);
    expect(new Set((await meetingsOf(edited)).map(({ approval }) => approval)).size).toBe(1);
  });

  test('expires meeting by meeting, and the others can still be approved', async () => {
    await rule({ all: true });
    const made = await bookSeries({ startTime: server.clock.in(10) });
    server.clock.advance({ minutes: 10 });
    expect(await server.rounds.lapseApprovals()).toBe(1);
    const [waiting, lapsed, ...others] = await queue();
    expect(others).toEqual([]);
    expect(lapsed).toMatchObject({ meetId: made.meetId, state: 'lapsed', series: { meetings: 1 } });
    expect(waiting).toMatchObject({ state: 'waiting', series: { meetings: 2 } });
    expect(await codeOf(decide(made.meetId, true))).toBe('APPROVAL_DECIDED');
    await decide(waiting?.meetId ?? '', true);
    expect((await meetingsOf(made)).map(({ approval, status }) => [approval, status])).toEqual([
      ['waiting', 'OFFLINE'],
      ['approved', 'SCHEDULE'],
      ['approved', 'SCHEDULE'],
    ]);
  });
});
