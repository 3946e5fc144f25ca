import { eq } from 'drizzle-orm';
import type { ManualLive } from '@rmeet/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditLog } from '../../../src/modules/audit/tables.ts';
import { originsIn } from '../../../src/modules/live/delivery/origins.ts';
import { streamArrived } from '../../../src/modules/live/index.ts';
import { broadcastIngest, ingestHost, type BroadcastIngestRow } from '../../../src/modules/live/ingest/tables.ts';
import { hashStreamKey } from '../../../src/modules/live/manual/secrets.ts';
import { meeting } from '../../../src/modules/meetings/tables.ts';
import { noticeLink } from '../../../src/modules/notices/texts/link.ts';
import { newId, PLATFORM_TENANT_ID } from '../../../src/platform/db/index.ts';
import { codeOf, clientOf, signIn, type Person } from '../support/client.ts';
import { spansOf } from '../support/live.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

type Booking = Partial<Parameters<Person['manualLives']['create']>[0]['body']>;

let server: TestServer;
let alice: Person;
let bob: Person;
let admin: Person;
beforeAll(async () => {
  server = await startTestServer({ pushHosts: ['10.9.8.7'] });
  [alice, bob, admin] = await Promise.all([signIn(server, 'alice'), signIn(server, 'bob'), signIn(server, 'admin')]);
});
afterAll(() => server.close());

const ORIGIN = 'http://127.0.0.1:7001';
const ADDRESS = 'rtmp://streams.example.org/app/secret-stream';
const tenantOf = (name: string): string => server.people.get(name)?.tenantId ?? '';
const book = (body: Booking = {}): Promise<ManualLive> =>
  alice.manualLives.create({ body: { subject: 'Outside', startTime: server.clock.in(0), duration: 60, ...body } });
const act = (id: string, action: 'START' | 'PAUSE' | 'RESUME' | 'END', who = alice) =>
  who.broadcasts.act({ params: { id }, body: { action } });
const ingestRow = async (id: string): Promise<BroadcastIngestRow> =>
  (await server.db.platform((tx) => tx.findOne(broadcastIngest, eq(broadcastIngest.broadcastId, id))))!;
const statusOf = async (id: string) =>
  (await server.db.platform((tx) => tx.findOne(meeting, eq(meeting.id, id))))?.status;
const set = (id: string, values: Partial<BroadcastIngestRow>) =>
  server.db.tenant(tenantOf('alice'), (tx) => tx.update(broadcastIngest, values, eq(broadcastIngest.broadcastId, id)));
/** As the process that takes the stream says it. */
const arrive = (id: string) =>
  set(id, {
    state: 'arriving',
    way: 'rtmp',
    width: 1_280,
    height: 720,
    since: server.clock.now(),
    arrivedAt: server.clock.now(),
    leaseUntil: new Date(server.clock.in(0.25)),
    origin: ORIGIN,
  });
const liveCount = async () => {
  const startDate = new Date(server.clock.now().getTime() - 2 * 86_400_000).toISOString();
  return (await alice.meetings.activity({ query: { startDate } })).liveCount;
};
const own = async (id: string, who = alice) => (await who.manualLives.query({ body: { id } })).records[0];
const keyOf = async (id: string): Promise<string> => {
  const host = {
    id: newId(),
    tenantId: PLATFORM_TENANT_ID,
    origin: ORIGIN,
    rtmpPort: 1_935,
    seenAt: server.clock.now(),
  };
  await server.db.platform((tx) => tx.insert(ingestHost, host));
  const { ingest } = await alice.liveProviders.providerConfig({ params: { id } });
  return ingest?.rtmp?.key ?? '';
};

describe('a broadcast of an outside stream', () => {
  test('is booked without a conference, and its links are the watch page', async () => {
    const made = await book({ live: { access: 'public' } });
    const link = `${server.publicUrl}/#/live/${made.id}`;
    expect(made).toMatchObject({ source: 'push', state: 'scheduled', isReady: false, startsItself: true, link });
    expect(made.ingest).toMatchObject({ state: 'waiting', since: null });
    const detail = await alice.meetings.detail({ params: { id: made.id } });
    expect(detail).toMatchObject({
      type: 'LIVE_MEETING',
      password: '',
      participants: [],
      config: { url: '', watchUrl: link },
      guestUrl: link,
      can: { start: false, join: false, end: false, guests: false, edit: true, cancel: true },
    });
  });

  test('has the watch page as the link in its notices', () => {
    expect(noticeLink('https://meet.example.org', { number: '', isWatched: true, meetingId: 'one' }, '')).toBe(
      'https://meet.example.org/#/live/one',
    );
  });

  test('is not entered: every way into a conference says that it has none', async () => {
    const { id, numericId } = await book();
    const params = { id };
    const ways = [
      alice.conferences.join({ body: { numericId } }),
      alice.meetings.start({ params, body: {} }),
      alice.guests.create({ query: { meetingId: id } }),
      alice.conferences.manageUrl({ params: { a: id, b: 'chair' }, query: {} }),
      alice.conferences.monitorUrl({ query: { numericId } }),
    ];
    for (const code of await Promise.all(ways.map(codeOf))) expect(code).toBe('MEETING_WITHOUT_CONFERENCE');
    expect(await codeOf(clientOf(server).conferences.join({ body: { numericId, name: 'Guest' } }))).toBe(
      'MEETING_NUMBER_UNKNOWN',
    );
  });

  test('needs an address that may be connected to if it is taken from one', async () => {
    expect(await codeOf(book({ source: 'play' }))).toBe('PLAY_ADDRESS_REQUIRED');
    expect(await codeOf(book({ source: 'play', playAddress: 'rtmp://10.1.1.1/app/x' }))).toBe('PLAY_ADDRESS_REFUSED');
    const made = await book({ source: 'play', playAddress: ADDRESS });
    expect(made.playAddress).toBe(ADDRESS);
    expect((await book({ source: 'play', playAddress: 'rtmp://10.9.8.7/app/x' })).source).toBe('play');
    expect(JSON.stringify(await ingestRow(made.id))).not.toContain('secret-stream');
    expect((await alice.liveProviders.providerConfig({ params: { id: made.id } })).ingest).toBeNull();
  });

  test('shows address and state to those who manage it only', async () => {
    const { id } = await book({ source: 'play', playAddress: ADDRESS });
    expect(await own(id, bob)).toMatchObject({ id, ingest: null, playAddress: '', can: { manage: false } });
    expect(await own(id, admin)).toMatchObject({ playAddress: ADDRESS, ingest: { state: 'waiting' } });
    expect(await codeOf(bob.manualLives.change({ body: { id, newKey: true } }))).toBe('FORBIDDEN');
  });

  test('has a key that its encoder sends, until there is a new one', async () => {
    const { id } = await book();
    const before = await keyOf(id);
    expect(before.length).toBeGreaterThanOrEqual(22);
    expect((await ingestRow(id)).keyHash).toBe(hashStreamKey(before));
    await alice.manualLives.change({ body: { id, newKey: true } });
    const after = await keyOf(id);
    expect(after).not.toBe(before);
    expect((await ingestRow(id)).keyHash).toBe(hashStreamKey(after));
    const { ingest } = await alice.liveProviders.providerConfig({ params: { id } });
    expect(ingest).toEqual({
      rtmp: { server: `rtmp://${new URL(server.publicUrl).hostname}:1935/live`, key: after },
      whip: { address: `${server.publicUrl}/api/api/v1/live/whip`, token: after },
    });
    const rows = await server.db.platform((tx) => tx.find(auditLog, eq(auditLog.targetId, id)));
    expect(JSON.stringify(rows)).toContain('streamKey');
    expect(JSON.stringify(rows)).not.toContain(after);
    server.clock.advance({ seconds: 11 });
    // Long before a broadcast no process takes streams: encoders are set up then, too.
    expect((await alice.liveProviders.providerConfig({ params: { id } })).ingest).toEqual(ingest);
  });

  test('is edited, by its own call and as a meeting', async () => {
    const { id } = await book({ startTime: server.clock.in(60) });
    const startTime = server.clock.in(90);
    const changed = await alice.manualLives.change({
      body: { id, subject: 'Later', startTime, source: 'play', playAddress: ADDRESS, live: { chat: 'held' } },
    });
    expect(changed).toMatchObject({
      subject: 'Later',
      startTime,
      duration: 60,
      source: 'play',
      playAddress: ADDRESS,
      setting: { chat: 'held' },
    });
    expect(await alice.manualLives.change({ body: { id, source: 'push' } })).toMatchObject({ playAddress: '' });
    const { version } = await alice.meetings.detail({ params: { id } });
    const person = { kind: 'user' as const, userId: server.people.get('bob')?.id ?? '' };
    const body = { subject: 'Edited', startTime, duration: 30, password: '4821', participants: [person], version };
    const edited = await alice.meetings.update({
      params: { id },
      body: { ...body, recurrence: { rule: 'FREQ=DAILY;COUNT=3', except: [] } },
    });
    expect(edited).toMatchObject({ subject: 'Edited', password: '', participants: [], series: null });
    await alice.meetings.cancel({ params: { id }, query: {} });
    expect(await codeOf(alice.manualLives.change({ body: { id, newKey: true } }))).toBe('NOT_FOUND');
  });

  test('is started, paused, continued and ended', async () => {
    const { id } = await book({ startsItself: false, live: { access: 'public' } });
    const since = server.clock.now();
    expect(await codeOf(act(id, 'START'))).toBe('INGEST_WAITING');
    await arrive(id);
    expect(await own(id)).toMatchObject({ isReady: true, ingest: { state: 'arriving', way: 'rtmp', width: 1_280 } });
    expect(await act(id, 'START')).toMatchObject({ state: 'onAir', source: 'push', recordingId: null });
    expect(await statusOf(id)).toBe('ONLINE');
    const running = await liveCount();
    expect(await codeOf(alice.manualLives.change({ body: { id, subject: 'Now' } }))).toBe('MEETING_RUNNING');
    expect(await alice.manualLives.change({ body: { id, live: { chat: 'off' } } })).toMatchObject({ state: 'onAir' });
    const { sign } = await clientOf(server).watch.open({ params: { id }, body: {} });
    expect(sign).not.toBe('');
    expect(await originsIn(server.db, server.clock.now)(id)).toBe(ORIGIN);
    server.clock.advance({ seconds: 20 });
    // The process that took the stream was killed, so what its row says is outdated.
    expect(await own(id)).toMatchObject({ state: 'onAir', isReady: false, ingest: { state: 'waiting', since: null } });
    expect(await originsIn(server.db, server.clock.now)(id)).toBeUndefined();
    await act(id, 'PAUSE');
    server.clock.advance({ seconds: 10 });
    expect(await act(id, 'RESUME')).toMatchObject({ state: 'onAir' });
    server.clock.advance({ seconds: 5 });
    expect(await act(id, 'END')).toMatchObject({ state: 'ended', recordingId: null });
    expect(await spansOf(server, id, since)).toEqual([
      [0, 20],
      [30, 35],
    ]);
    expect(await statusOf(id)).toBe('OFFLINE');
    expect(await liveCount()).toBe(running - 1);
    expect(await codeOf(alice.manualLives.change({ body: { id, newKey: true } }))).toBe('MEETING_ENDED');
  });

  test('goes on air when its stream arrives, from half an hour before its start', async () => {
    const arrived = (id: string) =>
      server.db.tenant(tenantOf('alice'), (tx) => streamArrived(tx, id, server.clock.now()));
    const { id } = await book({ startTime: server.clock.in(31) });
    const manual = await book({ startsItself: false });
    expect([await arrived(id), await arrived(manual.id)]).toEqual([false, false]);
    server.clock.advance({ minutes: 1 });
    expect([await arrived(id), await arrived(id)]).toEqual([true, false]);
    expect(await alice.broadcasts.detail({ params: { id } })).toMatchObject({ state: 'onAir' });
    const cancelled = await book({ startTime: server.clock.in(10) });
    await alice.meetings.cancel({ params: { id: cancelled.id }, query: {} });
    expect(await arrived(cancelled.id)).toBe(false);
  });

  test('ends after its planned end, when nothing has arrived for ten minutes', async () => {
    const [running, never] = [await book({ duration: 15 }), await book({ duration: 15 })];
    await arrive(running.id);
    await act(running.id, 'START');
    const states = async () => {
      await server.rounds.endBroadcasts();
      return [(await own(running.id))?.state, (await own(never.id))?.state];
    };
    server.clock.advance({ minutes: 14 });
    expect(await states()).toEqual(['onAir', 'scheduled']);
    await arrive(running.id);
    server.clock.advance({ minutes: 2 });
    expect(await states()).toEqual(['onAir', 'ended']);
    server.clock.advance({ minutes: 8 });
    expect(await states()).toEqual(['ended', 'ended']);
    expect([await statusOf(running.id), await statusOf(never.id)]).toEqual(['OFFLINE', 'OFFLINE']);
  });

  test('is listed with the other broadcasts, and by a call of its own', async () => {
    const first = await book({ subject: 'Paged one' });
    await book({ subject: 'Paged two' });
    const { records, total } = await alice.manualLives.query({ body: { keyword: 'Paged', size: 1, order: 'asc' } });
    expect([records.length, total]).toEqual([1, 2]);
    expect((await alice.broadcasts.list({ query: { keyword: 'Paged' } })).total).toBe(2);
    const conference = await alice.meetings.createLive({
      body: { subject: 'Paged three', startTime: server.clock.in(0), duration: 60, password: '4821' },
    });
    expect(await own(conference.meetId)).toBeUndefined();
    expect(await codeOf(alice.manualLives.change({ body: { id: conference.meetId } }))).toBe('NOT_FOUND');
    expect((await own(first.id))?.id).toBe(first.id);
  });
});
