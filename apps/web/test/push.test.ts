import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { ControlStep, PushMessage, PushRequest, TerminalReport } from '@rmeet/contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocketServer, type WebSocket as Peer } from 'ws';
import {
  PushSocket,
  type AckFailure,
  type PushEvent,
  type PushSnapshot,
  type TopicHandler,
} from '../src/lib/push/socket.ts';
import { eventually } from './support.ts';

const MEETING = 'meeting:0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d11';
const changed = (meetId: string): PushEvent => ({ type: 'meetingsChanged', meetId });
/** An event as the server sends it to a receiver whose last version is `previous`. */
const event = (topic: string, version: number, what: PushEvent, previous = version - 1): PushMessage => ({
  topic,
  version,
  previous,
  event: what,
});
const step: ControlStep = {
  commandId: '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d20',
  version: 1,
  verb: 'depart',
  by: { kind: 'server', name: '', termId: null },
  at: '2026-11-20T09:00:00.000Z',
  changes: [],
  affected: [],
};
const left = (termId: string): PushEvent => ({ type: 'terminalLeft', termId, step });
const snapshot = { subject: 'Ward round' } as PushSnapshot;

let server: WebSocketServer;
let url: string;
let peers: Peer[];
/** The messages sent to the server, by connection. */
let received: PushRequest[][];
const open: PushSocket[] = [];

/** Answers a token with `ready`, unless it is `bad`. */
async function listen(port = 0): Promise<void> {
  server = new WebSocketServer({ port, host: '127.0.0.1' });
  server.on('connection', (peer) => {
    const requests: PushRequest[] = [];
    received.push(requests);
    peers.push(peer);
    peer.on('message', (data: Buffer) => {
      const request = JSON.parse(data.toString()) as PushRequest;
      requests.push(request);
      if ('token' in request) say(request.token === 'bad' ? { error: 'UNAUTHORIZED' } : { ready: true }, peer);
    });
  });
  await once(server, 'listening');
  url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function say(message: PushMessage, peer = peers.at(-1)): void {
  peer?.send(JSON.stringify(message));
}

async function stopListening(): Promise<void> {
  for (const peer of peers) peer.terminate();
  server.close();
  await once(server, 'close');
}

function connect(token = 'good', timing = {}): PushSocket {
  const socket = new PushSocket({ auth: { token }, url, timing: { retryMin: 5, retryMax: 20, ...timing } });
  open.push(socket);
  return socket;
}

/** Records everything a subscriber receives. */
function recorder() {
  const told: string[] = [];
  const handler: TopicHandler = {
    event: ({ type }, version) => {
      told.push(`${type} ${version}`);
    },
    snapshot: ({ subject }, version) => {
      told.push(`snapshot ${subject} ${version}`);
    },
    stale: () => told.push('stale'),
    refused: (code) => told.push(`refused ${code}`),
  };
  return { told, handler };
}

/** The message of the next uncaught error. */
function caught(): Promise<string> {
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  return new Promise((resolve) => {
    process.once('uncaughtException', (error) => {
      for (const listener of others) process.on('uncaughtException', listener);
      resolve(error.message);
    });
  });
}

const subscriptions = (connection: number) => (received[connection] ?? []).filter((request) => 'subscribe' in request);

beforeEach(async () => {
  peers = [];
  received = [];
  await listen();
});

afterEach(async () => {
  for (const socket of open.splice(0)) socket.close();
  await stopListening();
});

test('reports from when nothing is missed, after each connection and to a second follower too', async () => {
  const [first, second] = [recorder(), recorder()];
  const socket = connect();
  socket.subscribe('user', { ...first.handler, live: () => first.told.push('live') });
  await eventually(() => expect(received[0]).toHaveLength(2));
  expect(first.told).toEqual([]);
  say({ subscribed: 'user', version: 4 });
  await eventually(() => expect(first.told).toEqual(['live']));
  socket.subscribe('user', { ...second.handler, live: () => second.told.push('live') });
  expect(second.told).toEqual(['live']);
  peers[0]?.terminate();
  await eventually(() => expect(received[1]).toHaveLength(2));
  say({ subscribed: 'user', version: 4 });
  await eventually(() => expect(first.told).toEqual(['live', 'live']));
  expect(second.told).toEqual(['live', 'live']);
});

test('sends its token first, then subscribes, and passes on each event once and in order', async () => {
  const { told, handler } = recorder();
  connect().subscribe('activity', handler);
  await eventually(() => expect(received[0]).toEqual([{ token: 'good' }, { subscribe: ['activity'] }]));
  say({ subscribed: 'activity', version: 4 });
  say(event('activity', 5, changed('a')));
  say(event('activity', 5, changed('a')));
  say(event('activity', 6, changed('b')));
  await eventually(() => expect(told).toEqual(['meetingsChanged 5', 'meetingsChanged 6']));
});

test('reconnects with its versions, and catches up', async () => {
  const { told, handler } = recorder();
  const statuses: string[] = [];
  const socket = connect();
  socket.onStatus((status) => statuses.push(status));
  socket.subscribe(MEETING, handler);
  await eventually(() => expect(subscriptions(0)).toHaveLength(1));
  say({ subscribed: MEETING, version: 8 });
  say({ topic: MEETING, version: 8, snapshot });
  await eventually(() => expect(told).toHaveLength(1));
  peers[0]?.terminate();
  await eventually(() => expect(subscriptions(1)).toEqual([{ subscribe: [MEETING], since: { [MEETING]: 8 } }]));
  say({ subscribed: MEETING, version: 10 });
  say(event(MEETING, 9, left('T1')));
  say(event(MEETING, 10, left('T2')));
  await eventually(() => expect(told).toEqual(['snapshot Ward round 8', 'terminalLeft 9', 'terminalLeft 10']));
  expect(statuses).toEqual(['open', 'waiting', 'connecting', 'open']);
});

const acks = (connection: number) =>
  (received[connection] ?? []).flatMap((request) => ('ack' in request ? [request.ack] : []));

test('acknowledges commands when they are done, in order, with the reason of a failure', async () => {
  const asked: ReturnType<typeof Promise.withResolvers<AckFailure | null>>[] = [];
  connect().subscribe(MEETING, {
    // Events that require nothing from this terminal are not acknowledged.
    event: (_, version) => (version === 9 ? undefined : asked[asked.push(Promise.withResolvers()) - 1]?.promise),
  });
  await eventually(() => expect(subscriptions(0)).toHaveLength(1));
  say({ subscribed: MEETING, version: 7 });
  for (const version of [8, 9, 10, 11]) say(event(MEETING, version, left('T1')));
  await eventually(() => expect(asked).toHaveLength(3));
  asked[1]?.resolve('noDevice');
  asked[2]?.reject(new Error('a fault of the page'));
  const faults = caught();
  asked[0]?.resolve(null);
  await eventually(() =>
    expect(acks(0)).toEqual([
      { topic: MEETING, version: 8 },
      { topic: MEETING, version: 10, failed: 'noDevice' },
      { topic: MEETING, version: 11, failed: 'failed' },
    ]),
  );
  expect(await faults).toBe('a fault of the page');
});

test('repeats acknowledgements after a disconnection, in case they were lost', async () => {
  connect().subscribe(MEETING, { snapshot: () => Promise.resolve(null) });
  await eventually(() => expect(subscriptions(0)).toHaveLength(1));
  say({ topic: MEETING, version: 8, snapshot });
  await eventually(() => expect(acks(0)).toEqual([{ topic: MEETING, version: 8 }]));
  peers[0]?.terminate();
  await eventually(() => expect(subscriptions(1)).toHaveLength(1));
  say({ subscribed: MEETING, version: 8 });
  await eventually(() => expect(acks(1)).toEqual([{ topic: MEETING, version: 8 }]));
});

test('sends reports of a terminal, and receives them for a desk', async () => {
  const report: TerminalReport = {
    quality: 'good',
    estimateUp: null,
    estimateDown: null,
    roundTrip: 12,
    limitedBy: 'none',
    speaking: false,
    streams: [],
  };
  const told: unknown[] = [];
  const socket = connect();
  socket.report(MEETING, report);
  socket.subscribe(MEETING, { reports: (reports) => told.push(reports) });
  await eventually(() => expect(subscriptions(0)).toHaveLength(1));
  socket.report(MEETING, report);
  await eventually(() =>
    expect(received[0]?.filter((request) => 'report' in request)).toEqual([{ report: { topic: MEETING, report } }]),
  );
  say({ topic: MEETING, reports: { T1: report } });
  await eventually(() => expect(told).toEqual([{ T1: report }]));
});

test('keeps trying while the server is away', async () => {
  const socket = connect();
  await eventually(() => expect(socket.status).toBe('open'));
  const { port } = server.address() as AddressInfo;
  await stopListening();
  await eventually(() => expect(socket.status).not.toBe('open'));
  await listen(port);
  await eventually(() => expect(socket.status).toBe('open'));
});

test('requests a snapshot when events of a meeting are missing, and delays the rest', async () => {
  const { told, handler } = recorder();
  connect().subscribe(MEETING, handler);
  await eventually(() => expect(subscriptions(0)).toHaveLength(1));
  say({ topic: MEETING, version: 3, snapshot });
  say(event(MEETING, 6, left('T1')));
  await eventually(() => expect(subscriptions(0)).toEqual([{ subscribe: [MEETING] }, { subscribe: [MEETING] }]));
  say(event(MEETING, 7, left('T2')));
  say({ subscribed: MEETING, version: 7 });
  say({ topic: MEETING, version: 7, snapshot });
  await eventually(() => expect(told).toEqual(['snapshot Ward round 3', 'snapshot Ward round 7']));
});

test('a terminal in the waiting room gets the events without a snapshot', async () => {
  const { told, handler } = recorder();
  connect().subscribe(MEETING, handler);
  await eventually(() => expect(subscriptions(0)).toHaveLength(1));
  say({ subscribed: MEETING, version: 3 });
  say(event(MEETING, 5, { type: 'admitted' }, 3));
  await eventually(() => expect(told).toEqual(['admitted 5']));
});

test('calls a topic without a state stale when events are missing or the server restarts its numbering', async () => {
  const { told, handler } = recorder();
  connect().subscribe('activity', handler);
  await eventually(() => expect(subscriptions(0)).toHaveLength(1));
  say({ subscribed: 'activity', version: 3 });
  say(event('activity', 5, changed('x'), 3));
  say(event('activity', 9, changed('a')));
  await eventually(() => expect(told).toEqual(['meetingsChanged 5', 'stale', 'meetingsChanged 9']));
  peers[0]?.terminate();
  await eventually(() => expect(subscriptions(1)).toEqual([{ subscribe: ['activity'], since: { activity: 9 } }]));
  say({ subscribed: 'activity', version: 1 });
  say(event('activity', 2, changed('b')));
  await eventually(() => expect(told.slice(3)).toEqual(['stale', 'meetingsChanged 2']));
});

test('a refused token ends it; a refused topic ends that topic alone', async () => {
  const refused = connect('bad');
  await eventually(() => expect(refused.status).toBe('refused'));
  expect(refused.refusal).toBe('UNAUTHORIZED');
  const { told, handler } = recorder();
  const socket = connect();
  socket.subscribe(MEETING, handler);
  socket.subscribe('activity', handler);
  await eventually(() => expect(subscriptions(1)).not.toHaveLength(0));
  say({ error: 'FORBIDDEN', topic: MEETING });
  say({ subscribed: 'activity', version: 0 });
  say(event('activity', 1, changed('a')));
  await eventually(() => expect(told).toEqual(['refused FORBIDDEN', 'meetingsChanged 1']));
  expect(received).toHaveLength(2);
});

test('a second subscriber of a meeting gets the state too; the last one to leave unsubscribes', async () => {
  const first = recorder();
  const second = recorder();
  const socket = connect();
  const stopFirst = socket.subscribe(MEETING, first.handler);
  await eventually(() => expect(subscriptions(0)).toHaveLength(1));
  say({ topic: MEETING, version: 1, snapshot });
  await eventually(() => expect(first.told).toHaveLength(1));
  const stopSecond = socket.subscribe(MEETING, second.handler);
  await eventually(() => expect(subscriptions(0)).toHaveLength(2));
  say({ subscribed: MEETING, version: 1 });
  say({ topic: MEETING, version: 1, snapshot });
  await eventually(() => expect(second.told).toEqual(['snapshot Ward round 1']));
  stopFirst();
  stopSecond();
  await eventually(() => expect(received[0]?.at(-1)).toEqual({ unsubscribe: [MEETING] }));
});

test('a silent server is replaced by a new connection', async () => {
  connect('good', { pingEvery: 20, pongWithin: 20 });
  await eventually(() => expect(received.length).toBeGreaterThan(1));
  expect(received[0]).toContainEqual({ ping: expect.any(Number) });
});
