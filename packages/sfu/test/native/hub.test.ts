import { createHmac } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { TransportParameters } from '@rmeet/rtp/sdp';
import { Counters } from '../../src/counters.ts';
import { Hub } from '../../src/transport/native/hub.ts';
import type { Peer } from '../../src/transport/native/peer.ts';
import { slots } from '../../src/transport/native/slots.ts';
import { ChunkType } from '../../src/transport/sctp/wire/constants.ts';
import { PacketWriter } from '../../src/transport/sctp/wire/packet-writer.ts';
import { until } from '../support/engine.ts';
import { bindingRequest, HubClient, rtpPacket, stunAttribute } from '../support/hub-client.ts';
import { needNative } from '../support/native.ts';
import { WirePeer } from './wire-peer.ts';

let now = 0;
let hub: Hub;
let alice: HubClient;
let peer: Peer;
let local: TransportParameters;
const seen = { connected: 0, closed: 0, packets: [] as number[] };
let logged: string[];

beforeEach(needNative);
beforeEach(async () => {
  Object.assign(seen, { connected: 0, closed: 0, packets: [] });
  logged = [];
  hub = new Hub({
    udpPort: 0,
    counters: new Counters(),
    log: (_level, message) => logged.push(message),
    clock: () => now,
  });
  alice = new HubClient(hub.udpPort);
  await alice.move();
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

async function answered(): Promise<Buffer> {
  return await until('the check is answered', () => alice.responses.at(-1));
}

async function connect(): Promise<void> {
  alice.check(local);
  await answered();
  alice.connect(local);
  await until('both are connected', () => alice.connected && seen.connected === 1);
}

it('answers an authentic check with the address it came from, signed', async () => {
  alice.check(local);
  const response = await answered();
  expect(response.readUInt16BE(0)).toBe(0x0101);
  expect(response.readUInt16BE(20)).toBe(0x0020);
  expect((response.readUInt32BE(28) ^ 0x2112_a442) >>> 0).toBe(0x7f00_0001);
  const signed = Buffer.from(response.subarray(0, 32));
  signed.writeUInt16BE(36, 2);
  const signature = createHmac('sha1', local.icePwd).update(signed).digest();
  expect(response.subarray(36, 56).equals(signature)).toBe(true);
});

it('does not answer checks with a wrong password, a wrong name or damage', async () => {
  alice.check(local, { password: 'wrong' });
  alice.check({ ...local, iceUfrag: 'nobody' });
  alice.send(Buffer.from('0001000021', 'hex'));
  alice.check(local);
  await answered();
  expect(alice.responses).toHaveLength(1);
  expect(hub.counters).toMatchObject({ packetsForeign: 2, packetsRefused: 1 });
});

it('answers a role conflict with 487, and an unknown required attribute with 420', async () => {
  alice.check(local, { controlled: true });
  expect((await answered()).readUInt16BE(26)).toBe(0x0457);
  alice.responses.length = 0;
  alice.check(local, { more: stunAttribute(0x0033, Buffer.from('what')) });
  const response = await answered();
  expect(response.readUInt16BE(26)).toBe(0x0414);
  expect(response.includes(Buffer.from('000a00020033', 'hex'))).toBe(true);
});

it('carries packets both ways, those of video in runs of one size', async () => {
  await connect();
  for (let sequence = 0; sequence < 20; sequence += 1) peer.send(rtpPacket(sequence, 1000 + (sequence % 7)), true);
  peer.send(rtpPacket(20, 80), false);
  await until('all have come', () => alice.received.length === 21);
  expect(alice.received.map((packet) => packet.readUInt16BE(2))).toEqual(Array.from({ length: 21 }, (_, n) => n));
  expect(alice.received.slice(0, 19).every((packet) => packet.length === 12 + 1006)).toBe(true);
  for (const [index, packet] of alice.received.slice(0, 19).entries())
    expect((packet[0]! & 0x20) === 0 ? 0 : packet.at(-1)).toBe(6 - (index % 7));
  for (const sequence of [1, 2, 3]) alice.send(alice.protect(rtpPacket(sequence, 100)));
  await until('all have come', () => seen.packets.length === 3);
  expect(seen.packets).toEqual([1, 2, 3]);
});

it('refuses forged and repeated packets, and counts those of addresses it does not know', async () => {
  await connect();
  const packet = alice.protect(rtpPacket(1, 100));
  const forged = Buffer.from(packet);
  forged[40]! ^= 1;
  for (const datagram of [forged, packet, packet]) alice.send(datagram);
  await until('they have come', () => hub.counters.packetsRefused === 2);
  const bob = new HubClient(hub.udpPort);
  await bob.move();
  bob.send(packet);
  bob.send(Buffer.from('16fefd0000', 'hex'));
  await until('they have come', () => hub.counters.packetsForeign === 2);
  bob.close();
  expect(seen.packets).toEqual([1]);
});

it.for([
  ['IPv4', '127.0.0.1'],
  ['IPv6', '::1'],
] as const)(
  'sends to a new address over %s once a check or authentic media comes from it',
  async ([, host], { skip }) => {
    const addresses = Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address));
    skip(!addresses.includes(host), `this machine has no ${host}`);
    await alice.move(host);
    await connect();
    alice.send(alice.protect(rtpPacket(1, 100)));
    await until('it has come', () => seen.packets.length === 1);
    await alice.move();
    alice.check(local);
    await until('the check is answered', () => alice.responses.length === 2);
    peer.send(rtpPacket(1, 100));
    await until('media comes', () => alice.received.length === 1);
    await alice.move();
    alice.send(alice.protect(rtpPacket(2, 100)));
    await until('it is ignored, as the old address was heard just now', () => hub.counters.packetsForeign === 1);
    now += 150;
    alice.send(alice.protect(rtpPacket(3, 100)));
    await until('it has come', () => seen.packets.length === 2);
    peer.send(rtpPacket(2, 100));
    await until('media comes', () => alice.received.length === 2);
  },
);

it('gives an address to another peer only after it was silent', async () => {
  await connect();
  const bob = hub.create('bob', {
    handleConnected: () => undefined,
    handleClosed: () => undefined,
    handleRtp: () => undefined,
    handleRtcp: () => undefined,
    handleData: () => undefined,
  });
  const check = bindingRequest('client', bob.accept(alice.parameters));
  alice.send(check);
  alice.check(local);
  await until('her own check is answered', () => alice.responses.length === 2);
  peer.send(rtpPacket(1, 100));
  await until('media goes on', () => alice.received.length === 1);
  now += 2000;
  alice.send(check);
  await until('his check is answered', () => alice.responses.length === 3);
  expect(peer.target).toBeUndefined();
});

it('accepts the old credentials after a restart until a check has the new ones', async () => {
  await connect();
  const restarted = peer.restart(alice.parameters);
  expect(restarted.iceUfrag).not.toBe(local.iceUfrag);
  alice.check(local);
  await until('the check is answered', () => alice.responses.length === 2);
  alice.check(restarted);
  await until('the check is answered', () => alice.responses.length === 3);
  alice.check(local);
  await until('it is refused', () => hub.counters.packetsRefused === 1);
  peer.send(rtpPacket(1, 100));
  await until('media continues', () => alice.received.length === 1);
  expect(alice.responses).toHaveLength(3);
});

it('replaces a restart that the other side has not answered', async () => {
  await connect();
  peer.restart();
  const restarted = peer.restart();
  alice.check(local);
  await until('the check with the first credentials is answered', () => alice.responses.length === 2);
  peer.complete(alice.parameters);
  alice.check(restarted);
  await until('the check with the latest is answered', () => alice.responses.length === 3);
});

it('frees everything when the other side closes', async () => {
  const before = slots.used;
  await connect();
  peer.send(rtpPacket(1, 100), true);
  alice.disconnect();
  await until('it is noticed', () => seen.closed === 1);
  expect(peer.connected).toBe(false);
  expect(peer.send(rtpPacket(2, 100))).toBe(false);
  expect(slots.used).toBe(before);
});

it('ends the connection of a peer whose data channels ended', async () => {
  const bob = await WirePeer.join(hub, 'bob');
  expect(bob.isConnected).toBe(true);
  bob.abortSctp();
  await until('it is ended', () => bob.isEnded);
  expect(bob.transport.connected).toBe(false);
  await bob.close();
});

it('keeps the connection of a peer that has no data channels', async () => {
  // An SCTP stack refuses an association so. A client without one is silent instead, which takes 20 s to notice.
  alice.onSctp = (init) => {
    expect(init[12]).toBe(ChunkType.init);
    const writer = new PacketWriter(100);
    writer.begin(5000, 5000, init.readUInt32BE(16));
    writer.chunk(ChunkType.abort, 0, 0);
    alice.sendSctp(writer.finish());
  };
  await connect();
  await until('the association has ended', () => logged.includes('data channels ended'));
  peer.send(rtpPacket(1, 100));
  await until('media goes on', () => alice.received.length === 1);
  expect([seen.closed, peer.connected]).toEqual([0, true]);
});

it('ends the connection of a peer that was silent for 30 s', async () => {
  await connect();
  now += 30_000;
  peer.tick(now / 10);
  expect(seen.closed).toBe(0);
  now += 10;
  peer.tick(now / 10);
  expect(seen.closed).toBe(1);
});
