/** A hub behind real network interfaces: one whose packets wait in the kernel, and one with a small MTU. */
import { readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Counters } from '../../src/counters.ts';
import { address, memory, reserve } from '../../src/transport/native/arena.ts';
import { bindings } from '../../src/transport/native/bindings.ts';
import { Hub } from '../../src/transport/native/hub.ts';
import { UdpPath } from '../../src/transport/native/peer-path.ts';
import type { Peer } from '../../src/transport/native/peer.ts';
import { slots } from '../../src/transport/native/slots.ts';
import { AF_INET } from '../../src/transport/native/socket-address.ts';
import { until } from '../support/engine.ts';
import { Host, hostsMissing, ip } from '../support/hosts.ts';
import { HubClient, rtpPacket } from '../support/hub-client.ts';
import { needNative } from '../support/native.ts';

const SOCK_DGRAM = 0o2004002; // nonblocking, closed on exec
const SOL_SOCKET = 1;
const SO_SNDBUF = 7;
const SO_RCVBUFFORCE = 33;
/** Packets that wait for the hub's socket, BLOCKED_PACKETS of hub.ts. */
const MOST = 1_700;
const VIDEO = 1;
const SOUND = 2;

const missing = hostsMissing();
const skipped = missing === undefined ? '' : ` (skipped: ${missing})`;
const option = reserve(64);

function setBuffer(descriptor: number, name: number, bytes: number): void {
  memory.writeInt32LE(bytes, option);
  expect(bindings().libc.setsockopt(descriptor, SOL_SOCKET, name, address(option, 4), 4)).toBe(0);
}

/** A cable from the hub's host to this machine, where the clients are. */
class Cable {
  readonly hubAddress: string;
  readonly #address: string;
  readonly #server: Host;
  readonly #hubEnd: string;
  readonly #ownEnd: string;

  constructor(server: Host, network: number, mtu?: number) {
    this.#server = server;
    this.hubAddress = `10.77.${network}.2`;
    this.#address = `10.77.${network}.1`;
    [this.#hubEnd, this.#ownEnd] = Host.cable(
      server,
      [`${this.hubAddress}/24`],
      undefined,
      [`${this.#address}/24`],
      mtu,
    );
  }

  /** Packets to the clients wait in the kernel from now on, and count as the socket's: their address is unresolved. */
  hold(): void {
    const table = ['ntable', 'change', 'name', 'arp_cache', 'dev', this.#hubEnd];
    ip('-n', this.#server.name, ...table, 'queue', '10000', 'mcast_probes', '1000', 'retrans', '50');
    ip('link', 'set', this.#ownEnd, 'arp', 'off');
    ip('-n', this.#server.name, 'neigh', 'del', this.#address, 'dev', this.#hubEnd);
  }

  release(): void {
    ip('link', 'set', this.#ownEnd, 'arp', 'on');
  }

  /** At once; by the end of its host it would be later. */
  remove(): void {
    ip('link', 'del', this.#ownEnd);
  }
}

/** A client and its peer at the hub. What is sent to it has ascending sequence numbers. */
class Member {
  readonly client: HubClient;
  readonly peer: Peer;
  readonly sent: { sequence: number; isVideo: boolean }[] = [];

  constructor(hub: Hub, cable: Cable) {
    this.client = new HubClient(hub.udpPort, cable.hubAddress);
    this.peer = hub.create('member', {
      handleConnected: () => undefined,
      handleClosed: () => undefined,
      handleRtp: () => undefined,
      handleRtcp: () => undefined,
      handleData: () => undefined,
    });
  }

  async connect(): Promise<void> {
    const { client, peer } = this;
    const descriptor = bindings().libc.socket(AF_INET, SOCK_DGRAM, 0);
    // what waited comes at once
    setBuffer(descriptor, SO_RCVBUFFORCE, 16 << 20);
    await client.move(undefined, descriptor);
    const local = peer.accept(client.parameters);
    client.check(local);
    await until('the check is answered', () => client.responses.at(-1));
    client.connect(local);
    await until('both are connected', () => client.connected && peer.connected);
  }

  send(isVideo: boolean, bytes = isVideo ? 1_000 : 80): boolean {
    const sequence = this.sent.length;
    this.sent.push({ sequence, isVideo });
    return this.peer.send(rtpPacket(sequence, bytes, isVideo ? VIDEO : SOUND), isVideo);
  }

  /** Nine packets of video and one of sound. */
  sendTen(): void {
    for (let count = 0; count < 9; count += 1) this.send(true);
    this.send(false);
  }

  get received(): number[] {
    return this.client.received.map((packet) => packet.readUInt16BE(2));
  }

  /** What was sent and has not come. */
  get lost(): { sequence: number; isVideo: boolean }[] {
    const received = new Set(this.received);
    return this.sent.filter(({ sequence }) => !received.has(sequence));
  }
}

describe.skipIf(missing !== undefined)(`a hub on a host of its own${skipped}`, () => {
  let server: Host;
  let hub: Hub;
  let descriptor: number;
  let counters: Counters;
  let idle: number;
  const members: Member[] = [];
  const cables: Cable[] = [];

  beforeEach(needNative);
  beforeEach(() => {
    server = new Host();
    counters = new Counters();
    const opened = vi.spyOn(bindings().libc, 'socket');
    hub = server.inside(() => new Hub({ udpPort: 0, counters, log: () => undefined }));
    descriptor = opened.mock.results[0]!.value as number;
    opened.mockRestore();
    idle = slots.used;
  });
  afterEach(async () => {
    for (const { client } of members.splice(0)) client.close();
    hub.release();
    for (const cable of cables.splice(0)) cable.remove();
    await server.remove();
  });

  function lay(network: number, mtu?: number): Cable {
    const cable = new Cable(server, network, mtu);
    cables.push(cable);
    return cable;
  }

  async function join(cable: Cable): Promise<Member> {
    const member = new Member(hub, cable);
    members.push(member);
    await member.connect();
    return member;
  }

  const waiting = (): number => slots.used - idle;

  /** Sends to a member whose cable holds packets until the kernel takes no more. */
  async function fill(member: Member): Promise<void> {
    setBuffer(descriptor, SO_SNDBUF, 100_000);
    while (waiting() === 0) {
      member.sendTen();
      await turn();
    }
  }

  it('a full socket buffer keeps packets in order and sound, and drops the oldest video above the bound', async () => {
    const cable = lay(12);
    const [alice, bob] = [await join(cable), await join(cable)];
    cable.hold();
    await fill(alice);
    const taken = alice.sent.length - waiting();
    while (waiting() < MOST) alice.send(alice.sent.length % 10 !== 9);
    expect(counters.packetsUnsent).toBe(0);
    for (let count = 0; count < 50; count += 1) alice.sendTen();
    expect([waiting(), counters.packetsUnsent]).toEqual([MOST, 500]);
    // Bob has no video that could be dropped.
    for (let count = 0; count < 64; count += 1) expect(bob.send(false)).toBe(true);
    expect(counters.packetsUnsent).toBe(500);
    expect(bob.send(false)).toBe(false);
    expect(counters.packetsUnsent).toBe(501);
    expect(bob.received).toEqual([]);

    cable.release();
    const all = alice.sent.length - 500;
    await until('all have come', () => alice.received.length === all && bob.received.length === 64);
    expect(alice.received).toEqual(alice.received.toSorted((a, b) => a - b));
    expect(bob.received).toEqual(Array.from({ length: 64 }, (_, sequence) => sequence));
    const oldest = alice.sent.slice(taken).filter(({ isVideo }) => isVideo);
    expect(alice.lost).toEqual(oldest.slice(0, 500));

    alice.sendTen();
    await until('sending goes on', () => alice.received.length === all + 10);
    expect([waiting(), counters.packetsUnsent]).toEqual([0, 501]);
  });

  it('the bound holds when the socket buffer becomes full again before all have gone', async () => {
    const [far, near] = [lay(12), lay(13)];
    const [alice, bob] = [await join(far), await join(near)];
    for (const cable of [far, near]) cable.hold();
    await fill(bob);
    while (waiting() < MOST) alice.send(true);
    near.release();
    await until('what the kernel had taken for bob is gone', () => waiting() < MOST);
    expect(waiting()).toBeGreaterThan(0);
    for (let count = 0; count < MOST; count += 1) alice.send(true);
    expect(waiting()).toBe(MOST);
    far.release();
    const all = (): number => alice.received.length + bob.received.length + counters.packetsUnsent;
    await until('all have come', () => all() === alice.sent.length + bob.sent.length);
    expect([bob.lost, alice.lost.length]).toEqual([[], counters.packetsUnsent]);
  });

  it('a peer that leaves while the socket buffer is full makes room for others', async () => {
    const cable = lay(12);
    const [alice, bob] = [await join(cable), await join(cable)];
    cable.hold();
    await fill(alice);
    for (let count = 0; count < 100; count += 1) bob.send(true);
    while (waiting() < MOST) alice.send(true);
    bob.peer.close();
    expect(waiting()).toBe(MOST - 100);
    for (let count = 0; count < 100; count += 1) alice.send(true);
    expect([waiting(), counters.packetsUnsent]).toEqual([MOST, 0]);
    cable.release();
    await until('all have come', () => alice.received.length === alice.sent.length);
    expect(bob.received).toEqual([]);
  });

  it('the kernel refuses segments above the MTU of one path: only there packets are sent one by one', async () => {
    const [narrow, wide] = [await join(lay(12, 1_000)), await join(lay(13))];
    /** Messages that the kernel took, of one or more segments. */
    const messages = (): number => {
      const lines = server.inside(() => readFileSync('/proc/net/snmp', 'utf8')).split('\n');
      const [names, values] = lines.filter((line) => line.startsWith('Udp:')).map((line) => line.split(' '));
      return Number(values![names!.indexOf('OutDatagrams')]);
    };
    const burst = async (): Promise<number> => {
      const before = messages();
      for (const member of [narrow, wide]) {
        for (let count = 0; count < 20; count += 1) member.send(true, 1_150);
      }
      await until('all have come', () => [narrow, wide].every(({ lost }) => lost.length === 0));
      return messages() - before;
    };
    await burst();
    expect(await burst()).toBe(20 + 1);
    const paths = [narrow, wide].map(({ peer }) => peer.target as UdpPath);
    expect(paths.map(({ canSegment }) => canSegment)).toEqual([false, true]);
    expect(counters.packetsUnsent).toBe(0);
  });
});
