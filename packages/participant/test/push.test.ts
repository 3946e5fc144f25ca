import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { PushMessage, PushRequest } from '@rmeet/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import { PushConnection } from '../src/index.ts';

const meetId = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d11';
const topic = `meeting:${meetId}`;
const bob = { termId: 'bob', name: 'Bob', role: 'guest' as const, deviceType: 5, joinedAt: '2026-01-01T00:00:00.000Z', handRaisedAt: null };

/** A push socket that speaks the contract's words: what it got, and a way to say something. */
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
      if ('sessionToken' in request) say(request.sessionToken === 'good' ? { ready: true } : { error: 'UNAUTHORIZED' });
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
  meetId, conferenceId: meetId, subject: 'Ward round', numericId: '482913057', startedAt: '2026-01-01T00:00:00.000Z',
  me: { termId: 'alice', role: 'host' as const, name: 'Alice', can: { end: true, admit: true, invite: true } },
  invitation: null, terminals: [], waiting: [], messages: [],
};

test('shows its token, subscribes, acknowledges each event and keeps the state', async () => {
  const push = await open();
  await vi.waitFor(() => expect(got).toContainEqual({ subscribe: [topic], since: {} }));
  say({ topic, version: 4, snapshot });
  say({ topic, version: 5, previous: 4, event: { type: 'terminalJoined', terminal: bob } });
  await vi.waitFor(() => expect(got).toContainEqual({ ack: { topic, version: 5 } }));
  expect(push.states.get(topic)?.terminals).toEqual([bob]);
  expect(push.versions.get(topic)).toBe(5);
  push.close();
});

test('comes back after a broken connection and asks for what it missed', async () => {
  const push = await open({ reconnect: true });
  say({ topic, version: 4, snapshot });
  await once(push, 'snapshot');
  sockets[0]!.terminate();
  await vi.waitFor(() => expect(got).toContainEqual({ subscribe: [topic], since: { [topic]: 4 } }), { timeout: 5_000 });
  push.close();
});

test('an event after a gap is not taken; what lies between is asked for', async () => {
  const push = await open();
  say({ topic, version: 4, snapshot });
  await once(push, 'snapshot');
  say({ topic, version: 7, previous: 6, event: { type: 'terminalJoined', terminal: bob } });
  await vi.waitFor(() => expect(got).toContainEqual({ subscribe: [topic], since: { [topic]: 4 } }));
  expect(push.events).toEqual([]);
  push.close();
});

test('a refused token rejects with the server\'s code', async () => {
  await expect(open({ credentials: { sessionToken: 'bad' } })).rejects.toThrow('UNAUTHORIZED');
});
