import { gzipSync } from 'node:zlib';
import { connect } from 'node:net';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import {
  AddTrackRequest,
  SessionDescription,
  TrackType,
  WrappedJoinRequest,
  WrappedJoinRequest_Compression,
} from '@livekit/protocol';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Engine } from '../src/index.ts';
import { limits } from '../src/limits.ts';
import { joinToken, startEngine, until } from './support/engine.ts';
import { dualUrl, RawClient, singleUrl } from './support/raw-client.ts';

let engine: Engine;
let witness: RawClient;
beforeEach(async () => {
  engine = await startEngine();
  witness = new RawClient(dualUrl(engine.port, await joinToken('witness', 'r')));
  await witness.message('join');
});
afterEach(async () => {
  await engine.close();
});

/** Another participant can still join, and present ones are still connected. */
async function stillServing(): Promise<void> {
  const other = new RawClient(dualUrl(engine.port, await joinToken('other', 'r')));
  await other.message('join');
  expect(witness.closed).toBe(false);
}

it('refuses join requests that cannot be read or expand too much', async () => {
  const token = await joinToken('mallory', 'r');
  const bomb = new WrappedJoinRequest({
    compression: WrappedJoinRequest_Compression.GZIP,
    joinRequest: gzipSync(Buffer.alloc(30_000_000)),
  });
  const requests = [Buffer.from(bomb.toBinary()).toString('base64url'), 'AAAA', '%00%ff', ''];
  const statuses = await Promise.all(
    requests.map(
      async (request) =>
        (await fetch(`http://127.0.0.1:${engine.port}/rtc/v1/validate?access_token=${token}&join_request=${request}`))
          .status,
    ),
  );
  expect(statuses[0]).toBe(400);
  expect(statuses.every((status) => status < 500)).toBe(true);
  await stillServing();
});

it('refuses unusable SDP in a join, an offer and an answer', async () => {
  const bad = new SessionDescription({ type: 'offer', sdp: 'v=0\r\nm=audio 9 X 0\r\na=ice-ufrag:../../\r\n', id: 1 });
  const joining = new RawClient(singleUrl(engine.port, await joinToken('mallory', 'r'), { publisherOffer: bad }));
  await joining.message('leave');
  const client = new RawClient(dualUrl(engine.port, await joinToken('eve', 'r')));
  const { id } = await client.message('offer');
  for (const sdp of ['', '\0', bad.sdp, 'm='.repeat(10_000)]) {
    client.send({ case: 'offer', value: new SessionDescription({ type: 'offer', sdp, id: 3 }) });
    client.send({ case: 'answer', value: new SessionDescription({ type: 'answer', sdp, id }) });
  }
  client.send({ case: 'ping', value: 1n });
  await client.message('pong');
  await stillServing();
});

it('logs refused sections of a participant once, with the reason and without the content', async () => {
  const lines: { level: string; fields: unknown }[] = [];
  const other = await startEngine({
    log: (level, message, fields) => void (message === 'section refused' && lines.push({ level, fields })),
  });
  const sdp = readFileSync(join(import.meta.dirname, 'fixtures', 'firefox-v0-publish.sdp'), 'utf8');
  const client = new RawClient(dualUrl(other.port, await joinToken('mallory', 'r')));
  await client.message('join');
  for (const id of [1, 2, 3])
    client.send({
      case: 'offer',
      value: new SessionDescription({ type: 'offer', sdp: sdp.replaceAll('a=mid:1', `a=mid:1${id}`), id }),
    });
  await until(
    'all offers are answered',
    () => client.received.filter((message) => message.case === 'answer').length === 3,
  );
  const metrics = await (await fetch(`http://127.0.0.1:${other.port}/metrics`)).text();
  await other.close();
  expect(lines.filter(({ level }) => level !== 'debug')).toEqual([
    {
      level: 'warn',
      fields: { room: 'r', identity: 'mallory', kind: 'audio', mid: '11', reason: 'no track announced' },
    },
  ]);
  expect(metrics).toMatch(/^rmeet_sfu_sections_refused_total 4$/m);
});

it('survives thousands of mutated requests and disconnects a flooding client', async () => {
  const client = new RawClient(dualUrl(engine.port, await joinToken('mallory', 'r')));
  await client.message('join');
  let random = 3;
  const whole = Buffer.from('0a10080012', 'hex');
  for (let round = 0; round < 5000; round += 1) {
    random = (random * 1_103_515_245 + 12_345) & 0x7fffffff;
    const bytes = Buffer.concat([whole, Buffer.alloc(random % 40, random >> 4)]);
    bytes[random % bytes.length] = random >> 16;
    client.socket.send(bytes);
  }
  await until('the flood is cut off', () => client.closed);
  await stillServing();
});

it('closes a socket that sends more than a message may contain', async () => {
  const client = new RawClient(dualUrl(engine.port, await joinToken('mallory', 'r')));
  await client.message('join');
  client.socket.send(Buffer.alloc(limits.signalMessageBytes + 1));
  await until('it is closed', () => client.closed);
  await stillServing();
});

it('accepts a limited number of tracks per participant', async () => {
  const client = new RawClient(dualUrl(engine.port, await joinToken('mallory', 'r')));
  await client.message('join');
  for (let i = 0; i < 100; i += 1)
    client.send({ case: 'addTrack', value: new AddTrackRequest({ cid: `c${i}`, type: TrackType.AUDIO }) });
  await until(
    'all are answered',
    () =>
      client.received.filter(({ case: kind }) => kind === 'trackPublished' || kind === 'requestResponse').length ===
      100,
  );
  expect(client.received.filter(({ case: kind }) => kind === 'trackPublished')).toHaveLength(
    limits.tracksPerParticipant,
  );
  await stillServing();
});

it('answers broken HTTP and keeps running', async () => {
  for (const line of [
    'GET // HTTP/1.1',
    'GET http://[ HTTP/1.1',
    'POST /twirp/livekit.RoomService/%zz HTTP/1.1',
    'GET /rtc?access_token=%ff HTTP/1.1',
    'NOISE',
  ]) {
    const socket = connect(engine.port, '127.0.0.1');
    socket.on('error', () => socket.destroy());
    socket.end(
      `${line}\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-key: ` +
        `x\r\nsec-websocket-version: 13\r\n\r\n`,
    );
    socket.resume();
    await once(socket, 'close');
  }
  await stillServing();
});
