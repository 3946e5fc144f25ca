import { describe, expect, test } from 'vitest';
import { ChunkType, ErrorCause, ParameterType } from '../../src/transport/sctp/wire/constants.ts';
import { writeInit } from '../../src/transport/sctp/wire/init.ts';
import { PacketWriter } from '../../src/transport/sctp/wire/packet-writer.ts';
import { parameter } from '../../src/transport/sctp/wire/parameters.ts';
import { connectedPair, pair, Peer } from './support.ts';
import { SimulatedLink, VirtualClock } from '../support/simulated-network.ts';

function packetOf(tag: number, type: number, value: Uint8Array, flags = 0): Buffer {
  const writer = new PacketWriter(1200);
  writer.begin(5000, 5000, tag);
  writer.buffer.set(value, writer.chunk(type, flags, value.length));
  return Buffer.from(writer.finish());
}

function init(more: Uint8Array = Buffer.alloc(0), tag = 77): Buffer {
  const fixed = writeInit({
    initiateTag: tag,
    receiveWindow: 100_000,
    outgoingStreams: 10,
    incomingStreams: 10,
    initialTsn: 5,
  });
  return packetOf(0, ChunkType.init, Buffer.concat([fixed, more]));
}

/** Bob alone, with what he sends. */
function alone(): { clock: VirtualClock; bob: Peer; sent: Buffer[] } {
  const clock = new VirtualClock();
  const bob = new Peer(clock, {});
  const sent: Buffer[] = [];
  bob.link = new SimulatedLink(clock, { delayMs: 0 }, (packet) => sent.push(packet));
  return { clock, bob, sent };
}

/** The cookie of an INIT ACK without further parameters before it. */
function cookieOf(initAck: Buffer): Buffer {
  for (let at = 12 + 4 + 16; ; at += (initAck.readUInt16BE(at + 2) + 3) & ~3) {
    if (initAck.readUInt16BE(at) === ParameterType.stateCookie) {
      return initAck.subarray(at + 4, at + initAck.readUInt16BE(at + 2));
    }
  }
}

describe('setting up an SCTP association', () => {
  test('both sides send INIT at once and are connected after two round trips', () => {
    const { clock, alice, bob } = connectedPair({ delayMs: 20 });
    expect(clock.exact).toBeLessThanOrEqual(80);
    expect([alice.closedBecause, bob.closedBecause]).toEqual([undefined, undefined]);
  });

  test('one side alone may start', () => {
    const { clock, alice, bob } = pair();
    alice.association.start();
    expect(clock.runUntil(() => alice.isConnected && bob.isConnected, 1000)).toBe(true);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
    'connects through a loss of 0.3, duplicates and reordering (seed %i)',
    (seed) => {
      const { clock } = connectedPair({ loss: 0.3, duplicates: 0.2, jitterMs: 50, seed });
      expect(clock.exact).toBeLessThan(20_000);
    },
  );

  test('an INIT without an answer is repeated, then the association ends', () => {
    const { clock, alice } = pair({ loss: 1 });
    alice.association.start();
    clock.runUntil(() => alice.closedBecause !== undefined, 60_000);
    expect(alice.closedBecause).toBe('no answer to INIT');
    expect(alice.link?.sent).toBe(9);
  });

  test('INITs leave no state: a cookie that is forged or of another association connects nothing', () => {
    const { clock, bob, sent } = alone();
    for (let tag = 1; tag <= 100; tag++) {
      bob.association.receive(init(undefined, tag));
    }
    clock.run(1);
    expect(sent).toHaveLength(100);
    const cookie = Buffer.from(cookieOf(sent[0]!));
    const ownTag = sent[0]!.readUInt32BE(16);
    const forged = Buffer.from(cookie);
    forged[13]! ^= 1;
    bob.association.receive(packetOf(ownTag, ChunkType.cookieEcho, forged));
    const other = alone();
    other.bob.association.receive(init());
    other.clock.run(1);
    bob.association.receive(packetOf(ownTag, ChunkType.cookieEcho, cookieOf(other.sent[0]!)));
    expect(bob.isConnected).toBe(false);
    bob.association.receive(packetOf(ownTag, ChunkType.cookieEcho, cookie));
    expect(bob.isConnected).toBe(true);
  });

  test('a cookie older than a minute is answered by the error Stale Cookie', () => {
    const { clock, bob, sent } = alone();
    bob.association.receive(init());
    clock.run(60_001);
    const ownTag = sent[0]!.readUInt32BE(16);
    bob.association.receive(packetOf(ownTag, ChunkType.cookieEcho, cookieOf(sent[0]!)));
    clock.run(1);
    expect(bob.isConnected).toBe(false);
    expect(sent[1]![12]).toBe(ChunkType.error);
    expect(sent[1]!.readUInt16BE(16)).toBe(ErrorCause.staleCookie);
  });

  test('unknown parameters of an INIT are reported in the INIT ACK if their type asks for it', () => {
    const { clock, bob, sent } = alone();
    bob.association.receive(
      init(Buffer.concat([parameter(0xbf01, Buffer.alloc(4)), parameter(0xff02, Buffer.from([1, 2, 3, 4]))])),
    );
    clock.run(1);
    expect(sent[0]!.includes(Buffer.from([0, 8, 0, 12, 0xff, 2, 0, 8, 1, 2, 3, 4]))).toBe(true);
    expect(sent[0]!.includes(Buffer.from([0xbf, 1]))).toBe(false);
  });

  test('a peer that restarts within a connection is not answered', () => {
    const { clock, alice, bob } = connectedPair();
    const before = bob.link!.sent;
    bob.association.receive(init());
    clock.run(100);
    expect(bob.link!.sent).toBe(before);
    expect([alice.closedBecause, bob.closedBecause]).toEqual([undefined, undefined]);
  });

  test('packets with a wrong tag, port or checksum are counted and change nothing', () => {
    const { bob } = connectedPair();
    const abort = packetOf(12_345, ChunkType.abort, Buffer.alloc(0));
    bob.association.receive(abort);
    const port = init();
    port.writeUInt16BE(4999, 0);
    bob.association.receive(port);
    const damaged = init();
    damaged[20]! ^= 4;
    bob.association.receive(damaged);
    bob.association.receive(Buffer.alloc(3));
    expect(bob.association.packetsRefused).toBe(4);
    expect(bob.closedBecause).toBeUndefined();
  });
});

describe('the end of an SCTP association', () => {
  test('close sends ABORT: the peer is closed, the closing side is not called any more', () => {
    const { clock, alice, bob } = connectedPair();
    alice.association.close();
    clock.run(100);
    expect(bob.closedBecause).toBe('aborted by the peer');
    expect(alice.closedBecause).toBeUndefined();
  });

  test('shutdown delivers what is queued before it ends both sides, through loss', () => {
    const both = connectedPair({ loss: 0.1 });
    const { clock, alice, bob } = both;
    const channel = alice.association.openChannel('bulk', { ordered: true });
    for (let index = 0; index < 50; index++) {
      alice.association.send(channel, Buffer.alloc(10_000, index));
    }
    alice.association.shutdown();
    clock.runUntil(() => alice.closedBecause !== undefined && bob.closedBecause !== undefined, 60_000);
    expect([alice.closedBecause, bob.closedBecause]).toEqual(['shut down', 'shut down']);
    expect(bob.received.map(({ message }) => message[0])).toEqual(Array.from({ length: 50 }, (_, index) => index));
    expect(alice.association.send(channel, Buffer.from('late'))).toBe(false);
  });

  test('both sides shut down at once', () => {
    const { clock, alice, bob } = connectedPair();
    alice.association.shutdown();
    bob.association.shutdown();
    clock.runUntil(() => alice.closedBecause !== undefined && bob.closedBecause !== undefined, 60_000);
    expect([alice.closedBecause, bob.closedBecause]).toEqual(['shut down', 'shut down']);
  });

  test('a peer that vanishes is found by heartbeats or data within a minute or two', () => {
    const idle = connectedPair();
    idle.bob.link!.isCut = true;
    idle.clock.runUntil(() => idle.alice.closedBecause !== undefined, 120_000);
    expect(idle.alice.closedBecause).toBe('the peer does not answer');
    const busy = connectedPair();
    busy.bob.link!.isCut = true;
    const begin = busy.clock.exact;
    const channel = busy.alice.association.openChannel('x', { ordered: true });
    busy.alice.association.send(channel, Buffer.from('hello'));
    busy.clock.runUntil(() => busy.alice.closedBecause !== undefined, 120_000);
    expect(busy.alice.closedBecause).toBe('the peer does not answer');
    expect(busy.clock.exact - begin).toBeLessThan(60_000);
  });

  test('an idle connection lives on and sends little', () => {
    const { clock, alice, bob } = connectedPair({ loss: 0.1 });
    clock.run(3_600_000);
    expect([alice.closedBecause, bob.closedBecause]).toEqual([undefined, undefined]);
    expect(alice.link!.sent).toBeLessThan(800);
  });
});
