import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { Counters } from '../../src/counters.ts';
import { Hub } from '../../src/transport/native/hub.ts';
import { SrtpSession } from '../../src/transport/native/srtp.ts';
import { memory, reserve } from '../../src/transport/native/arena.ts';
import { packetChecksum } from '../../src/transport/sctp/wire/crc32c.ts';
import { type Random, mutate } from '../../../../soak/fuzz/random.ts';
import { WirePeer, bindingRequest } from './wire-peer.ts';

export const ATTACKS = ['stun', 'dtls', 'srtp', 'srtcp', 'sctp'] as const;
export type Attack = (typeof ATTACKS)[number];

/** The kernel's buffer of the hub's socket holds these. */
const BATCH = 32;
const LONGEST = 1500;
/** A peer joins among forged datagrams, or a hostile one is replaced, after so many batches. */
const JOIN_EVERY = 40;
const STRANGERS = 16;

const at = reserve(2048);

/** A hub under attack, with the genuine peer Alice beside, and Bob, who is authenticated and hostile. */
export class Target {
  readonly counters = new Counters();
  /** Exceptions in handlers; the hub logs them as errors. */
  readonly faults: string[] = [];
  readonly hub: Hub;
  /** Handshakes among forged datagrams that did not end well: nothing authenticates their clear part. */
  lostHandshakes = 0;
  joins = 0;
  /** Of all peers that left. */
  readonly wrong: string[] = [];
  #alice: WirePeer | undefined;
  #bob: WirePeer | undefined;
  readonly #strangers: Socket[] = [];
  readonly #foreignKeys = {
    gcm: new SrtpSession('AES_128_GCM', Buffer.alloc(16, 1), Buffer.alloc(12, 2)),
    seq: 0,
  };
  readonly #onFault = (error: unknown): void => {
    this.faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  };

  constructor() {
    this.hub = new Hub({
      udpPort: 0,
      bindAddress: '127.0.0.1',
      counters: this.counters,
      log: (level, message, fields) => {
        if (level === 'error') this.faults.push(`${message} ${JSON.stringify(fields)}`);
      },
    });
    process.on('uncaughtException', this.#onFault);
  }

  get alice(): WirePeer {
    return this.#alice!;
  }

  async open(): Promise<void> {
    this.#alice = await WirePeer.join(this.hub, 'alice');
    this.#bob = await WirePeer.join(this.hub, 'bob');
    for (let i = 0; i < STRANGERS; i++) {
      const socket = createSocket('udp4').bind(0, `127.0.7.${String(i + 1)}`);
      await once(socket, 'listening');
      this.#strangers.push(socket);
    }
  }

  /** Sends `count` forged datagrams of one kind, in batches with genuine traffic between them. */
  async run(kind: Attack, count: number, random: Random): Promise<void> {
    for (let sent = 0, batch = 0; sent < count; sent += BATCH, batch++) {
      this.#genuine(batch);
      for (let i = 0; i < BATCH && sent + i < count; i++) this.#forge(kind, random);
      await turn();
      await this.alice.settled();
      if (batch % JOIN_EVERY === JOIN_EVERY - 1) await this.#renew(kind, random);
    }
  }

  async close(): Promise<void> {
    await this.#leave(this.alice);
    await this.#leave(this.#bob!);
    for (const socket of this.#strangers) socket.close();
    this.#foreignKeys.gcm.free();
    this.hub.release();
    process.off('uncaughtException', this.#onFault);
  }

  #genuine(batch: number): void {
    const { alice } = this;
    alice.sendRtp();
    if (batch % 4 === 0) alice.sendRtcp();
    if (batch % 8 === 0) alice.sendMessage(1 + ((batch * 37) % 4000));
    if (batch % 2 === 0) alice.sendBack();
  }

  async #renew(kind: Attack, random: Random): Promise<void> {
    if (kind === 'sctp' || this.#bob!.isClosed) {
      await this.#leave(this.#bob!);
      this.#bob = await WirePeer.join(this.hub, 'bob');
      this.joins++;
    }
    if (kind !== 'dtls') return;
    const beforeDtls = (peer: WirePeer, datagram: Buffer): void => {
      peer.send(mutate(datagram, random).subarray(0, LONGEST));
    };
    const chair = await WirePeer.join(this.hub, 'chair', { withinMs: 1000, beforeDtls });
    this.joins++;
    if (!chair.isConnected) this.lostHandshakes++;
    await this.#leave(chair);
  }

  async #leave(peer: WirePeer): Promise<void> {
    this.wrong.push(...peer.wrong);
    await peer.close();
  }

  #forge(kind: Attack, random: Random): void {
    if (kind === 'sctp') return this.#forgeSctp(random);
    const isStun = kind === 'stun';
    if (isStun && random.chance(0.2)) {
      // Bob signs what he likes.
      const bob = this.#bob!;
      const extra = random.bytes(4 * random.below(12));
      return bob.send(bindingRequest(bob.username, bob.password, extra));
    }
    const datagram = this.#forged(kind, random);
    if (datagram.length === 0) return;
    // From an address that was verified, by an attacker who can pretend to have it, or from another.
    if (random.chance(0.7)) return this.alice.send(datagram);
    this.#strangers[random.below(STRANGERS)]!.send(datagram, this.hub.udpPort, '127.0.0.1');
  }

  /** A genuine datagram changed, cut off, sent again, or one with other keys. */
  #forged(kind: Exclude<Attack, 'sctp'>, random: Random): Buffer {
    const { datagrams } = this.alice.recordings[kind];
    const genuine = random.pick(datagrams);
    if (kind !== 'stun' && random.chance(0.1)) return genuine;
    if ((kind === 'srtp' || kind === 'srtcp') && random.chance(0.1)) return this.#foreign(kind, genuine);
    if (kind === 'dtls' && random.chance(0.2)) return randomRecord(random);
    const mutant = mutate(genuine, random).subarray(0, LONGEST);
    return mutant.equals(genuine) && kind === 'stun' ? mutant.subarray(1) : mutant;
  }

  #foreign(kind: 'srtp' | 'srtcp', genuine: Buffer): Buffer {
    const { gcm } = this.#foreignKeys;
    memory.set(genuine, at);
    memory.writeUInt16BE(this.#foreignKeys.seq++ & 0xffff, at + 2);
    const length = Math.min(genuine.length, 1200);
    const sealed = kind === 'srtp' ? gcm.protectRtp(at, length) : gcm.protectRtcp(at, length);
    return Buffer.from(memory.subarray(at, at + sealed));
  }

  #forgeSctp(random: Random): void {
    const bob = this.#bob!;
    const mutant = mutate(random.pick(bob.recordings.sctp.datagrams), random).subarray(0, 1191);
    if (mutant.length >= 12 && random.chance(0.9)) mutant.writeInt32LE(packetChecksum(mutant, mutant.length), 8);
    bob.sendSctp(mutant);
  }
}

/** A record with a good header in most cases, and a body of chance. */
function randomRecord(random: Random): Buffer {
  const body = random.bytes(random.pick([0, 1, 2, 12, 23, 24, 25, 40, 200]));
  const header = Buffer.alloc(13);
  header[0] = 20 + random.below(5);
  header.writeUInt16BE(random.pick([0xfefd, 0xfefd, 0xfefd, 0xfeff]), 1);
  header.writeUInt16BE(random.pick([0, 1, 1, 2]), 3);
  header.writeUInt32BE(random.below(2 ** 20), 7);
  header.writeUInt16BE(body.length, 11);
  return Buffer.concat([header, body]);
}
