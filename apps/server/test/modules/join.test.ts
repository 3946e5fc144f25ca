import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import type { Admission, MeetingBody } from '@rmeet/contract';
import { terminalSession } from '../../src/modules/conferences/tables.ts';
import { tenant } from '../../src/modules/accounts/tenants/tables.ts';
import { account } from '../../src/modules/accounts/users/tables.ts';
import { clientOf, codeOf, signIn, type Person } from './support/client.ts';
import { book, invite } from './support/meetings.ts';
import { startTestServer, type TestServer } from './support/server.ts';

const EVERYBODY = 4;
let server: TestServer;
let admin: Person;
let alice: Person;
let bob: Person;
let carol: Person;
let guest: Person;
beforeAll(async () => {
  server = await startTestServer({ capacity: EVERYBODY });
  [admin, alice, bob, carol] = await Promise.all([
    signIn(server, 'admin'),
    signIn(server, 'alice'),
    signIn(server, 'bob'),
    signIn(server, 'carol'),
  ]);
  guest = clientOf(server);
});
afterAll(() => server.close());

/** Alice's meeting with bob invited, entered by its number. */
async function ward(body: Partial<MeetingBody> = {}) {
  const made = await book(server, alice, {
    startTime: server.clock.in(0),
    participants: invite(server, 'bob'),
    ...body,
  });
  const join = (
    who: Person,
    extra: { password?: string; name?: string; deviceType?: number; early?: boolean } = {},
  ): Promise<Admission> => who.conferences.join({ body: { numericId: made.numericId, ...extra } });
  return { made, join };
}

describe('joining', () => {
  test('needs no password for host, invited people and tenant admin, but for all others', async () => {
    const { join, made } = await ward();
    expect(await join(alice)).toMatchObject({
      state: 'admitted',
      meetId: made.meetId,
      url: server.origin.replace('http', 'ws'),
    });
    expect((await join(bob)).state).toBe('admitted');
    expect((await join(admin)).state).toBe('admitted');
    expect(await codeOf(join(carol))).toBe('MEETING_PASSWORD_REQUIRED');
    expect(await codeOf(join(guest, { name: 'Guest' }))).toBe('MEETING_PASSWORD_REQUIRED');
    expect(await codeOf(join(guest, { name: 'Guest', password: '0000' }))).toBe('MEETING_PASSWORD_WRONG');
    expect((await join(guest, { name: 'Guest', password: '4821' })).state).toBe('admitted');
  });

  test('gives a media token for this terminal in this room, and a role by the relation to the meeting', async () => {
    const { join } = await ward();
    server.media.tokens.length = 0;
    const terminals = [
      await join(alice),
      await join(bob, { name: 'Bobby' }),
      await join(carol, { password: '4821' }),
      await join(await signIn(server, 'dave'), { password: '4821' }),
    ];
    expect(
      server.media.tokens.map(({ identity, name, metadata }) => ({
        identity,
        name,
        ...(JSON.parse(metadata ?? '') as object),
      })),
    ).toEqual([
      { identity: terminals[0]?.termId, name: 'Alice', role: 'host' },
      { identity: terminals[1]?.termId, name: 'Bobby', role: 'member' },
      { identity: terminals[2]?.termId, name: 'Carol', role: 'member' },
      { identity: terminals[3]?.termId, name: 'Dave', role: 'guest' },
    ]);
    const [token] = server.media.tokens;
    expect(token).toMatchObject({
      ttlSeconds: 600,
      canPublish: true,
      canSubscribe: true,
      canPublishSources: ['camera', 'microphone', 'screenShare', 'screenShareAudio'],
    });
    expect(token?.room).toMatch(/^[0-9a-f-]{36}\.1$/);
    expect([...server.media.rooms.keys()]).toContain(token?.room);
  });

  test('needs a name for guests; an invalid signed-in token makes a guest', async () => {
    const { join } = await ward();
    expect(await codeOf(join(guest, { password: '4821' }))).toBe('NAME_REQUIRED');
    const stale = clientOf(server, 'no such token');
    expect(await codeOf(join(stale))).toBe('NAME_REQUIRED');
    expect((await join(stale, { name: 'Stale', password: '4821' })).state).toBe('admitted');
  });

  test('makes a person of another tenant a guest, whatever their role there', async () => {
    const { join } = await ward();
    const dave = await signIn(server, 'dave');
    expect(await codeOf(join(dave))).toBe('MEETING_PASSWORD_REQUIRED');
    const { termId } = await join(dave, { password: '4821' });
    const row = await server.db.platform((tx) => tx.findOne(terminalSession, eq(terminalSession.termId, termId)));
    expect(row).toMatchObject({
      role: 'guest',
      accountId: null,
      name: 'Dave',
      tenantId: server.people.get('alice')?.tenantId,
    });
  });

  test('records the device type, and the token only as a hash', async () => {
    const { join } = await ward();
    const { termId, sessionToken } = await join(bob, { deviceType: 3 });
    const row = await server.db.platform((tx) => tx.findOne(terminalSession, eq(terminalSession.termId, termId)));
    expect(row).toMatchObject({ deviceType: 3, state: 'admitted', accountId: server.people.get('bob')?.id });
    expect(Buffer.from(sessionToken, 'base64url')).toHaveLength(32);
    expect(JSON.stringify(row)).not.toContain(sessionToken);
  });
});

describe('the waiting room', () => {
  test.each([
    ['without a password', { password: '', waitingRoom: true }, {}],
    ['with one, when it is on', { waitingRoom: true }, { password: '4821' }],
  ])('holds guests of a meeting %s, members pass', async (_, body, extra) => {
    const { join } = await ward(body);
    const waiting = await join(guest, { name: 'Guest', ...extra });
    expect(waiting).toEqual({
      state: 'waiting',
      awaitsHost: false,
      e2ee: false,
      meetId: waiting.meetId,
      termId: waiting.termId,
      sessionToken: waiting.sessionToken,
    });
    expect((await join(bob)).state).toBe('admitted');
  });
});

describe('the time to join', () => {
  test('begins fifteen minutes before for members and guests, and at any time for a host who confirms', async () => {
    const { join } = await ward({ startTime: server.clock.in(60) });
    expect(await codeOf(join(bob))).toBe('MEETING_NOT_STARTED');
    expect(await codeOf(join(guest, { name: 'Guest', password: '4821' }))).toBe('MEETING_NOT_STARTED');
    expect(await codeOf(join(guest, { name: 'Guest', password: 'wrong' }))).toBe('MEETING_PASSWORD_WRONG');
    server.clock.advance({ minutes: 45 });
    expect((await join(bob)).state).toBe('admitted');

    const far = await ward({ startTime: '2031-06-01T23:30:00.000Z', timeZone: 'Asia/Shanghai' });
    const early = await far.join(bob).catch((error: unknown) => error);
    expect(early).toMatchObject({
      message: '406 MEETING_NOT_STARTED: The meeting has not started yet. It starts at 02/06/2031, 07:30 GMT+8.',
    });

    const later = await ward({ startTime: server.clock.in(600) });
    expect((await later.join(alice, { early: true })).state).toBe('admitted');
    expect((await later.join(guest, { name: 'Guest', password: '4821' })).state).toBe('admitted');
  });

  test('ends an hour past the end, or with a running conference', async () => {
    const [open, closed] = [await ward({ duration: 30 }), await ward({ duration: 30 })];
    expect((await open.join(alice)).state).toBe('admitted');
    server.clock.advance({ minutes: 89 });
    expect((await closed.join(bob)).state).toBe('admitted');
    const late = await ward({ duration: 30 });
    server.clock.advance({ minutes: 90 });
    expect(await codeOf(late.join(alice))).toBe('MEETING_ENDED');
    expect((await open.join(bob)).state).toBe('admitted');
    // An agenda that asks for what is not over by now, such as after midnight, has the one that is held.
    const { records } = await alice.meetings.list({ query: { from: server.clock.in(0), size: 100 } });
    const listed = records.map(({ meetId }) => meetId);
    expect(listed).toContain(open.made.meetId);
    expect(listed).not.toContain(late.made.meetId);
  });

  test('never returns after the meeting was ended or cancelled', async () => {
    const { join, made } = await ward();
    await join(alice);
    await alice.conferences.end({ params: { meetId: made.meetId } });
    expect(await codeOf(join(alice))).toBe('MEETING_ENDED');
    expect(await codeOf(join(guest, { name: 'Guest' }))).toBe('MEETING_ENDED');
    const cancelled = await ward();
    await alice.meetings.cancel({ params: { id: cancelled.made.meetId }, query: {} });
    expect(await codeOf(cancelled.join(bob))).toBe('MEETING_CANCELLED');
  });
});

describe('the capacity', () => {
  test('limits a conference, but always admits its host', async () => {
    const { join } = await ward();
    for (let i = 0; i < EVERYBODY; i++) await join(bob);
    expect(await codeOf(join(bob))).toBe('MEETING_FULL');
    expect(await codeOf(join(guest, { name: 'Guest', password: '4821' }))).toBe('MEETING_FULL');
    expect((await join(alice)).state).toBe('admitted');
  });

  test('is counted exactly when all join at once', async () => {
    const { join, made } = await ward();
    const answers = await Promise.all(Array.from({ length: EVERYBODY + 3 }, () => codeOf(join(bob))));
    expect(answers.filter((code) => code === 'OK')).toHaveLength(EVERYBODY);
    expect((await alice.meetings.detail({ params: { id: made.meetId } })).terminalCount).toBe(EVERYBODY);
  });

  test('is zero while the media engine is away', async () => {
    const { join, made } = await ward();
    server.media.isUp = false;
    expect(await codeOf(join(alice))).toBe('MEDIA_UNAVAILABLE');
    server.media.isUp = true;
    expect((await alice.meetings.detail({ params: { id: made.meetId } })).status).toBe('SCHEDULE');
  });
});

describe('guessing', () => {
  const from = (address: string) => clientOf(server, undefined, address);

  test('numbers is slowed down per address, and does not stop people of the meeting', async () => {
    const { join, made } = await ward();
    const guesser = from('10.1.0.1');
    const guess = () => codeOf(guesser.conferences.join({ body: { numericId: '999999999', name: 'Mallory' } }));
    for (let i = 0; i < 21; i++) expect(await guess()).toBe('MEETING_NUMBER_UNKNOWN');
    expect(await guess()).toBe('TOO_MANY_REQUESTS');
    expect(await codeOf(join(guesser, { name: 'Mallory', password: '4822' }))).toBe('TOO_MANY_REQUESTS');
    expect(await codeOf(join(guesser, { name: 'Carol', password: '4821' }))).toBe('OK');
    expect(
      await codeOf(clientOf(server, bob.token, '10.1.0.1').conferences.join({ body: { numericId: made.numericId } })),
    ).toBe('OK');
    server.clock.advance({ seconds: 2 });
    expect(await guess()).toBe('MEETING_NUMBER_UNKNOWN');
  });

  test('passwords is slowed down per address and meeting', async () => {
    const { join } = await ward();
    const guesser = from('10.1.0.2');
    for (let i = 0; i < 6; i++)
      expect(await codeOf(join(guesser, { name: 'Mallory', password: `000${i}` }))).toBe('MEETING_PASSWORD_WRONG');
    expect(await codeOf(join(guesser, { name: 'Mallory', password: '4821' }))).toBe('TOO_MANY_REQUESTS');
    expect((await join(from('10.1.0.3'), { name: 'Guest', password: '4821' })).state).toBe('admitted');
  });

  test('from all addresses of one IPv6 network counts as from one address', async () => {
    const guess = (host: number) =>
      codeOf(
        from(`2001:db8:1:2::${host.toString(16)}`).conferences.join({
          body: { numericId: '999999999', name: 'Mallory' },
        }),
      );
    for (let i = 1; i <= 21; i++) expect(await guess(i)).toBe('MEETING_NUMBER_UNKNOWN');
    expect(await guess(22)).toBe('TOO_MANY_REQUESTS');
    expect(
      await codeOf(from('2001:db8:1:3::1').conferences.join({ body: { numericId: '999999999', name: 'Guest' } })),
    ).toBe('MEETING_NUMBER_UNKNOWN');
  });

  test('passwords from many addresses is slowed down per meeting', async () => {
    const { join } = await ward();
    for (let i = 0; i < 51; i++)
      expect(await codeOf(join(from(`10.2.0.${i}`), { name: 'Mallory', password: 'nope' }))).toBe(
        'MEETING_PASSWORD_WRONG',
      );
    expect(await codeOf(join(from('10.3.0.1'), { name: 'Guest', password: '4821' }))).toBe('TOO_MANY_REQUESTS');
    expect((await join(bob)).state).toBe('admitted');
    server.clock.advance({ seconds: 60 });
    expect((await join(from('10.3.0.1'), { name: 'Guest', password: '4821' })).state).toBe('admitted');
  });
});

test('a conference token survives a sign-in elsewhere, and ends when the account is disabled', async () => {
  const { join, made } = await ward();
  const here = await join(await signIn(server, 'carol', 'laptop'), { password: '4821' });
  await signIn(server, 'carol', 'phone');
  const terminal = clientOf(server, here.sessionToken);
  const params = { meetId: made.meetId };
  expect(await codeOf(terminal.conferences.hand({ params, body: { raised: true } }))).toBe('OK');
  await server.db.platform((tx) => tx.update(account, { enabled: false }, eq(account.account, 'carol')));
  expect(await codeOf(terminal.conferences.hand({ params, body: { raised: false } }))).toBe('TERMINAL_GONE');
});

test('all terminals, guests too, are disconnected at once when the tenant is disabled', async () => {
  const { join } = await ward();
  const [member, visitor] = [await join(bob), await join(guest, { name: 'Guest', password: '4821' })];
  const enable = (enabled: boolean) =>
    server.db.platform((tx) => tx.update(tenant, { enabled }, eq(tenant.name, 'north')));
  const stateOf = async (termId: string) =>
    (await server.db.platform((tx) => tx.findOne(terminalSession, eq(terminalSession.termId, termId))))?.state;
  await enable(false);
  try {
    for (const { sessionToken, meetId } of [member, visitor]) {
      expect(await codeOf(clientOf(server, sessionToken).conferences.enter({ params: { meetId } }))).toBe(
        'TERMINAL_GONE',
      );
    }
    await server.tick();
    expect([await stateOf(member.termId), await stateOf(visitor.termId)]).toEqual(['removed', 'removed']);
  } finally {
    await enable(true);
  }
});
