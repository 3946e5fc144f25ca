import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tenant } from '../../../src/modules/accounts/tenants/tables.ts';
import { auditLog } from '../../../src/modules/audit/tables.ts';
import { conference } from '../../../src/modules/conferences/tables.ts';
import { recording } from '../../../src/modules/recordings/tables.ts';
import { codeOf, signIn, type Person } from '../support/client.ts';
import { bookLive, openLive, spansOf } from '../support/live.ts';
import { invite } from '../support/meetings.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let alice: Person;
let bob: Person;
let carol: Person;
let admin: Person;
beforeAll(async () => {
  server = await startTestServer();
  [alice, bob, carol, admin] = await Promise.all([
    signIn(server, 'alice'),
    signIn(server, 'bob'),
    signIn(server, 'carol'),
    signIn(server, 'admin'),
  ]);
});
afterAll(() => server.close());

const about = (id: string) => ({ params: { id } });
const idOf = (name: string): string => server.people.get(name)?.id ?? '';
const recordingOf = (meetingId: string) =>
  server.db.platform((tx) => tx.find(recording, eq(recording.meetingId, meetingId), { orderBy: recording.startedAt }));
/** What people in the conference see of the broadcast. */
const shownIn = async (meetingId: string) =>
  (await server.db.platform((tx) => tx.findOne(conference, eq(conference.meetingId, meetingId))))?.control.broadcast;

describe('a live meeting', () => {
  test('is booked with its broadcast, and its guest link is the watch page', async () => {
    const meeting = await bookLive(server, alice, { chat: 'held', access: 'password', password: 'town-hall' });
    const link = `${server.publicUrl}/#/live/${meeting.meetId}`;
    expect(meeting).toMatchObject({ type: 'LIVE_MEETING', guestUrl: link, config: { watchUrl: link } });
    expect(meeting.config.url).toContain(`/#/join?number=${meeting.numericId}`);
    expect(await alice.broadcasts.detail(about(meeting.meetId))).toMatchObject({
      id: meeting.meetId,
      subject: 'Town hall',
      state: 'scheduled',
      isReady: false,
      setting: { chat: 'held', access: 'password', questions: true },
      hasPassword: true,
      link,
      can: { manage: true, run: true },
    });
    expect(await alice.broadcasts.getLiveLink({ query: { meetId: meeting.meetId } })).toEqual({
      id: meeting.meetId,
      link,
      state: 'scheduled',
    });
  });

  test('needs a password for access by password, known accounts for its white list, and no encryption', async () => {
    expect(await codeOf(bookLive(server, alice, { access: 'password' }))).toBe('BROADCAST_PASSWORD_REQUIRED');
    const unknown = { access: 'whiteList' as const, whiteList: [idOf('dave')] };
    expect(await codeOf(bookLive(server, alice, unknown))).toBe('PARTICIPANT_UNKNOWN');
    expect(await codeOf(bookLive(server, alice, {}, { e2ee: true }))).toBe('E2EE_UNSUPPORTED');
  });

  test('of a series has a broadcast each, also one that an edit adds', async () => {
    const weekly = (count: number) => ({ rule: `FREQ=WEEKLY;COUNT=${count}`, except: [] });
    const first = await bookLive(
      server,
      alice,
      { announcement: 'Welcome', access: 'whiteList', whiteList: [idOf('bob')] },
      { subject: 'Weekly', startTime: server.clock.in(60), recurrence: weekly(2) },
    );
    const all = async () =>
      (await alice.broadcasts.list({ query: { keyword: 'Weekly' } })).records.map(
        ({ setting }) => setting.announcement,
      );
    expect(await all()).toEqual(['Welcome', 'Welcome']);
    await alice.meetings.update({
      params: { id: first.meetId },
      body: {
        subject: 'Weekly',
        startTime: first.startTime,
        duration: 60,
        password: '4821',
        version: first.version,
        scope: 'all',
        recurrence: weekly(3),
      },
    });
    expect(await all()).toEqual(['Welcome', 'Welcome', 'Welcome']);
    expect((await bob.broadcasts.list({ query: { keyword: 'Weekly' } })).total).toBe(3);
    await alice.meetings.cancel({ params: { id: first.meetId }, query: { scope: 'one' } });
    expect(await all()).toHaveLength(2);
    expect(await codeOf(alice.broadcasts.detail(about(first.meetId)))).toBe('NOT_FOUND');
  });
});

describe('a broadcast is listed', () => {
  test('for its host, those invited, those it is open to, and administrators', async () => {
    const subject = 'Listed';
    const body = { subject, participants: invite(server, 'bob') };
    await bookLive(server, alice, { access: 'password', password: 'town-hall' }, body);
    await bookLive(server, alice, { access: 'whiteList', whiteList: [idOf('carol')] }, { subject });
    await bookLive(server, alice, { access: 'organisation' }, { subject });
    const count = async (who: Person) => (await who.broadcasts.list({ query: { keyword: subject } })).total;
    expect([await count(alice), await count(bob), await count(carol), await count(admin)]).toEqual([3, 2, 2, 3]);
    expect(await count(await signIn(server, 'dave'))).toBe(0);
  });

  test('by its state, in the order asked for', async () => {
    const made = await openLive(server, alice, {}, { subject: 'In order A' });
    await bookLive(server, alice, {}, { subject: 'In order B' });
    await made.act('START');
    const list = async (query: Parameters<Person['broadcasts']['list']>[0]['query']) =>
      (await alice.broadcasts.list({ query: { keyword: 'In order', ...query } })).records.map(({ subject }) => subject);
    expect(await list({ sort: 'subject', order: 'asc' })).toEqual(['In order A', 'In order B']);
    expect(await list({ scope: 'onAir' })).toEqual(['In order A']);
    expect(await list({ scope: 'upcoming' })).toEqual(['In order B']);
    await made.act('END');
    expect(await list({ scope: 'past' })).toEqual(['In order A']);
  });
});

test('those who manage a broadcast change its settings, and the audit log has no password', async () => {
  const { meetId: id } = await bookLive(server, alice, {}, { participants: invite(server, 'bob') });
  const named = { access: 'whiteList' as const, whiteList: [idOf('carol'), idOf('carol')] };
  expect(await alice.broadcasts.change({ ...about(id), body: named })).toMatchObject({
    setting: { access: 'whiteList', chat: 'open' },
    whiteList: [{ userId: idOf('carol') }],
  });
  expect((await bob.broadcasts.detail(about(id))).whiteList).toEqual([]);
  expect(await codeOf(bob.broadcasts.change({ ...about(id), body: {} }))).toBe('FORBIDDEN');
  expect(await codeOf(alice.broadcasts.change({ ...about(id), body: { access: 'password' } }))).toBe(
    'BROADCAST_PASSWORD_REQUIRED',
  );
  await admin.broadcasts.change({ ...about(id), body: { access: 'password', password: 'town-hall' } });
  const rows = await server.db.platform((tx) => tx.find(auditLog, eq(auditLog.targetId, id), { orderBy: auditLog.id }));
  expect(rows.at(-1)).toMatchObject({
    action: 'broadcasts.change',
    before: { access: 'whiteList' },
    after: { access: 'password', password: '***' },
  });
});

describe('on air', () => {
  test('the conference is recorded and sees that it is broadcast, and the end leaves what was on air', async () => {
    const { id, act } = await openLive(server, alice);
    const begun = server.clock.now();
    const control = () => shownIn(id);
    expect((await act('START')).state).toBe('onAir');
    expect(await control()).toEqual({ id, status: 'onAir', startedAt: begun.toISOString() });
    server.clock.advance({ seconds: 10 });
    expect((await act('PAUSE')).state).toBe('paused');
    expect((await control())?.status).toBe('paused');
    expect((await recordingOf(id)).map(({ wish }) => wish)).toEqual(['record']);
    server.clock.advance({ seconds: 20 });
    await act('RESUME');
    // Nothing happens twice.
    await act('RESUME');
    server.clock.advance({ seconds: 5 });
    expect((await act('END')).state).toBe('ended');
    expect(await control()).toBe(null);
    expect(await spansOf(server, id, begun)).toEqual([
      [0, 10],
      [30, 35],
    ]);
    expect(await recordingOf(id)).toMatchObject([
      { wish: 'stop', edit: { start: null, end: 35_000, cuts: [{ from: 10_000, to: 30_000 }] } },
    ]);
    expect((await act('START')).state).toBe('ended');
  });

  test('needs a running conference', async () => {
    const { meetId: id } = await bookLive(server, alice);
    const start = { ...about(id), body: { action: 'START' as const } };
    expect(await codeOf(alice.broadcasts.act(start))).toBe('BROADCAST_NOT_RUNNING');
  });

  test('needs recordings', async () => {
    const { act } = await openLive(server, alice);
    const allow = (recordings: boolean) =>
      server.db.platform((tx) =>
        tx.update(tenant, { recordings }, eq(tenant.tenantId, server.people.get('alice')?.tenantId ?? '')),
      );
    await allow(false);
    const refusal = await codeOf(act('START'));
    await allow(true);
    expect(refusal).toBe('RECORDING_OFF');
    expect((await act('START')).state).toBe('onAir');
  });

  test('joins a recording that runs, which goes on after the end', async () => {
    const { id, act } = await openLive(server, alice);
    const record = (action: 'START' | 'PAUSE') => alice.conferences.setConfRecord({ query: { meetId: id, action } });
    await record('START');
    server.clock.advance({ seconds: 7 });
    await act('START');
    expect(await recordingOf(id)).toHaveLength(1);
    server.clock.advance({ seconds: 3 });
    await act('END');
    expect(await recordingOf(id)).toMatchObject([{ wish: 'record', edit: { start: 7_000, end: 10_000, cuts: [] } }]);
  });

  test('pauses when people pause or stop the recording, and continues with it', async () => {
    const { id, act } = await openLive(server, alice);
    const begun = server.clock.now();
    await act('START');
    const state = async () => (await alice.broadcasts.detail(about(id))).state;
    for (const action of ['PAUSE', 'STOP'] as const) {
      server.clock.advance({ seconds: 10 });
      await alice.conferences.setConfRecord({ query: { meetId: id, action } });
      expect(await state()).toBe('paused');
      expect((await shownIn(id))?.status).toBe('paused');
      server.clock.advance({ seconds: 10 });
      await act('RESUME');
    }
    server.clock.advance({ seconds: 4 });
    await act('END');
    expect(await spansOf(server, id, begun)).toEqual([
      [0, 10],
      [20, 30],
      [40, 44],
    ]);
    const [first, second] = await recordingOf(id);
    expect([first?.edit?.end, second?.edit?.end]).toEqual([30_000, 4_000]);
    // The replay is the recording with most of it.
    expect((await alice.broadcasts.detail(about(id))).recordingId).toBe(first?.id);
  });

  test('ends with its conference', async () => {
    const { id, act } = await openLive(server, alice);
    await act('START');
    server.clock.advance({ seconds: 10 });
    await alice.conferences.end({ params: { meetId: id } });
    expect(await alice.broadcasts.detail(about(id))).toMatchObject({
      state: 'ended',
      endedAt: server.clock.now().toISOString(),
      isReady: false,
    });
  });

  test('is the business of those who manage it and have the permission', async () => {
    const { id, act } = await openLive(server, alice, {}, { participants: invite(server, 'bob') });
    const start = { ...about(id), body: { action: 'START' as const } };
    expect(await codeOf(bob.broadcasts.act(start))).toBe('FORBIDDEN');
    expect(await codeOf((await signIn(server, 'dave')).broadcasts.act(start))).toBe('NOT_FOUND');
    expect((await admin.broadcasts.act(start)).state).toBe('onAir');
    await act('END');
    const rows = await server.db.platform((tx) => tx.find(auditLog, eq(auditLog.targetId, id)));
    expect(rows.map(({ action, after }) => [action, after])).toContainEqual(['broadcasts.act', { state: 'onAir' }]);
  });
});

test('GET users/live-auth-users lists people with the permission by name', async () => {
  const { records } = await carol.broadcasts.liveAuthUsers({ query: { keyword: 'ali' } });
  expect(records.map(({ account }) => account)).toEqual(['alice']);
  const names = async () => (await carol.broadcasts.liveAuthUsers({ query: {} })).records.map(({ name }) => name);
  expect(await names()).toEqual(['Admin', 'Alice', 'Bob', 'Carol', 'Chair']);
  const deny = (deniedFeatures: string[]) =>
    server.db.platform((tx) =>
      tx.update(tenant, { deniedFeatures }, eq(tenant.tenantId, server.people.get('carol')?.tenantId ?? '')),
    );
  await deny(['sys:liveStreaming']);
  expect(await names()).toEqual([]);
  await deny([]);
});
