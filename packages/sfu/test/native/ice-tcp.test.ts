import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { TransportParameters } from '@rmeet/rtp/sdp';
import { Counters } from '../../src/counters.ts';
import { Hub } from '../../src/transport/native/hub.ts';
import { TcpConnections } from '../../src/transport/native/ice-tcp.ts';
import { PacketQueue } from '../../src/transport/native/packet-queue.ts';
import type { Path } from '../../src/transport/native/path.ts';
import type { Peer } from '../../src/transport/native/peer.ts';
import { slots } from '../../src/transport/native/slots.ts';
import { startEngine, until } from '../support/engine.ts';
import { bindingRequest, HubClient, rtpPacket } from '../support/hub-client.ts';
import { needNative } from '../support/native.ts';

let now = 0;
let counters: Counters;
let hub: Hub;
let alice: HubClient;
let peer: Peer;
let port: number;
let local: TransportParameters;
const seen = { connected: 0, closed: 0, packets: [] as number[] };

beforeEach(needNative);
beforeEach(async () => {
  now = 0;
  Object.assign(seen, { connected: 0, closed: 0, packets: [] });
  counters = new Counters();
  hub = new Hub({ udpPort: 0, counters, log: () => undefined, clock: () => now, ufragPrefix: '07' });
  port = await hub.listenTcp(0, '127.0.0.1');
  alice = new HubClient(hub.udpPort);
  peer = hub.create('alice', {
    handleConnected: () => (seen.connected += 1),
    handleClosed: () => (seen.closed += 1),
    handleRtp: (packet) => seen.packets.push(packet.readUInt16BE(2)),
    handleRtcp: () => undefined,
    handleData: () => undefined,
  });
  local = peer.accept(alice.parameters);
});
afterEach(() => {
  alice.close();
  hub.release();
});

async function connect(): Promise<void> {
  alice.check(local);
  await until('the check is answered', () => alice.responses.at(-1));
  alice.connect(local);
  await until('both are connected', () => alice.connected && seen.connected === 1);
}

it('carries checks, the handshake and media in both directions over one connection', async () => {
  expect(local.iceUfrag.startsWith('07')).toBe(true);
  await alice.moveToTcp(port);
  await connect();
  expect(alice.responses[0]!.readUInt16BE(0)).toBe(0x0101);
  for (let sequence = 1; sequence <= 50; sequence += 1) {
    alice.send(alice.protect(rtpPacket(sequence, 1_000)));
    peer.send(rtpPacket(sequence, 1_000), true);
  }
  await until('all packets have come', () => seen.packets.length === 50 && alice.received.length === 50);
  expect(seen.packets).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  expect(counters.tcpConnections).toBe(1);
  expect(counters.packetsUnsent).toBe(0);
});

it('takes over a connection that another process has accepted, with what it has read', async () => {
  const front = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
  await once(front, 'listening');
  const accepted = once(front, 'connection');
  await alice.moveToTcp((front.address() as AddressInfo).port);
  const [socket] = (await accepted) as [Socket];
  const check = bindingRequest(alice.ufrag, local);
  hub.acceptTcp(socket, Buffer.concat([Buffer.from([0, check.length]), check]));
  await until('the check is answered', () => alice.responses.length === 1);
  await connect();
  front.close();
});

it('follows a peer from UDP to TCP and notices that the connection ends', async () => {
  await alice.move();
  await connect();
  const socket = await alice.moveToTcp(port);
  now += 3_000;
  alice.check(local);
  await until('the check is answered', () => alice.responses.length === 2);
  peer.send(rtpPacket(1, 100), false);
  await until('media comes by TCP', () => alice.received.length === 1);
  expect(socket.bytesRead).toBeGreaterThan(100);
  socket.destroy();
  await until('nothing goes to the closed connection', () => {
    peer.send(rtpPacket(2, 100), false);
    return peer.target?.kind !== 'tcp';
  });
});

it('closes a connection without an authentic check after five seconds, and one that sends something else', async () => {
  const silent = await alice.moveToTcp(port);
  await until('it is accepted', () => counters.tcpConnections === 1);
  const closed = once(silent, 'close');
  now += 5_000;
  await closed;
  expect(counters.tcpRefused).toBe(1);

  const chatty = await alice.moveToTcp(port);
  const ended = once(chatty, 'close');
  for (let index = 0; index < 16; index += 1) alice.check(local, { password: 'not the password of it' });
  await ended;
  expect(counters.packetsForeign).toBe(16);

  const loud = await alice.moveToTcp(port);
  loud.write(Buffer.alloc(2_000, 0xff));
  await once(loud, 'close');
  expect(alice.responses).toEqual([]);
});

it('drops video before sound, in whole packets, when a connection is slow', async () => {
  const server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const got = once(server, 'connection');
  const reader = await alice.moveToTcp((server.address() as AddressInfo).port);
  reader.pause();
  const [socket] = (await got) as [Socket];
  let path: Path | undefined;
  const own = new Counters();
  const tcp = new TcpConnections(
    {
      counters: own,
      receive: (_at, _length, from) => (path = from) !== undefined,
      pathClosed: () => undefined,
    },
    () => now,
  );
  tcp.accept(socket, Buffer.from([0, 1, 0]));
  const queue = new PacketQueue();
  const send = (count: number, isVideo: boolean): number => {
    const before = own.packetsUnsent;
    for (let index = 0; index < count; index += 1) queue.push(slots.take(), 1_200, isVideo);
    queue.seal({ seal: (_at, length) => length });
    path!.sendMany!(queue);
    queue.removeDone();
    return own.packetsUnsent - before;
  };
  // The system takes some, then they wait here.
  let dropped = 0;
  for (let round = 0; round < 5_000 && dropped === 0; round += 1) dropped = send(1, true);
  expect(dropped).toBe(1);
  expect(socket.writableLength).toBeGreaterThan(16_384 - 2_000);
  expect(socket.writableLength).toBeLessThan(16_384 + 2_000);
  expect(send(20, false)).toBe(0);
  expect(send(100, false)).toBeGreaterThan(70);
  expect(socket.writableLength).toBeLessThan(65_536 + 2_000);
  expect(queue.count).toBe(0);
  tcp.close();
  server.close();
  expect(tcp.count).toBe(0);
});

it('has the number of the UDP port in an engine, and ends with the engine', async () => {
  const engine = await startEngine({ transport: 'native', tcpPort: 0, addresses: ['127.0.0.1'] });
  const socket = await alice.moveToTcp(engine.udpPort);
  await until('it is accepted', () => engine.metrics().includes('rmeet_sfu_tcp_connections_total 1'));
  const closed = once(socket, 'close');
  await engine.close();
  await closed;
});
