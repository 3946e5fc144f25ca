import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  applyConferenceEvent,
  contract,
  type Admission,
  type ConferenceEvent,
  type ConferenceState,
  type Meeting,
} from '@rmeet/contract';
import { createConferences } from '../../src/modules/conferences/index.ts';
import { createBroadcastPort } from '../../src/modules/live/index.ts';
import { createRecordingPort } from '../../src/modules/recordings/index.ts';
import { newId } from '../../src/platform/db/index.ts';
import type { Context, TerminalCaller } from '../../src/platform/http/index.ts';
import type { Jobs } from '../../src/platform/jobs/index.ts';
import type { NoticePort } from '../../src/modules/meetings/index.ts';
import { createMail } from '../../src/platform/mail/index.ts';
import type { Push } from '../../src/platform/push/index.ts';
import { openSecretBox } from '../../src/platform/secrets/index.ts';
import { call, clientOf, codeOf, signIn, type Person } from './support/client.ts';
import { book, invite } from './support/meetings.ts';
import { connect, type TestSocket } from './support/push.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let alice: Person;
let bob: Person;
let made: Meeting;
let sockets: TestSocket[];
beforeAll(async () => {
  server = await startTestServer({ capacity: 3 });
  [alice, bob] = await Promise.all([signIn(server, 'alice'), signIn(server, 'bob')]);
});
afterAll(() => server.close());
beforeEach(async () => {
  sockets = [];
  made = await book(server, alice, {
    startTime: server.clock.in(0),
    participants: invite(server, 'bob'),
    waitingRoom: true,
  });
});
afterEach(async () => {
  await Promise.all(sockets.map((socket) => socket.close()));
});

interface Inside {
  admission: Admission;
  calls: Person['conferences'];
  token: string;
  params: { meetId: string };
}

async function join(who: Person, extra: { name?: string; password?: string } = {}): Promise<Inside> {
  const admission = await who.conferences.join({ body: { numericId: made.numericId, ...extra } });
  return {
    admission,
    calls: clientOf(server, admission.sessionToken).conferences,
    token: admission.sessionToken,
    params: { meetId: made.meetId },
  };
}

const knock = (name = 'Guest'): Promise<Inside> => join(clientOf(server), { name, password: '4821' });

async function watch({ token }: Inside): Promise<TestSocket> {
  const socket = await connect(server, { sessionToken: token }, `meeting:${made.meetId}`);
  sockets.push(socket);
  return socket;
}

async function stateOf(socket: TestSocket): Promise<ConferenceState> {
  const message = await socket.message((m) => 'snapshot' in m);
  return (message as { snapshot: ConferenceState }).snapshot;
}

/** Admits a guest and returns its new state. */
async function admitted(host: Inside, waiting: Inside): Promise<Inside> {
  await host.calls.admit({ params: host.params, body: { termIds: [waiting.admission.termId], admit: true } });
  return { ...waiting, admission: await waiting.calls.enter({ params: waiting.params }) };
}

describe('the state', () => {
  test('is a snapshot with what its receiver may do and see', async () => {
    const host = await join(alice);
    const member = await join(bob);
    const guest = await admitted(host, await knock());
    const waiting = await knock('Wendy');
    const [hosts, members, guests] = [
      await stateOf(await watch(host)),
      await stateOf(await watch(member)),
      await stateOf(await watch(guest)),
    ];

    expect(hosts).toMatchObject({
      meetId: made.meetId,
      subject: 'Ward round',
      numericId: made.numericId,
      me: { termId: host.admission.termId, role: 'host', name: 'Alice', can: { end: true, admit: true, invite: true } },
      invitation: { guestUrl: made.guestUrl.replace(server.origin, ''), password: '4821', startTime: made.startTime },
      waiting: [{ termId: waiting.admission.termId, name: 'Wendy' }],
      messages: [],
    });
    expect(hosts.terminals.map(({ name, role }) => [name, role])).toEqual([
      ['Alice', 'host'],
      ['Bob', 'member'],
      ['Guest', 'guest'],
    ]);
    expect(members).toMatchObject({
      me: { role: 'member', can: { end: false, admit: false, invite: true } },
      waiting: [],
      invitation: { password: '4821' },
    });
    expect(guests).toMatchObject({
      me: { role: 'guest', can: { end: false, admit: false, invite: false } },
      waiting: [],
      invitation: null,
    });
    expect(guests.terminals).toEqual(hosts.terminals);
  });

  test('and its events give every receiver the same state', async () => {
    const host = await join(alice);
    const socket = await watch(host);
    const before = await stateOf(socket);
    const member = await join(bob);
    await member.calls.hand({ params: member.params, body: { raised: true } });
    await member.calls.chat({ params: member.params, body: { id: newId(), text: 'Hello' } });
    const guest = await admitted(host, await knock());
    await guest.calls.leave({ params: guest.params });
    await socket.event('terminalLeft');
    const events = socket.messages.flatMap((m) => ('event' in m ? [m.event as ConferenceEvent] : []));
    expect(events.map(({ type }) => type)).toEqual([
      'terminalJoined',
      'terminalChanged',
      'chat',
      'waitingAdded',
      'control',
      'waitingRemoved',
      'terminalJoined',
      'terminalLeft',
    ]);
    expect(events.reduce(applyConferenceEvent, before)).toEqual(await stateOf(await watch(host)));
  });

  test('is for terminals of this conference, and for accounts that may open its desk', async () => {
    await join(alice);
    const other = await book(server, bob, { startTime: server.clock.in(0) });
    const { sessionToken } = await bob.conferences.join({ body: { numericId: other.numericId } });
    for (const credentials of [{ token: bob.token }, { sessionToken }]) {
      const socket = await connect(server, credentials);
      sockets.push(socket);
      socket.send({ subscribe: [`meeting:${made.meetId}`] });
      expect(await socket.message((m) => 'error' in m)).toEqual({
        error: 'FORBIDDEN',
        topic: `meeting:${made.meetId}`,
      });
    }
  });
});

describe('a waiting terminal', () => {
  test('is notified of its admission, and then receives everything', async () => {
    const host = await join(alice);
    const hosts = await watch(host);
    const waiting = await knock();
    const socket = await watch(waiting);
    expect(await waiting.calls.enter({ params: waiting.params })).toMatchObject({ state: 'waiting' });
    expect((await hosts.event('waitingAdded')).event).toMatchObject({
      terminal: { termId: waiting.admission.termId, name: 'Guest' },
    });

    await host.calls.admit({ params: host.params, body: { termIds: [waiting.admission.termId], admit: true } });
    await socket.event('admitted');
    expect(await waiting.calls.enter({ params: waiting.params })).toMatchObject({
      state: 'admitted',
      sessionToken: waiting.token,
      termId: waiting.admission.termId,
    });
    expect((await stateOf(socket)).me.role).toBe('guest');
    expect((await hosts.event('terminalJoined')).event).toMatchObject({ terminal: { name: 'Guest' } });
  });

  test('sees nothing of the conference, and may do nothing but leave', async () => {
    const host = await join(alice);
    const waiting = await knock();
    const socket = await watch(waiting);
    await host.calls.chat({ params: host.params, body: { id: newId(), text: 'About the guest' } });
    const { params } = waiting;
    for (const tryIt of [
      () => waiting.calls.chat({ params, body: { id: newId(), text: 'Hello?' } }),
      () => waiting.calls.hand({ params, body: { raised: true } }),
      () => waiting.calls.end({ params }),
      () => waiting.calls.admit({ params, body: { termIds: [waiting.admission.termId], admit: true } }),
    ])
      expect(await codeOf(tryIt())).toBe('FORBIDDEN');
    await host.calls.admit({ params, body: { termIds: [waiting.admission.termId], admit: true } });
    await socket.event('admitted');
    expect(socket.messages.filter((m) => 'snapshot' in m)).toEqual([]);
    expect(socket.eventTypes).toEqual(['admitted']);
    await waiting.calls.leave({ params });
  });

  test('can be refused for good', async () => {
    const host = await join(alice);
    const waiting = await knock();
    const socket = await watch(waiting);
    await host.calls.admit({ params: host.params, body: { termIds: [waiting.admission.termId], admit: false } });
    await socket.event('refused');
    expect(await codeOf(waiting.calls.enter({ params: waiting.params }))).toBe('TERMINAL_GONE');
    await host.calls.admit({ params: host.params, body: { termIds: [waiting.admission.termId], admit: true } });
    expect(await codeOf(waiting.calls.enter({ params: waiting.params }))).toBe('TERMINAL_GONE');
  });

  test('gets no media token if it is refused while it asks', async () => {
    const host = await join(alice);
    const waiting = await knock();
    const push = { topic: () => undefined, onConnection: () => undefined } as unknown as Push;
    const conferences = createConferences({
      db: server.db,
      push,
      media: server.media,
      secrets: openSecretBox('', Buffer.alloc(32).toString('base64')),
      storage: server.storage,
      log: server.app.log,
      now: server.clock.now,
      capacity: 3,
      jobs: { define: () => undefined } as unknown as Jobs,
      mail: createMail(undefined),
      publicUrl: () => null,
      webPush: { notify: () => Promise.resolve() },
      notices: {} as unknown as NoticePort,
      recordings: createRecordingPort({ needRecorder: () => undefined }),
      broadcasts: createBroadcastPort({ forget: () => undefined }),
      events: { started: async () => {}, ended: async () => {}, moved: async () => {} },
    });
    const caller = await conferences.authenticate(waiting.token);
    if (caller === 'TERMINAL_GONE') throw new Error('It waits no more.');
    await host.calls.admit({ params: host.params, body: { termIds: [waiting.admission.termId], admit: false } });
    const context: Context & { caller: TerminalCaller } = {
      caller,
      action: 'conferences.end',
      requestId: '',
      locale: 'en',
      address: '',
      origin: server.origin,
      userAgent: '',
      query: '',
      signal: new AbortController().signal,
    };
    await expect(async () => conferences.routes.enter(context, { params: waiting.params })).rejects.toThrow(
      'TERMINAL_GONE',
    );
  });

  test('is admitted by the host from outside too, not by members, and only while there is room', async () => {
    const waiting = [await knock('One'), await knock('Two'), await knock('Three'), await knock('Four')];
    const termIds = waiting.map(({ admission }) => admission.termId);
    const params = { meetId: made.meetId };
    const member = await join(bob);
    expect(await codeOf(member.calls.admit({ params, body: { termIds, admit: true } }))).toBe('FORBIDDEN');
    expect(await codeOf(bob.conferences.admit({ params, body: { termIds, admit: true } }))).toBe('FORBIDDEN');
    expect(await codeOf(alice.conferences.admit({ params, body: { termIds, admit: true } }))).toBe('MEETING_FULL');
    expect(
      await codeOf(
        alice.conferences.admit({ params, body: { termIds: [...termIds.slice(0, 2), 'gone'], admit: true } }),
      ),
    ).toBe('OK');
    expect(await waiting[1]?.calls.enter({ params })).toMatchObject({ state: 'admitted' });
  });
});

describe('chat', () => {
  test('delivers each message once', async () => {
    const host = await join(alice);
    const member = await join(bob);
    const socket = await watch(member);
    const say = (who: Inside, id: string, text: string) =>
      call(server, contract.conferences.chat, { params: who.params, body: { id, text } }, who.token);
    const id = newId();
    const first = await say(host, id, ' Hello ');
    expect(first.data).toMatchObject({ id, text: 'Hello', name: 'Alice', termId: host.admission.termId });
    expect(await say(host, id, 'Hello')).toEqual(first);
    expect((await say(member, id, 'Not mine')).statusCode).toBe('INVALID_INPUT');
    await say(host, newId(), 'Bye');
    await socket.message((m) => 'event' in m && m.event.type === 'chat' && m.event.message.text === 'Bye');
    expect(socket.eventTypes).toEqual(['chat', 'chat']);
  });

  test('from before their entry is for members, not for guests', async () => {
    const host = await join(alice);
    await host.calls.chat({ params: host.params, body: { id: newId(), text: 'Among us' } });
    server.clock.advance({ seconds: 1 });
    const guest = await admitted(host, await knock());
    server.clock.advance({ seconds: 1 });
    await host.calls.chat({ params: host.params, body: { id: newId(), text: 'Welcome' } });
    const texts = async (who: Inside) => (await stateOf(await watch(who))).messages.map(({ text }) => text);
    expect(await texts(await join(bob))).toEqual(['Among us', 'Welcome']);
    expect(await texts(guest)).toEqual(['Welcome']);

    const since = await connect(server, { sessionToken: guest.token });
    sockets.push(since);
    since.send({ subscribe: [`meeting:${made.meetId}`], since: { [`meeting:${made.meetId}`]: 0 } });
    await since.message((m) => 'event' in m && m.event.type === 'chat');
    expect(JSON.stringify(since.messages)).not.toContain('Among us');
  });
});

describe('a hand', () => {
  test('goes up and down, and raising it twice counts once', async () => {
    const host = await join(alice);
    const socket = await watch(host);
    await stateOf(socket);
    for (const raised of [true, true, false]) await host.calls.hand({ params: host.params, body: { raised } });
    await socket.message(
      (m) => 'event' in m && m.event.type === 'terminalChanged' && m.event.terminal.handRaisedAt === null,
    );
    expect(socket.eventTypes).toEqual(['terminalChanged', 'terminalChanged']);
  });
});

describe('ending', () => {
  test('notifies all terminals, empties the room and closes the meeting', async () => {
    const roomsBefore = server.media.rooms.size;
    const host = await join(alice);
    const [member, waiting] = [await join(bob), await knock()];
    const watching = [await watch(host), await watch(member), await watch(waiting)];
    const { params } = host;
    expect(await codeOf(member.calls.end({ params }))).toBe('FORBIDDEN');
    expect(await codeOf(bob.conferences.end({ params }))).toBe('FORBIDDEN');
    await host.calls.end({ params });
    const ends = await Promise.all(watching.map((socket) => socket.event('ended')));
    expect(ends.map(({ event }) => event)).toEqual(watching.map(() => ({ type: 'ended', why: 'over' })));
    expect(server.media.rooms.size).toBe(roomsBefore);
    expect(await alice.meetings.detail({ params: { id: made.meetId } })).toMatchObject({
      status: 'OFFLINE',
      terminalCount: 0,
      can: { join: false, end: false },
    });

    for (const tryIt of [
      () => member.calls.enter({ params }),
      () => member.calls.hand({ params, body: { raised: true } }),
      () => host.calls.end({ params }),
      () => alice.conferences.end({ params }),
    ])
      expect(await codeOf(tryIt())).toBe('CONFERENCE_OVER');
    expect(await codeOf(member.calls.leave({ params }))).toBe('OK');
  });

  test('a terminal that left receives nothing more', async () => {
    await join(alice);
    const member = await join(bob);
    const socket = await watch(member);
    await member.calls.leave({ params: member.params });
    expect(await socket.message((message) => 'error' in message)).toEqual({ error: 'TERMINAL_GONE' });
    await socket.closed;
  });

  test('works once if two callers do it at the same time', async () => {
    const host = await join(alice);
    const answers = await Promise.all([
      codeOf(host.calls.end({ params: host.params })),
      codeOf(alice.conferences.end({ params: host.params })),
    ]);
    expect(answers.toSorted()).toEqual(['CONFERENCE_OVER', 'OK']);
  });

  test('is refused to a terminal that left, and for other meetings', async () => {
    const host = await join(alice);
    expect(await codeOf(host.calls.end({ params: { meetId: newId() } }))).toBe('NOT_FOUND');
    await host.calls.leave({ params: host.params });
    expect(await codeOf(host.calls.leave({ params: host.params }))).toBe('TERMINAL_GONE');
    expect(await codeOf(host.calls.end({ params: host.params }))).toBe('TERMINAL_GONE');
    expect(await codeOf(alice.conferences.end({ params: host.params }))).toBe('OK');
  });
});
