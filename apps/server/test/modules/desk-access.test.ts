import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { DeskState, Meeting } from '@rmeet/contract';
import { deskLink, deskSession } from '../../src/modules/conferences/tables.ts';
import { hashToken } from '../../src/platform/secrets/index.ts';
import { clientOf, codeOf, send, signIn, type Person } from './support/client.ts';
import { withoutIds } from './support/ids.ts';
import { book, invite } from './support/meetings.ts';
import { connect } from './support/push.ts';
import { startTestServer, type TestServer } from './support/server.ts';

const HOUR = 3_600_000;

let server: TestServer;
let alice: Person;
let bob: Person;
let meeting: Meeting;
let params: { meetId: string };
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  [alice, bob] = [await signIn(server, 'alice'), await signIn(server, 'bob')];
  meeting = await book(server, alice, {
    startTime: server.clock.in(0),
    participants: invite(server, 'bob', 'carol@example.org'),
  });
  params = { meetId: meeting.meetId };
});

const topic = (): string => `meeting:${meeting.meetId}`;
const secretOf = (url: string): string => new URLSearchParams(url.split('?')[1]).get('token') ?? '';
const link = (part: 'chair' | 'viewer' = 'chair', who = alice) =>
  who.conferences.manageUrl({ params: { a: meeting.meetId, b: part }, query: {} });
const open = async (url: string) => clientOf(server).conferences.openDesk({ body: { sign: secretOf(url) } });
const desk = async (part: 'chair' | 'viewer' = 'chair') => clientOf(server, (await open((await link(part)).url)).token);
const wall = async () =>
  clientOf(
    server,
    (await open((await alice.conferences.monitorUrl({ query: { numericId: meeting.numericId } })).url)).token,
  );
const join = (who: Person, extra = {}) => who.conferences.join({ body: { numericId: meeting.numericId, ...extra } });

describe('a link', () => {
  test('is created for the desk and the status wall, with its secret behind the #', async () => {
    const made = await link();
    expect(made.url).toMatch(
      new RegExp(`^http://[^/#?]+/#/meetingControl\\?token=[\\w-]{43}&meetId=${meeting.meetId}$`),
    );
    const monitor = await alice.conferences.monitorUrl({ query: { numericId: meeting.numericId } });
    expect(monitor.url).toMatch(/\/#\/terminalstatus\?token=[\w-]{43}&meetId=/);
    expect(await alice.conferences.links({ params })).toMatchObject([
      { id: monitor.id, part: 'viewer', scope: 'status' },
      { id: made.id, part: 'chair', scope: 'control', createdBy: 'Alice' },
    ]);
  });

  test('works for a day, or for the requested time, seven days at most', async () => {
    const now = server.clock.now().getTime();
    const until = async (timestamp?: number): Promise<number> =>
      Date.parse(
        (
          await alice.conferences.manageUrl({
            params: { a: meeting.meetId, b: 'viewer' },
            query: timestamp === undefined ? {} : { timestamp },
          })
        ).expiresAt,
      ) - now;
    expect(await until()).toBe(24 * HOUR);
    expect(await until(now + HOUR)).toBe(HOUR);
    expect(await until(now + 30 * 24 * HOUR)).toBe(7 * 24 * HOUR);
    expect(
      await codeOf(
        alice.conferences.manageUrl({ params: { a: meeting.meetId, b: 'viewer' }, query: { timestamp: now } }),
      ),
    ).toBe('INVALID_INPUT');
  });

  test('opens several desks, each with its own token; secrets and tokens are stored hashed', async () => {
    const { url } = await link('viewer');
    const [one, other] = [await open(url), await open(url)];
    expect(one).toMatchObject({ meetId: meeting.meetId, part: 'viewer', scope: 'control' });
    expect(one.token).not.toBe(other.token);
    const [links, desks] = await server.db.platform(async (tx) => {
      const found = await tx.find(deskLink, eq(deskLink.meetingId, meeting.meetId));
      return [found, await tx.find(deskSession, eq(deskSession.linkId, found[0]?.id ?? ''))] as const;
    });
    expect(links.map((row) => row.tokenHash)).toEqual([hashToken(secretOf(url))]);
    expect(desks.map((row) => row.tokenHash).toSorted()).toEqual([one.token, other.token].map(hashToken).toSorted());
    expect(JSON.stringify([links, desks])).not.toContain(one.token);
    expect((await alice.conferences.links({ params }))[0]?.lastUsedAt).not.toBeNull();
  });

  test('can be exchanged by the call for tickets, too', async () => {
    const { url } = await link();
    const answer = await clientOf(server).auth.ticketToToken({ query: {}, body: { sign: secretOf(url) } });
    expect(answer).toMatchObject({ user: null, desk: { meetId: meeting.meetId, part: 'chair', scope: 'control' } });
    await join(alice);
    expect((await clientOf(server, answer.token).conferences.state({ params })).meetId).toBe(meeting.meetId);
    expect(await codeOf(clientOf(server).auth.ticketToToken({ query: {}, body: { sign: 'never-a-secret' } }))).toBe(
      'SIGN_INVALID',
    );
  });

  test('is created, listed and revoked only by those who run the meeting', async () => {
    const { id } = await link();
    for (const [who, code] of [
      [bob, 'FORBIDDEN'],
      [await signIn(server, 'carol'), 'NOT_FOUND'],
      [await signIn(server, 'dave'), 'NOT_FOUND'],
    ] as const) {
      expect(await codeOf(link('viewer', who))).toBe(code);
      expect(await codeOf(link('chair', who))).toBe(code);
      expect(await codeOf(who.conferences.monitorUrl({ query: { numericId: meeting.numericId } }))).toBe(code);
      expect(await codeOf(who.conferences.links({ params }))).toBe(code);
      expect(await codeOf(who.conferences.revokeLink({ params: { ...params, id } }))).toBe(code);
    }
    expect(await codeOf(link('chair', await signIn(server, 'admin')))).toBe('OK');
    const others = await book(server, alice);
    expect(await codeOf(alice.conferences.revokeLink({ params: { meetId: others.meetId, id } }))).toBe('NOT_FOUND');
    await alice.meetings.cancel({ params: { id: others.meetId }, query: {} });
    expect(await codeOf(alice.conferences.manageUrl({ params: { a: others.meetId, b: 'chair' }, query: {} }))).toBe(
      'NOT_FOUND',
    );
  });

  test('cannot be created for a meeting that is over', async () => {
    await join(alice);
    await alice.conferences.end({ params });
    expect(await codeOf(link())).toBe('MEETING_ENDED');
  });

  test('cannot be guessed at for long', async () => {
    const address = '192.0.2.77';
    const guess = (sign: string) => send(server, 'POST', '/api/api/v1/conferences/desk', { body: { sign }, address });
    for (let i = 0; i < 21; i += 1) expect((await guess(`guess ${i}`)).statusCode).toBe('DESK_LINK_INVALID');
    expect((await guess('one more guess')).statusCode).toBe('TOO_MANY_REQUESTS');
    // Attempts of others from this address do not delay a valid link.
    expect((await guess(secretOf((await link()).url))).statusCode).toBe('OK');
  });
});

describe('a desk session', () => {
  test('ends everywhere at once when its link is revoked, and the link opens no more desks', async () => {
    await join(alice);
    const { id, url } = await link();
    const { token } = await open(url);
    const other = await open((await link()).url);
    const socket = await connect(server, { deskToken: token }, topic());
    const spared = await connect(server, { deskToken: other.token }, topic());
    await alice.conferences.revokeLink({ params: { ...params, id } });
    expect(await socket.message((message) => 'error' in message)).toEqual({ error: 'DESK_GONE' });
    await socket.closed;
    expect(await send(server, 'GET', `/api/api/v1/conferences/${meeting.meetId}/state`, { token })).toMatchObject({
      httpStatus: 401,
      statusCode: 'DESK_GONE',
    });
    expect(await codeOf(open(url))).toBe('DESK_LINK_INVALID');
    expect(await codeOf(clientOf(server, other.token).conferences.state({ params }))).toBe('OK');
    expect(await codeOf(alice.conferences.revokeLink({ params: { ...params, id } }))).toBe('OK');
    await spared.close();
  });

  test('ends with its validity, with its meeting, and with its tenant', async () => {
    await join(alice);
    const { url } = await link();
    const { token } = await open(url);
    const state = () => codeOf(clientOf(server, token).conferences.state({ params }));
    const root = await signIn(server, 'root');
    const id = server.people.get('alice')?.tenantId ?? '';
    expect(await state()).toBe('OK');
    await root.tenants.setEnabled({ body: { id, enabled: false } });
    expect(await state()).toBe('DESK_GONE');
    await root.tenants.setEnabled({ body: { id, enabled: true } });
    // The meeting was closed with its tenant, and is booked again.
    expect(await state()).toBe('MEETING_NOT_STARTED');
    server.clock.advance({ hours: 24 });
    expect(await state()).toBe('DESK_GONE');
    expect(await codeOf(open(url))).toBe('DESK_LINK_INVALID');
  });

  test('displaces the oldest one above the limit', async () => {
    const { url } = await link();
    await join(alice);
    const first = await open(url);
    server.clock.advance({ seconds: 1 });
    for (let i = 0; i < 50; i += 1) await open(url);
    expect(await codeOf(clientOf(server, first.token).conferences.state({ params }))).toBe('UNAUTHORIZED');
  });

  test('is deleted in the end, with its link', async () => {
    const { id, url } = await link();
    await open(url);
    const left = () =>
      server.db.platform(async (tx) => [
        await tx.count(deskLink, eq(deskLink.id, id)),
        await tx.count(deskSession, eq(deskSession.linkId, id)),
      ]);
    server.clock.advance({ hours: 30 * 24 });
    await server.rounds.clearDesks();
    expect(await left()).toEqual([1, 1]);
    server.clock.advance({ hours: 48 });
    await server.rounds.clearDesks();
    expect(await left()).toEqual([0, 0]);
  });
});

describe('what a desk sees', () => {
  const meets = (state: DeskState) => ({
    can: state.can,
    invitees: state.invitees.map((one) => one.name),
    accounts: state.terminals.map((one) => one.account),
  });

  test('is everything for the chair and the host, and no contacts and no verbs for a viewer and the wall', async () => {
    await join(alice);
    await join(clientOf(server), { name: 'Guest', password: '4821' });
    const [chair, viewer, status] = [await desk('chair'), await desk('viewer'), await wall()];
    const [byChair, byViewer, byWall, byHost] = [
      await chair.conferences.state({ params }),
      await viewer.conferences.state({ params }),
      await status.conferences.state({ params }),
      await alice.conferences.state({ params }),
    ];
    expect(meets(byHost)).toMatchObject({ invitees: ['Bob', 'carol@example.org'], accounts: ['alice', null] });
    expect(byHost.can).toEqual(expect.arrayContaining(['muteAll', 'end', 'grant']));
    expect(byChair.can).toEqual(expect.arrayContaining(['muteAll', 'end', 'chairman']));
    expect(byChair.can).not.toContain('grant');
    for (const seen of [byViewer, byWall])
      expect(meets(seen)).toEqual({ can: [], invitees: ['Bob', 'c***@example.org'], accounts: [null, null] });
    expect(byWall.commands).toEqual([]);
    expect(byViewer.commands.length).toBeGreaterThan(0);
    for (const seen of [byHost, byChair, byViewer, byWall]) {
      expect(seen).toMatchObject({
        subject: 'Ward round',
        numericId: meeting.numericId,
        host: 'Alice',
        engine: 'rz',
        terminals: [{ name: 'Alice', department: seen.terminals[0]?.department }, { name: 'Guest' }],
      });
      expect(withoutIds(seen)).not.toContain('4821');
    }
  });

  test('is refused to participants, and does not exist for others', async () => {
    await join(alice);
    expect(await codeOf(bob.conferences.state({ params }))).toBe('FORBIDDEN');
    for (const name of ['carol', 'dave'])
      expect(await codeOf((await signIn(server, name)).conferences.state({ params }))).toBe('NOT_FOUND');
    const others = await book(server, alice, { startTime: server.clock.in(0) });
    await alice.conferences.join({ body: { numericId: others.numericId } });
    for (const one of [await desk('chair'), await desk('viewer'), await wall()]) {
      expect(await codeOf(one.conferences.state({ params: { meetId: others.meetId } }))).toBe('NOT_FOUND');
      expect(await codeOf(one.meetings.detail({ params: { id: meeting.meetId }, query: {} } as never))).toBe(
        'UNAUTHORIZED',
      );
    }
  });

  test('arrives by push: the state, then events for desks, which terminals do not receive', async () => {
    const host = await join(alice);
    const inside = await connect(server, { sessionToken: host.sessionToken }, topic());
    const { token } = await open((await link('viewer')).url);
    const [viewer, account] = [
      await connect(server, { deskToken: token }, topic()),
      await connect(server, { token: alice.token }, topic()),
    ];
    for (const socket of [viewer, account]) {
      expect(await socket.message((message) => 'snapshot' in message)).toMatchObject({
        topic: topic(),
        snapshot: { desk: true, meetId: meeting.meetId },
      });
    }
    await join(bob);
    const known = (socket: typeof viewer) =>
      socket.message((message) => 'event' in message && message.event.type === 'deskTerminal');
    expect(await known(viewer)).toMatchObject({ event: { terminal: { name: 'Bob', account: null } } });
    expect(await known(account)).toMatchObject({ event: { terminal: { name: 'Bob', account: 'bob' } } });
    await inside.event('terminalJoined');
    expect(inside.eventTypes).not.toContain('deskTerminal');
    for (const socket of [inside, viewer, account]) await socket.close();
  });

  test('is not pushed to others, nor for other meetings', async () => {
    await join(alice);
    const { token } = await open((await link()).url);
    const others = await book(server, alice, { startTime: server.clock.in(0) });
    for (const [credentials, name] of [
      [{ token: bob.token }, topic()],
      [{ deskToken: token }, `meeting:${others.meetId}`],
      [{ deskToken: token }, 'user'],
      [{ deskToken: token }, 'activity'],
    ] as const) {
      const socket = await connect(server, credentials);
      socket.send({ subscribe: [name] });
      expect(await socket.message((message) => 'error' in message)).toEqual({ error: 'FORBIDDEN', topic: name });
      await socket.close();
    }
  });
});

test('a desk token opens a desk and nothing else', async () => {
  const { sessionToken } = await join(alice);
  const { token } = await open((await link()).url);
  for (const credentials of [{ token }, { sessionToken: token }])
    await expect(connect(server, credentials)).rejects.toThrow(/^(UNAUTHORIZED|TERMINAL_GONE)$/);
  expect(await codeOf(clientOf(server, token).conferences.hand({ params, body: { raised: true } }))).toBe(
    'TERMINAL_GONE',
  );
  expect(await codeOf(clientOf(server, token).users.current())).toBe('UNAUTHORIZED');
  expect(await codeOf(clientOf(server, sessionToken).conferences.state({ params }))).toBe('UNAUTHORIZED');
});
