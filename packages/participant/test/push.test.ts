import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import {
  applyCommand,
  controlChanges,
  NO_CONTROL,
  type ConferenceCommand,
  type ConferenceControl,
} from '@rmeet/conference';
import type { ControlStep, PushMessage, PushRequest } from '@rmeet/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import { PushConnection } from '../src/index.ts';

const meetId = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d11';
const topic = `meeting:${meetId}`;
const bob = {
  termId: 'bob',
  name: 'Bob',
  role: 'guest' as const,
  deviceType: 5,
  joinedAt: '2026-01-01T00:00:00.000Z',
  handRaisedAt: null,
};

/** A push socket with the contract's messages: what it received, and a function to send. */
let server: WebSocketServer;
let got: PushRequest[];
let sockets: WebSocket[];
const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const say = (message: PushMessage): void => sockets.at(-1)!.send(JSON.stringify(message));

beforeEach(async () => {
  got = [];
  sockets = [];
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', (socket) => {
    sockets.push(socket);
    socket.on('message', (bytes: Uint8Array) => {
      const request = JSON.parse(Buffer.from(bytes).toString()) as PushRequest;
      got.push(request);
      const token =
        'sessionToken' in request ? request.sessionToken : 'deskToken' in request ? request.deskToken : undefined;
      if (token !== undefined) say(token === 'good' ? { ready: true } : { error: 'UNAUTHORIZED' });
    });
  });
  await once(server, 'listening');
});
afterEach(() => {
  for (const socket of sockets) socket.terminate();
  server.close();
});

const open = (options: Partial<Parameters<typeof PushConnection.open>[0]> = {}): Promise<PushConnection> =>
  PushConnection.open({ url: url(), credentials: { sessionToken: 'good' }, topics: [topic], ...options });

const snapshot = {
  meetId,
  conferenceId: meetId,
  subject: 'Ward round',
  numericId: '482913057',
  startedAt: '2026-01-01T00:00:00.000Z',
  endsAt: null,
  me: {
    termId: 'alice',
    role: 'host' as const,
    name: 'Alice',
    can: {
      end: true,
      admit: true,
      invite: true,
      control: true,
      lock: true,
      handOverChair: true,
      share: true,
      record: false,
    },
  },
  invitation: null,
  control: NO_CONTROL,
  terminals: [],
  waiting: [],
  messages: [],
};

const desk = {
  desk: true as const,
  meetId,
  conferenceId: meetId,
  subject: 'Ward round',
  numericId: '482913057',
  host: 'Alice',
  startedAt: '2026-01-01T00:00:00.000Z',
  bookedUntil: '2026-01-01T01:00:00.000Z',
  endsAt: null,
  engine: 'rz',
  cannot: {},
  can: [],
  control: NO_CONTROL,
  terminals: [],
  waiting: [],
  invitees: [],
  scenes: [],
  commands: [],
};

/** A command as it is pushed. */
function stepOf(command: ConferenceCommand, before: ConferenceControl = NO_CONTROL): ControlStep {
  const after = applyCommand(before, command);
  return {
    commandId: meetId,
    version: after.version,
    verb: command.verb,
    by: { kind: 'server', name: '', termId: null },
    at: '2026-01-01T00:00:00.000Z',
    changes: controlChanges(before, after),
    affected: [],
  };
}
const bobArrives = {
  type: 'terminalJoined' as const,
  terminal: bob,
  step: stepOf({ verb: 'arrive', termId: 'bob', name: 'Bob', role: 'guest', previousTermId: null }),
};

test('shows its token, subscribes, acknowledges each event and keeps the state', async () => {
  const push = await open();
  await vi.waitFor(() => expect(got).toContainEqual({ subscribe: [topic], since: {} }));
  say({ topic, version: 4, snapshot });
  say({ topic, version: 5, previous: 4, event: bobArrives });
  await vi.waitFor(() => expect(got).toContainEqual({ ack: { topic, version: 5 } }));
  expect(push.states.get(topic)?.terminals).toEqual([bob]);
  expect(push.versions.get(topic)).toBe(5);
  push.close();
});

test('reconnects and requests what it missed', async () => {
  const push = await open({ reconnect: true });
  say({ topic, version: 4, snapshot });
  await once(push, 'snapshot');
  sockets[0]!.terminate();
  await vi.waitFor(() => expect(got).toContainEqual({ subscribe: [topic], since: { [topic]: 4 } }), { timeout: 5_000 });
  say({ subscribed: topic, version: 5 });
  say({ topic, version: 5, previous: 4, event: bobArrives });
  await once(push, 'event');
  expect(push.states.get(topic)?.terminals).toEqual([bob]);
  push.close();
});

test('an event after a gap is not applied, and the missing ones are requested', async () => {
  const push = await open();
  say({ topic, version: 4, snapshot });
  await once(push, 'snapshot');
  say({ topic, version: 7, previous: 6, event: bobArrives });
  await vi.waitFor(() => expect(got).toContainEqual({ subscribe: [topic], since: { [topic]: 4 } }));
  expect(push.events).toEqual([]);
  push.close();
});

test('a terminal reports the commands it could not obey, and its media', async () => {
  const push = await open({ acknowledge: ({ event }) => (event.type === 'control' ? 'noDevice' : undefined) });
  say({ topic, version: 4, snapshot });
  say({ topic, version: 5, previous: 4, event: bobArrives });
  say({
    topic,
    version: 6,
    previous: 5,
    event: { type: 'control', step: stepOf({ verb: 'mute', termIds: ['bob'], muted: true }) },
  });
  await vi.waitFor(() => expect(got).toContainEqual({ ack: { topic, version: 6, failed: 'noDevice' } }));
  expect(got).toContainEqual({ ack: { topic, version: 5 } });
  const report = {
    quality: 'good' as const,
    estimateUp: null,
    estimateDown: null,
    roundTrip: 12,
    limitedBy: 'none' as const,
    speaking: false,
    streams: [],
  };
  push.report(topic, report);
  await vi.waitFor(() => expect(got).toContainEqual({ report: { topic, report } }));
  push.close();
});

test('a desk follows its own state, with the log and the reports, and acknowledges nothing', async () => {
  const push = await open({ credentials: { deskToken: 'good' } });
  say({ topic, version: 4, snapshot: desk });
  say({ topic, version: 5, previous: 4, event: bobArrives });
  say({
    topic,
    version: 6,
    previous: 5,
    event: { type: 'acknowledged', acks: [{ commandId: meetId, termId: '@engine', latency: 12, failed: null }] },
  });
  say({
    topic,
    reports: {
      bob: {
        quality: 'poor',
        estimateUp: null,
        estimateDown: null,
        roundTrip: null,
        limitedBy: 'none',
        speaking: true,
        streams: [],
      },
    },
  });
  await once(push, 'reports');
  const state = push.desks.get(topic);
  expect(state?.terminals).toMatchObject([{ termId: 'bob', name: 'Bob' }]);
  expect(state?.control.terminals).toHaveProperty('bob.present', true);
  expect(state?.commands).toMatchObject([{ verb: 'arrive', acknowledgements: [{ termId: '@engine', latency: 12 }] }]);
  expect(push.reports.get('bob')?.quality).toBe('poor');
  expect(got.some((request) => 'ack' in request)).toBe(false);
  push.close();
});

test("a refused token rejects with the server's code", async () => {
  await expect(open({ credentials: { sessionToken: 'bad' } })).rejects.toThrow('UNAUTHORIZED');
});
