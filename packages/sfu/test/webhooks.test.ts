import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AddTrackRequest, SessionDescription, TrackSource, TrackType, type WebhookEvent } from '@livekit/protocol';
import { WebhookReceiver } from 'livekit-server-sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../src/limits.ts';
import type { LogLevel } from '../src/index.ts';
import { DeliveryQueue } from '../src/webhooks/delivery-queue.ts';
import { joinToken, roomService, startEngine, until } from './support/engine.ts';
import { dualUrl, RawClient } from './support/raw-client.ts';

/** Answers every POST with the next of these statuses, then with 200. */
class Receiver {
  readonly bodies: string[] = [];
  readonly headers: Array<Record<string, string | string[] | undefined>> = [];
  statuses: number[] = [];
  readonly #server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      this.bodies.push(Buffer.concat(chunks).toString('utf8'));
      this.headers.push(request.headers);
      response.writeHead(this.statuses.shift() ?? 200).end();
    });
  });

  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook?key=hidden`;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}

let receiver: Receiver;
let url: string;
beforeEach(async () => {
  receiver = new Receiver();
  url = await receiver.open();
});
afterEach(async () => {
  await receiver.close();
});

it('reports rooms, participants and tracks, in order and signed as livekit-server-sdk expects', async () => {
  const engine = await startEngine({
    departureTimeout: 1,
    webhooks: { urls: [url], apiKey: 'hooks', apiSecret: 'another-secret-that-is-32-characters' },
  });
  const sdp = await readFile(new URL('fixtures/chromium-v0-publish.sdp', import.meta.url), 'utf8');
  const cid = /a=msid:\S+ (\S+)/.exec(sdp.slice(sdp.indexOf('m=video')))?.[1] ?? '';
  await roomService(engine).createRoom({ name: 'standup', metadata: 'm' });
  const alice = new RawClient(dualUrl(engine.port, await joinToken('alice', 'standup')));
  await alice.message('join');
  alice.send({
    case: 'addTrack',
    value: new AddTrackRequest({ cid, type: TrackType.VIDEO, source: TrackSource.CAMERA }),
  });
  alice.send({ case: 'offer', value: new SessionDescription({ type: 'offer', sdp }) });
  await alice.message('answer');
  await engine.close();
  const receive = new WebhookReceiver('hooks', 'another-secret-that-is-32-characters');
  const events: WebhookEvent[] = [];
  for (const [index, body] of receiver.bodies.entries())
    events.push(await receive.receive(body, String(receiver.headers[index]?.['authorization'])));
  expect(events.map(({ event }) => event)).toEqual([
    'room_started',
    'track_published',
    'track_unpublished',
    'participant_connection_aborted',
    'room_finished',
  ]);
  expect(receiver.headers[0]?.['content-type']).toBe('application/webhook+json');
  expect(events[0]).toMatchObject({
    room: { name: 'standup', metadata: 'm' },
    id: expect.stringMatching(/^EV_\w{12}$/),
    numDropped: 0,
  });
  expect(events[1]).toMatchObject({ participant: { identity: 'alice' }, track: { source: TrackSource.CAMERA } });
  expect(Number(events[0]?.createdAt)).toBeGreaterThan(Date.now() / 1000 - 60);
  await expect(
    receive.receive(receiver.bodies[0]!.replace('standup', 'other'), String(receiver.headers[0]?.['authorization'])),
  ).rejects.toThrow('sha256');
});

describe('a delivery queue', () => {
  const lines: string[] = [];
  const log = (_level: LogLevel, message: string, fields: Record<string, unknown>) =>
    lines.push(`${message} ${JSON.stringify(fields)}`);
  const queueTo = (address: string) => new DeliveryQueue(address, async () => ({}), log, [1, 1]);
  beforeEach(() => lines.splice(0));

  it('tries again when the receiver fails or is overloaded, and keeps the order', async () => {
    receiver.statuses = [500, 429, 200];
    const queue = queueTo(url);
    queue.push(() => 'first');
    queue.push(() => 'second');
    await queue.close(5000);
    expect(receiver.bodies).toEqual(['first', 'first', 'first', 'second']);
    expect(lines).toEqual([]);
  });

  it('gives up what is refused or fails too often, and reports with the next how many were lost', async () => {
    receiver.statuses = [400, 503, 503, 503];
    const queue = queueTo(url);
    for (const name of ['refused', 'failing', 'last']) queue.push((dropped) => `${name} ${dropped}`);
    await queue.close(5000);
    expect(receiver.bodies).toEqual(['refused 0', 'failing 1', 'failing 1', 'failing 1', 'last 2']);
    expect(lines).toHaveLength(2);
    expect(lines.join()).not.toContain('hidden');
  });

  it('has a limited length', async () => {
    const queue = queueTo('http://127.0.0.1:9/');
    let made = 0;
    for (let count = 0; count < limits.webhookQueue + 50; count += 1) queue.push(() => String((made += 1)));
    await queue.close(0);
    expect(made).toBeLessThanOrEqual(limits.webhookQueue);
    expect(lines[0]).toMatch(/^webhook receiver too slow/);
    expect(receiver.bodies).toEqual([]);
  });

  it('ends with its engine although the receiver does not answer', async () => {
    const queue = new DeliveryQueue('http://127.0.0.1:9/', async () => ({}), log, [60_000]);
    queue.push(() => 'lost');
    await until('the first attempt has failed', async () => {
      await queue.close(20);
      return lines.length === 1;
    });
    expect(lines[0]).toMatch(/^webhook not delivered/);
  });
});
