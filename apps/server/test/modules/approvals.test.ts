import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ENTRY_TYPES, type ApprovalRules, type Meeting, type MeetingBody } from '@rmeet/contract';
import { approvalRequest, approvalRule } from '../../src/modules/approvals/tables.ts';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { meeting } from '../../src/modules/meetings/tables.ts';
import { notice } from '../../src/modules/notices/tables.ts';
import { accountPermission, permission } from '../../src/modules/accounts/permissions/tables.ts';
import { newId } from '../../src/platform/db/index.ts';
import { codeOf, signIn, type Person } from './support/client.ts';
import { fresh } from './support/fresh.ts';
import { book, invite } from './support/meetings.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let admin: Person;
/** Approves meetings, like dave in the other tenant. */
let chair: Person;
let alice: Person;
let bob: Person;
let dave: Person;
let north: string;

/** Gives people a code that none of their roles contains. */
async function grant(code: string, ...names: string[]): Promise<void> {
  await server.db.platform(async (tx) => {
    const entry = await tx.findOne(
      permission,
      and(eq(permission.code, code), eq(permission.type, ENTRY_TYPES.permission)),
    );
    for (const name of names) {
      const row = server.people.get(name);
      if (entry && row)
        await tx.insert(accountPermission, { tenantId: row.tenantId, accountId: row.id, permissionId: entry.id });
    }
  });
}

beforeAll(async () => {
  server = await startTestServer();
  north = server.people.get('admin')?.tenantId ?? '';
  await grant('sys:approve', 'chair', 'dave');
  await grant('sys:vipMeeting', 'alice', 'bob', 'chair');
  [admin, chair, alice, bob, dave] = [
    await signIn(server, 'admin'),
    await signIn(server, 'chair'),
    await signIn(server, 'alice'),
    await signIn(server, 'bob'),
    await signIn(server, 'dave'),
  ];
});
afterAll(() => server.close());
beforeEach(() =>
  server.db.platform(async (tx) => {
    await tx.update(meeting, { status: 'OFFLINE', cancelledAt: server.clock.now() }, eq(meeting.status, 'SCHEDULE'));
    await tx.delete(approvalRequest, eq(approvalRequest.tenantId, approvalRequest.tenantId));
    await tx.delete(approvalRule, eq(approvalRule.tenantId, approvalRule.tenantId));
  }),
);

const NONE: ApprovalRules = { all: false, types: [], vip: false, longerThan: null, morePeopleThan: null, version: 0 };
const rule = async (values: Partial<ApprovalRules>, who = admin): Promise<ApprovalRules> =>
  who.approvals.updateRules({ body: { ...NONE, version: (await who.approvals.rules()).version, ...values } });
const queue = async (query: object = {}, who = chair) => (await who.approvals.list({ query })).records;
const decide = (id: string, approve: boolean, more: object = {}, who = chair) =>
  who.approvals.decide({ params: { id }, body: { approve, ...more } });
const detail = (id: string, who = alice): Promise<Meeting> => who.meetings.detail({ params: { id } });
const edit = (before: Meeting, values: Partial<MeetingBody> & { version?: number }, who = alice): Promise<Meeting> =>
  who.meetings.update({
    params: { id: before.meetId },
    body: {
      subject: before.subject,
      startTime: before.startTime,
      duration: before.duration,
      password: before.password,
      vip: before.vip,
      resourceId: before.resource?.id ?? null,
      version: before.version,
      ...values,
    },
  });
const auditOf = (action: string) =>
  server.db.tenant(north, (tx) => tx.find(auditLog, eq(auditLog.action, action), { orderBy: auditLog.id }));
const noticesOf = async (name: string): Promise<string[]> =>
  (
    await server.db.tenant(north, (tx) =>
      tx.find(notice, eq(notice.accountId, server.people.get(name)?.id ?? ''), { orderBy: notice.id }),
    )
  ).map(({ kind }) => kind);

describe('the rules (GET and PUT meetings/approvals/rules)', () => {
  test('require nothing by default, and are changed in their newest version, with a row in the audit log', async () => {
    expect(await admin.approvals.rules()).toEqual(NONE);
    expect(await rule({ vip: true, longerThan: 120, types: ['VIDEO_MEETING', 'VIDEO_MEETING'] })).toEqual({
      ...NONE,
      vip: true,
      longerThan: 120,
      types: ['VIDEO_MEETING'],
      version: 1,
    });
    expect(await rule({ all: true })).toEqual({ ...NONE, all: true, version: 2 });
    for (const version of [0, 1, 3])
      expect(await codeOf(admin.approvals.updateRules({ body: { ...NONE, version } }))).toBe('CHANGED_MEANWHILE');
    expect((await auditOf('approvals.updateRules')).slice(-2)).toMatchObject([
      { targetName: 'north', after: { vip: true, longerThan: 120, types: ['VIDEO_MEETING'] } },
      { before: { all: false, vip: true }, after: { all: true, vip: false } },
    ]);
  });

  test('belong to one tenant, and only those who manage its settings change them', async () => {
    await rule({ all: true });
    expect(await dave.approvals.rules()).toEqual(NONE);
    for (const who of [alice, chair]) {
      expect(await codeOf(who.approvals.rules())).toBe('FORBIDDEN');
      expect(await codeOf(who.approvals.updateRules({ body: NONE }))).toBe('FORBIDDEN');
    }
  });

  test('decide which meetings wait: those of a type, important, long, or with many people', async () => {
    const people = { participants: invite(server, 'bob', 'carol') };
    const tries: [Partial<ApprovalRules>, Partial<MeetingBody>, Partial<MeetingBody>, string][] = [
      [{ types: ['NETWORK_MEETING'] }, {}, {}, 'type'],
      [{ vip: true }, { vip: true }, { vip: false }, 'vip'],
      [{ longerThan: 60 }, { duration: 61 }, { duration: 60 }, 'duration'],
      [{ morePeopleThan: 2 }, people, { participants: invite(server, 'bob') }, 'people'],
      [{ all: true }, {}, {}, 'all'],
    ];
    for (const [rules, needs, free, reason] of tries) {
      await rule(rules);
      const waiting = await book(server, alice, needs);
      expect(waiting).toMatchObject({
        approval: 'waiting',
        status: 'SCHEDULE',
        can: { edit: true, start: false, join: false },
      });
      expect((await queue()).find(({ meetId }) => meetId === waiting.meetId)).toMatchObject({
        reasons: [reason],
        state: 'waiting',
      });
      if (free !== needs && Object.keys(free).length > 0)
        expect(await book(server, alice, free)).toMatchObject({ approval: 'none' });
    }
    await rule({ types: ['VIDEO_MEETING'] });
    expect(await book(server, alice)).toMatchObject({ approval: 'none' });
  });

  test('require nothing of those who may approve', async () => {
    await rule({ all: true });
    expect(await book(server, chair)).toMatchObject({ approval: 'none', can: { start: true } });
    expect(await queue()).toEqual([]);
  });
});

describe('GET meetings/approvals', () => {
  test('lists waiting requests first, important ones on top, then by start; decided ones follow', async () => {
    await rule({ all: true });
    const roomId = await fresh.room(server, north, { name: 'Library' });
    const late = await book(server, alice, { subject: 'Late', startTime: server.clock.in(300) });
    const early = await book(server, alice, {
      subject: 'Early',
      startTime: server.clock.in(200),
      participants: invite(server, 'bob', 'carol'),
      roomIds: [roomId],
    });
    const important = await book(server, bob, { subject: 'Important', startTime: server.clock.in(400), vip: true });
    const done = await book(server, bob, { subject: 'Done', startTime: server.clock.in(100) });
    await decide(done.meetId, true);
    expect((await queue()).map(({ subject }) => subject)).toEqual(['Important', 'Early', 'Late', 'Done']);
    expect((await queue())[1]).toEqual({
      meetId: early.meetId,
      numericId: early.numericId,
      type: 'NETWORK_MEETING',
      subject: 'Early',
      agenda: '',
      host: { userId: early.host.userId, name: 'Alice', department: '外科' },
      startTime: early.startTime,
      duration: 60,
      timeZone: 'UTC',
      series: null,
      vip: false,
      people: 3,
      rooms: [expect.objectContaining({ name: 'Library' })],
      resource: null,
      reasons: ['all'],
      state: 'waiting',
      askedAt: server.clock.in(0),
      decidedAt: null,
      decidedBy: null,
      note: '',
      version: 1,
    });
    expect((await queue({ state: 'waiting' })).map(({ meetId }) => meetId)).toEqual([
      important.meetId,
      early.meetId,
      late.meetId,
    ]);
    expect((await queue({ state: 'approved' })).map(({ subject }) => subject)).toEqual(['Done']);
    expect((await queue({ keyword: 'EARL' })).map(({ subject }) => subject)).toEqual(['Early']);
    expect((await queue({ keyword: late.numericId })).map(({ subject }) => subject)).toEqual(['Late']);
    expect(await chair.approvals.list({ query: { size: 1, current: 2 } })).toMatchObject({
      total: 4,
      records: [{ subject: 'Early' }],
    });
    await alice.meetings.cancel({ params: { id: late.meetId }, query: {} });
    expect(await queue({ state: 'waiting' })).toHaveLength(2);
    expect(await queue({}, dave)).toEqual([]);
    for (const who of [alice, admin]) expect(await codeOf(queue({}, who))).toBe('FORBIDDEN');
  });
});

describe('POST meetings/approvals/{id}', () => {
  test('approves a meeting, which can be opened then, and only now people are invited', async () => {
    await rule({ all: true });
    const { meetId } = await book(server, alice, {
      subject: 'Approved',
      startTime: server.clock.in(10),
      participants: invite(server, 'bob'),
    });
    const before = await noticesOf('bob');
    expect(await codeOf(alice.meetings.start({ params: { id: meetId }, body: { early: true } }))).toBe(
      'MEETING_NOT_APPROVED',
    );
    expect(await decide(meetId, true, { note: 'Fine', version: 1 })).toMatchObject({
      meetId,
      state: 'approved',
      decidedAt: server.clock.in(0),
      decidedBy: { name: 'Chair' },
      note: 'Fine',
    });
    expect(await noticesOf('bob')).toEqual([...before, 'invitation']);
    expect(await detail(meetId)).toMatchObject({ approval: 'approved', can: { start: true } });
    expect((await auditOf('approvals.decide')).at(-1)).toMatchObject({
      targetId: meetId,
      actorName: 'Chair',
      before: { approval: 'waiting' },
      after: { approval: 'approved', note: 'Fine' },
    });
    expect(await alice.meetings.start({ params: { id: meetId }, body: { early: true } })).toMatchObject({ meetId });
    await alice.conferences.end({ params: { meetId } });
  });

  test('refuses a meeting, which releases its rooms and resource; its next edit asks again', async () => {
    await rule({ all: true });
    const [roomId, resourceId] = [await fresh.room(server, north), await fresh.resource(server, north, { ports: 1 })];
    const body = { startTime: server.clock.in(60), roomIds: [roomId], resourceId };
    const held = await book(server, alice, body);
    expect(held).toMatchObject({ approval: 'waiting', rooms: [{ id: roomId }], resource: { id: resourceId } });
    expect(await codeOf(book(server, bob, { ...body, resourceId: null }))).toBe('ROOM_TAKEN');
    expect(await codeOf(book(server, bob, { ...body, roomIds: [] }))).toBe('RESOURCE_FULL');
    await decide(held.meetId, false, { note: 'Not this week' });
    const refused = await detail(held.meetId);
    expect(refused).toMatchObject({
      approval: 'refused',
      status: 'SCHEDULE',
      rooms: [],
      resource: null,
      can: { edit: true, start: false, join: false },
    });
    expect(await queue({ state: 'refused' })).toMatchObject([{ meetId: held.meetId, note: 'Not this week' }]);
    expect(await codeOf(alice.resources.assign({ params: { id: held.meetId }, body: { resource: resourceId } }))).toBe(
      'MEETING_NOT_APPROVED',
    );
    expect(await edit(refused, { roomIds: [roomId], resourceId })).toMatchObject({
      approval: 'waiting',
      rooms: [{ id: roomId }],
      resource: { id: resourceId },
    });
    expect(await queue({ state: 'waiting' })).toMatchObject([{ meetId: held.meetId, note: '', decidedBy: null }]);
  });

  test('decides only the version shown, only once, and only before the start of the meeting', async () => {
    await rule({ all: true });
    const { meetId, ...waiting } = await book(server, alice, { startTime: server.clock.in(30) });
    await edit({ meetId, ...waiting }, { duration: 90 });
    expect(await codeOf(decide(meetId, true, { version: 1 }))).toBe('MEETING_CONFLICT');
    await decide(meetId, true, { version: 2 });
    for (const approve of [true, false]) expect(await codeOf(decide(meetId, approve))).toBe('APPROVAL_DECIDED');
    const late = await book(server, alice, { startTime: server.clock.in(30) });
    const { meetId: free } = await book(server, chair);
    server.clock.advance({ minutes: 30 });
    expect(await codeOf(decide(late.meetId, true))).toBe('APPROVAL_DECIDED');
    const cancelled = await book(server, alice);
    await alice.meetings.cancel({ params: { id: cancelled.meetId }, query: {} });
    for (const unknown of [newId(), free, cancelled.meetId])
      expect(await codeOf(decide(unknown, true))).toBe('NOT_FOUND');
  });

  test('of approvers who decide at once only one decides', async () => {
    await rule({ all: true });
    const { meetId } = await book(server, alice);
    const codes = await Promise.all(
      Array.from({ length: 20 }, async (_, at) => codeOf(decide(meetId, at % 2 === 0)).catch(() => 'OK')),
    );
    expect(codes.filter((code) => code === 'OK')).toHaveLength(1);
    expect(new Set(codes)).toEqual(new Set(['OK', 'APPROVAL_DECIDED']));
  });

  test('is NOT_FOUND for other tenants, and FORBIDDEN without the right', async () => {
    await rule({ all: true });
    const { meetId } = await book(server, alice);
    expect(await codeOf(decide(meetId, true, {}, dave))).toBe('NOT_FOUND');
    for (const who of [alice, admin]) expect(await codeOf(decide(meetId, true, {}, who))).toBe('FORBIDDEN');
    expect(await detail(meetId)).toMatchObject({ approval: 'waiting' });
  });
});

describe('an edit', () => {
  test('of what the rules look at asks again, any other edit does not', async () => {
    await rule({ vip: true, longerThan: 60 });
    let approved = await book(server, alice, { vip: true, duration: 90 });
    await decide(approved.meetId, true);
    approved = await edit(await detail(approved.meetId), {
      subject: 'Another subject',
      startTime: server.clock.in(200),
    });
    expect(approved.approval).toBe('approved');
    const longer = await edit(approved, { duration: 120 });
    expect(longer.approval).toBe('waiting');
    await decide(longer.meetId, true);
    expect(await edit(await detail(longer.meetId), { vip: false, duration: 30 })).toMatchObject({
      approval: 'approved',
    });
    expect(await queue()).toMatchObject([{ state: 'approved', vip: false, duration: 30 }]);
    expect(await edit(await detail(longer.meetId), { vip: true, duration: 120 })).toMatchObject({
      approval: 'approved',
    });
    expect(await edit(await detail(longer.meetId), { vip: true, duration: 130 })).toMatchObject({
      approval: 'waiting',
    });
  });

  test('of the time asks again, too, if everything needs approval', async () => {
    await rule({ all: true });
    const { meetId } = await book(server, alice);
    await decide(meetId, true);
    expect(await edit(await detail(meetId), { subject: 'Another subject' })).toMatchObject({ approval: 'approved' });
    expect(await edit(await detail(meetId), { startTime: server.clock.in(200) })).toMatchObject({
      approval: 'waiting',
    });
  });

  test('of a waiting meeting keeps its place in the queue, and leaves it if no rule applies any more', async () => {
    await rule({ vip: true });
    const waiting = await book(server, alice, { vip: true });
    const askedAt = server.clock.in(0);
    server.clock.advance({ minutes: 1 });
    const edited = await edit(waiting, { duration: 45 });
    expect(await queue()).toMatchObject([{ meetId: waiting.meetId, askedAt, duration: 45 }]);
    await rule({});
    expect(await edit(edited, { duration: 30 })).toMatchObject({ approval: 'none' });
  });
});

describe('the clock', () => {
  test('closes undecided meetings at their start, and releases their rooms and resources', async () => {
    await rule({ all: true });
    const resourceId = await fresh.resource(server, north, { ports: 1 });
    const roomId = await fresh.room(server, north);
    const waiting = await book(server, alice, { startTime: server.clock.in(10), roomIds: [roomId], resourceId });
    expect(await server.rounds.lapseApprovals()).toBe(0);
    server.clock.advance({ minutes: 10 });
    expect(await server.rounds.lapseApprovals()).toBe(1);
    expect(await detail(waiting.meetId)).toMatchObject({
      status: 'OFFLINE',
      approval: 'waiting',
      can: { edit: false, start: false },
    });
    expect(await queue()).toMatchObject([{ meetId: waiting.meetId, state: 'lapsed' }]);
    expect(await queue({ state: 'lapsed' })).toHaveLength(1);
    expect(await queue({ state: 'waiting' })).toEqual([]);
    expect(await codeOf(decide(waiting.meetId, true))).toBe('APPROVAL_DECIDED');
    expect(await book(server, chair, { startTime: server.clock.in(10), roomIds: [roomId], resourceId })).toMatchObject({
      rooms: [{ id: roomId }],
      resource: { id: resourceId },
    });
  });
});
