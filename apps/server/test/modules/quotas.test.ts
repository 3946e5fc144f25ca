import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { LIMITS, type Admission, type Meeting, type Quotas } from '@rmeet/contract';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { conference } from '../../src/modules/conferences/tables.ts';
import { clientOf, codeOf, signIn, type Person } from './support/client.ts';
import { book, invite } from './support/meetings.ts';
import { connect } from './support/push.ts';
import { startTestServer, type TestServer } from './support/server.ts';

const noQuotas: Quotas = {
  users: null,
  terminals: null,
  recordingBytes: null,
  meetingFileBytes: null,
  meetingMinutes: null,
};
let server: TestServer;
let root: Person;
let alice: Person;
let bob: Person;
let erin: Person;
let tenantId: string;
beforeAll(async () => {
  server = await startTestServer();
  tenantId = server.people.get('alice')?.tenantId ?? '';
});
afterAll(() => server.close());
beforeEach(async () => {
  [root, alice, bob, erin] = await Promise.all([
    signIn(server, 'root'),
    signIn(server, 'alice'),
    signIn(server, 'bob'),
    signIn(server, 'erin'),
  ]);
});

async function allow(quotas: Partial<Quotas>): Promise<void> {
  const north = (await root.tenants.list({ query: { keyword: 'north' } })).records[0];
  if (!north) throw new Error('There is no north.');
  await root.tenants.update({
    body: {
      ...north,
      deniedFeatures: [],
      meetingAdmin: { name: '', phoneNumber: '--' },
      serviceDesk: { name: '', phoneNumber: '--' },
      quotas: { ...noQuotas, ...quotas },
    },
  });
}
const ward = (host: Person, extra = {}): Promise<Meeting> =>
  book(server, host, { startTime: server.clock.in(0), ...extra });
const join = (who: Person, { numericId }: Meeting, extra = {}): Promise<Admission> =>
  who.conferences.join({ body: { numericId, ...extra } });
const guest = (meeting: Meeting, name = 'Guest') => join(clientOf(server), meeting, { name, password: '4821' });
const running = () =>
  server.db.tenant(tenantId, async (tx) => (await tx.find(conference)).filter((row) => row.endedAt === null));
const end = (host: Person, ...meetings: Meeting[]) =>
  Promise.all(meetings.map(({ meetId }) => codeOf(host.conferences.end({ params: { meetId } }))));

describe('concurrent terminals', () => {
  let one: Meeting;
  let other: Meeting;
  beforeEach(async () => {
    [one, other] = [await ward(alice, { participants: invite(server, 'bob') }), await ward(alice)];
  });
  afterEach(async () => {
    await end(alice, one, other);
    await allow({});
  });

  test('are counted over all conferences of the tenant, hosts too, and of no other tenant', async () => {
    await allow({ terminals: 2 });
    await join(alice, one);
    const second = await join(alice, other);
    expect(await Promise.all([join(bob, one), guest(other), join(alice, one)].map(codeOf))).toEqual(
      Array.from({ length: 3 }, () => 'QUOTA_TERMINALS'),
    );
    const foreign = await ward(erin);
    expect((await join(erin, foreign)).state).toBe('admitted');
    await end(erin, foreign);

    await clientOf(server, second.sessionToken).conferences.leave({ params: { meetId: other.meetId } });
    expect((await join(bob, one)).state).toBe('admitted');
  });

  test('above the limit open no conference', async () => {
    await allow({ terminals: 2 });
    await join(alice, one);
    await join(bob, one);
    expect(await codeOf(join(alice, other))).toBe('QUOTA_TERMINALS');
    expect((await running()).map((row) => row.meetingId)).toEqual([one.meetId]);
  });

  test('that join at once never exceed the limit', async () => {
    const wards = await Promise.all(Array.from({ length: 8 }, () => ward(alice)));
    for (const meeting of wards) await join(alice, meeting);
    await allow({ terminals: 10 });
    const codes = await Promise.all(wards.map((meeting) => codeOf(guest(meeting))));
    expect(codes.toSorted()).toEqual(['OK', 'OK', ...Array.from({ length: 6 }, () => 'QUOTA_TERMINALS')]);
    await end(alice, ...wards);
  });

  test('need no place while they wait, and are admitted all or none', async () => {
    await allow({ terminals: 3 });
    const meeting = await ward(alice, { waitingRoom: true });
    const params = { meetId: meeting.meetId };
    await join(alice, meeting);
    const waiting = [await guest(meeting), await guest(meeting), await guest(meeting)];
    const admit = (...terminals: Admission[]) =>
      codeOf(
        alice.conferences.admit({ params, body: { termIds: terminals.map(({ termId }) => termId), admit: true } }),
      );
    expect(await admit(...waiting)).toBe('QUOTA_TERMINALS');
    expect(await admit(...waiting.slice(0, 2))).toBe('OK');
    const [, , third] = waiting;
    expect(await codeOf(clientOf(server, third?.sessionToken).conferences.enter({ params }))).toBe('OK');
    if (third) expect(await admit(third)).toBe('QUOTA_TERMINALS');
    await end(alice, meeting);
  });

  test('that vanished may find their place taken', async () => {
    await allow({ terminals: 2 });
    server.media.restart();
    const host = await join(alice, one);
    const lost = await join(bob, one);
    server.media.connect(host.termId);
    for (let second = 0; second <= 61; second++) {
      server.clock.advance({ seconds: 1 });
      await server.tick();
    }
    await guest(one);
    expect(
      await codeOf(clientOf(server, lost.sessionToken).conferences.enter({ params: { meetId: one.meetId } })),
    ).toBe('QUOTA_TERMINALS');
  });
});

describe('the length of meetings', () => {
  afterEach(() => allow({}));

  test('limits bookings', async () => {
    await allow({ meetingMinutes: 45 });
    expect(await codeOf(book(server, alice, { duration: 46 }))).toBe('QUOTA_DURATION');
    const made = await book(server, alice, { duration: 45 });
    const edit = (duration: number) =>
      alice.meetings.update({ params: { id: made.meetId }, body: { ...made, duration, version: made.version } });
    expect(await codeOf(edit(60))).toBe('QUOTA_DURATION');
    expect(await codeOf(edit(30))).toBe('OK');
    expect(await codeOf(book(server, erin, { duration: LIMITS.durationMax }))).toBe('OK');
  });

  test('ends a conference for good when it is reached, and all terminals know when', async () => {
    const meeting = await ward(alice, { participants: invite(server, 'bob') });
    const { sessionToken, termId } = await join(alice, meeting);
    const socket = await connect(server, { sessionToken }, `meeting:${meeting.meetId}`);
    const snapshot = (endsAt: string | null) =>
      socket.message((message) => 'snapshot' in message && message.snapshot.endsAt === endsAt);
    await snapshot(null);
    await allow({ meetingMinutes: 30 });
    await snapshot(server.clock.in(30));

    server.media.connect(termId);
    server.clock.advance({ minutes: 29, seconds: 59 });
    await server.tick();
    expect(await running()).toHaveLength(1);
    server.clock.advance({ seconds: 1 });
    await server.tick();
    expect((await socket.event('ended')).event).toEqual({ type: 'ended', why: 'time' });
    expect(await running()).toEqual([]);
    expect(server.media.rooms.size).toBe(0);
    expect(await codeOf(join(bob, meeting))).toBe('MEETING_ENDED');
    const log = await server.db.tenant(tenantId, (tx) => tx.find(auditLog, eq(auditLog.actorKind, 'system')));
    expect(log).toMatchObject([{ action: 'conferences.end', targetName: meeting.subject, after: { ended: true } }]);
    await socket.close();
  });

  test('is counted again from zero when a meeting that was left empty is reopened', async () => {
    await allow({ meetingMinutes: 60 });
    const meeting = await ward(alice, { duration: 60 });
    const { sessionToken } = await join(alice, meeting);
    await clientOf(server, sessionToken).conferences.leave({ params: { meetId: meeting.meetId } });
    await server.tick();
    server.clock.advance({ minutes: 31 });
    await server.tick();
    expect(await running()).toEqual([]);
    await join(alice, meeting);
    server.clock.advance({ minutes: 59 });
    await server.tick();
    expect(await running()).toHaveLength(1);
    server.clock.advance({ minutes: 1 });
    await server.tick();
    expect(await running()).toEqual([]);
    expect(
      await server.db.tenant(tenantId, (tx) =>
        tx.find(conference, eq(conference.meetingId, meeting.meetId), { orderBy: conference.startedAt }),
      ),
    ).toMatchObject([{ endReason: 'empty' }, { endReason: 'ended' }]);
  });
});
