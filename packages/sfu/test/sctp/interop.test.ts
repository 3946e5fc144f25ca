/**
 * Our SCTP behind our DTLS and ICE against usrsctp of libdatachannel, over loopback and a relay that loses datagrams.
 */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { PeerConnection, type DataChannel } from 'node-datachannel';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readPipeParameters, type TransportParameters } from '@rmeet/rtp/sdp';
import { until } from '@rmeet/testkit';
import { Counters } from '../../src/counters.ts';
import { Hub } from '../../src/transport/native/hub.ts';
import type { Transport } from '../../src/transport/transport.ts';
import { needNative } from '../support/native.ts';
import { seededRandom } from '../support/simulated-network.ts';
import { pattern } from './support.ts';

beforeEach(needNative);

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0).toReversed()) {
    close();
  }
});

/** Forwards datagrams between the first address that sends and the port, and loses some once DTLS is connected. */
class LossyRelay {
  isLossy = false;
  readonly #socket: Socket = createSocket('udp4');
  readonly #random = seededRandom(7);

  async start(port: number, loss: number): Promise<number> {
    let client = 0;
    this.#socket.on('message', (datagram, from) => {
      if (from.port !== port) {
        client = from.port;
      }
      if (!this.isLossy || this.#random() >= loss) {
        this.#socket.send(datagram, from.port === port ? client : port, '127.0.0.1');
      }
    });
    this.#socket.bind(0, '127.0.0.1');
    await once(this.#socket, 'listening');
    closers.push(() => this.#socket.close());
    return this.#socket.address().port;
  }
}

interface Ends {
  alice: PeerConnection;
  reliable: DataChannel;
  lossy: DataChannel;
  engine: Transport;
  got: { label: string; message: Buffer }[];
  relay: LossyRelay;
}

/** The engine's side, which is ours, and the relay in front of it. */
async function engineSide(loss: number): Promise<Pick<Ends, 'engine' | 'got' | 'relay'> & { port: number }> {
  const hub = new Hub({ udpPort: 0, bindAddress: '127.0.0.1', counters: new Counters(), log: () => undefined });
  closers.push(() => hub.release());
  const got: Ends['got'] = [];
  const engine = hub.create('alice', {
    handleConnected: () => undefined,
    handleClosed: () => undefined,
    handleRtp: () => undefined,
    handleRtcp: () => undefined,
    handleData: (label, message) => got.push({ label, message: Buffer.from(message) }),
  });
  closers.push(() => engine.close());
  const relay = new LossyRelay();
  return { engine, got, relay, port: await relay.start(hub.udpPort, loss) };
}

function newClient(): PeerConnection {
  const client = new PeerConnection('alice', { iceServers: [], bindAddress: '127.0.0.1' });
  closers.push(() => client.close());
  return client;
}

/** A description of the engine's side with a data section only. */
function description(local: TransportParameters, port: number): string {
  return [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    'a=ice-lite',
    'a=group:BUNDLE 0',
    'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
    'c=IN IP4 0.0.0.0',
    'a=mid:0',
    `a=ice-ufrag:${local.iceUfrag}`,
    `a=ice-pwd:${local.icePwd}`,
    `a=fingerprint:sha-256 ${local.fingerprint}`,
    `a=setup:${local.setup}`,
    'a=sctp-port:5000',
    'a=max-message-size:65536',
    `a=candidate:1 1 UDP 2122317823 127.0.0.1 ${port} typ host`,
    'a=end-of-candidates',
    '',
  ].join('\r\n');
}

/** Alice is a client with libdatachannel that offers. */
async function connect(loss: number): Promise<Ends> {
  const { engine, got, relay, port } = await engineSide(loss);
  const alice = newClient();
  const reliable = alice.createDataChannel('_reliable');
  const lossy = alice.createDataChannel('_lossy', { unordered: true, maxRetransmits: 0 });
  const local = engine.accept(readPipeParameters(alice.localDescription()!.sdp));
  alice.setRemoteDescription(description(local, port), 'answer');
  await until('the channels are open', () => reliable.isOpen() && lossy.isOpen(), { within: 10_000 });
  relay.isLossy = true;
  return { alice, reliable, lossy, engine, got, relay };
}

test.each([0, 0.05])(
  'messages of all sizes arrive in order from and at usrsctp with loss %f',
  { timeout: 60_000 },
  async (loss) => {
    const { reliable, engine, got } = await connect(loss);
    const back: Buffer[] = [];
    reliable.onMessage((message) => back.push(Buffer.from(message as Buffer)));
    const sizes = Array.from({ length: 150 }, (_, index) => 1 + ((index * index * 37) % 60_000));
    for (const [index, size] of sizes.entries()) {
      reliable.sendMessageBinary(pattern(size, index));
      expect(engine.sendData('_reliable', pattern(size, index + 3))).toBe('sent');
    }
    await until('all arrived', () => got.length === sizes.length && back.length === sizes.length, { within: 50_000 });
    for (const [index, size] of sizes.entries()) {
      expect(got[index]!.message.equals(pattern(size, index))).toBe(true);
      expect(back[index]!.equals(pattern(size, index + 3))).toBe(true);
    }
  },
);

test('messages of a lossy channel are given up on both sides, and later ones arrive', { timeout: 60_000 }, async () => {
  const { lossy, engine, got, relay } = await connect(0.2);
  const back: number[] = [];
  lossy.onMessage((message) => back.push((message as Buffer)[0]!));
  for (let round = 0; round < 15; round++) {
    for (let index = 0; index < 20; index++) {
      lossy.sendMessageBinary(Buffer.alloc(500, round));
      engine.sendData('_lossy', Buffer.alloc(500, round));
    }
    await until('a message of the round arrived', () => back.includes(round) && got.at(-1)?.message[0] === round);
  }
  relay.isLossy = false;
  const lost = 300 - back.length + (300 - got.length);
  expect(lost).toBeGreaterThan(20);
  await until('both directions go on', () => {
    lossy.sendMessageBinary(Buffer.from([255]));
    engine.sendData('_lossy', Buffer.from([255]));
    return back.includes(255) && got.some(({ message }) => message[0] === 255);
  });
  expect(got.every(({ label }) => label === '_lossy')).toBe(true);
});

test('channels that usrsctp closes are closed here, and their ids are used again', { timeout: 60_000 }, async () => {
  const { alice, got } = await connect(0.05);
  for (let round = 0; round < 10; round++) {
    const channel = alice.createDataChannel(`round ${round}`);
    await until('the channel is open', () => channel.isOpen(), { within: 10_000 });
    channel.sendMessageBinary(Buffer.from([round]));
    await until('the message arrived', () => got.length === round + 1, { within: 10_000 });
    expect(got[round]).toMatchObject({ label: `round ${round}`, message: Buffer.from([round]) });
    channel.close();
  }
});

test(
  'channels that we open work at usrsctp, with messages from before they were open',
  { timeout: 60_000 },
  async () => {
    const { engine, relay, port } = await engineSide(0.05);
    relay.isLossy = true;
    const alice = newClient();
    const got = new Map<string, number[]>();
    alice.onDataChannel((channel) => {
      const messages: number[] = [];
      got.set(channel.getLabel(), messages);
      channel.onMessage((message) => messages.push((message as Buffer)[0]!));
    });
    alice.setRemoteDescription(description(engine.offer(), port), 'offer');
    engine.complete(readPipeParameters(alice.localDescription()!.sdp));
    for (let index = 0; index < 20; index++) {
      expect(engine.sendData('_reliable', Buffer.alloc(3000, index))).toBe('sent');
    }
    await until('the messages arrived', () => got.get('_reliable')?.length === 20, { within: 20_000 });
    expect(got.get('_reliable')).toEqual(Array.from({ length: 20 }, (_, index) => index));
    await until('a lossy message arrived', () => {
      engine.sendData('_lossy', Buffer.from([1]));
      return got.get('_lossy')?.includes(1);
    });
  },
);
