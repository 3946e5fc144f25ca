import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';

/** The effects on packets of one direction. */
export interface Impairment {
  /** Share of packets lost, 0 to 1. */
  loss?: number;
  /** Delay of every packet in milliseconds. */
  delay?: number;
  /** Up to this many milliseconds more, different for each packet; order is kept. */
  jitter?: number;
  /** Share of packets that are overtaken by those of the next 20 ms, 0 to 1. */
  reorder?: number;
  /** Share of packets that arrive twice, 0 to 1; the second one arrives with those of the next 20 ms. */
  duplicate?: number;
  /** Longer packets (bytes of UDP payload) are lost, as on a path with a small MTU whose errors get lost, too. */
  longest?: number;
  /** Bits per second; packets beyond a queue of 200 ms are lost. */
  bandwidth?: number;
}

export interface RelayOptions {
  /** UDP port of the engine. */
  targetPort: number;
  /** Address of the engine, on which this relay listens; default: the machine's first one that is not loopback. */
  host?: string;
  /** From the client to the engine, and back. */
  up?: Impairment;
  down?: Impairment;
  /** The same seed loses the same packets. */
  seed?: number;
}

/** Packets of one direction so far. */
export interface RelayCounters {
  forwarded: number;
  lost: number;
}

const QUEUE_MS = 200;
const OVERTAKEN_MS = 20;

/** Numbers from 0 to 1 that depend only on the seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One direction of a bad network. */
export class BadLink {
  readonly counters: RelayCounters = { forwarded: 0, lost: 0 };
  impairment: Impairment;
  #random: () => number;
  /** Separate: the same seed loses the same packets, with duplicates and without. */
  #randomDuplicate: () => number;
  /** When the line is free again, and when the last in-order packet arrives (ms of `performance.now()`). */
  #freeAt = 0;
  #lastArrival = 0;
  /** Packets in transit, by arrival. One timer for all: timers of different lengths do not fire in order. */
  #travelling: { arrival: number; deliver: () => void }[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(impairment: Impairment, seed: number) {
    this.impairment = impairment;
    this.#random = random(seed);
    this.#randomDuplicate = random(seed + 1_000_003);
  }

  /** Delivers a packet of `size` bytes now, later or never. */
  pass(size: number, deliver: () => void): void {
    const { loss = 0, delay = 0, jitter = 0, reorder = 0, longest = Infinity, bandwidth } = this.impairment;
    // Always three random numbers, so that one setting does not change which packets another one affects.
    const [lossDraw, jitterDraw, reorderDraw] = [this.#random(), this.#random(), this.#random()];
    const now = performance.now();
    let sent = now;
    if (bandwidth !== undefined) {
      sent = Math.max(now, this.#freeAt) + (size * 8_000) / bandwidth;
      if (sent - now > QUEUE_MS) {
        this.counters.lost++;
        return;
      }
      this.#freeAt = sent;
    }
    if (lossDraw < loss || size > longest) {
      this.counters.lost++;
      return;
    }
    this.counters.forwarded++;
    let arrival = sent + delay + jitterDraw * jitter;
    if (reorderDraw < reorder) arrival += OVERTAKEN_MS;
    else this.#lastArrival = arrival = Math.max(arrival, this.#lastArrival);
    if (arrival - now < 1 && this.#travelling.length === 0) deliver();
    else this.#send({ arrival, deliver });
    this.#duplicate(arrival, deliver);
  }

  #duplicate(arrival: number, deliver: () => void): void {
    const { duplicate = 0 } = this.impairment;
    if (duplicate === 0 || this.#randomDuplicate() >= duplicate) return;
    this.counters.forwarded++;
    this.#send({ arrival: arrival + OVERTAKEN_MS, deliver });
  }

  #send(packet: { arrival: number; deliver: () => void }): void {
    const place = this.#travelling.findLastIndex(({ arrival }) => arrival <= packet.arrival) + 1;
    this.#travelling.splice(place, 0, packet);
    if (place === 0) this.#wake();
  }

  #wake(): void {
    clearTimeout(this.#timer);
    const [next] = this.#travelling;
    if (!next) return;
    this.#timer = setTimeout(
      () => {
        const now = performance.now();
        while (this.#travelling[0] && this.#travelling[0].arrival <= now) this.#travelling.shift()!.deliver();
        this.#wake();
      },
      Math.max(0, next.arrival - performance.now()),
    );
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#travelling = [];
  }
}

/** A UDP relay in front of a media engine that turns loopback into a bad network. */
export interface Relay {
  host: string;
  port: number;
  /** From the clients to the engine, and back; `impairment` may be changed at any time. */
  up: BadLink;
  down: BadLink;
  /**
   * Redirects an ICE candidate of the engine to this relay; for `Participant.connect({rewriteCandidate})`. Others are
   * not changed.
   */
  rewriteCandidate: (this: void, candidate: string) => string;
  /**
   * For a page's init script: the engine's candidates are redirected here before the page's own scripts see them; all
   * others and the page's own are removed. An engine that checks the page's addresses by itself, like LiveKit, finds no
   * direct path.
   */
  pageScript: (this: void) => string;
  /** From now on, the engine sees every client at another port, as after a NAT has dropped its mappings. */
  rebind: (this: void) => void;
  close: (this: void) => Promise<void>;
}

/** The first IPv4 address that is not loopback, else loopback: browsers and ICE agents avoid 127.0.0.1. */
function ownAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
}

/**
 * A pattern for the engine's candidates and its replacement: RFC 8839's `... typ host` lines with the engine's port.
 */
function candidateRule(targetPort: number, host: string, port: number): { pattern: string; replacement: string } {
  return { pattern: `(candidate:\\S+ \\d+ udp \\d+) \\S+ ${targetPort} typ`, replacement: `$1 ${host} ${port} typ` };
}

/** The script of `Relay.pageScript`. */
function pageScript(rule: { pattern: string; replacement: string }, host: string, port: number): string {
  return `(() => {
      const pattern = new RegExp(${JSON.stringify(rule.pattern)}, 'gi');
      const rewrite = (text) => text && text.replace(pattern, ${JSON.stringify(rule.replacement)});
      const isHere = (candidate) => candidate.includes(${JSON.stringify(` ${host} ${port} typ`)});
      const filter = (sdp, keeps) => sdp?.split('\\r\\n')
        .filter((line) => !line.startsWith('a=candidate:') || keeps(line)).join('\\r\\n');
      const led = (sdp) => filter(rewrite(sdp), isHere);
      const silent = (sdp) => filter(sdp, () => false);
      const { setRemoteDescription, addIceCandidate, createOffer, createAnswer } = RTCPeerConnection.prototype;
      Object.assign(RTCPeerConnection.prototype, {
        setRemoteDescription(description) {
          return setRemoteDescription.call(this, { type: description.type, sdp: led(description.sdp) });
        },
        async addIceCandidate(candidate) {
          if (!candidate || !candidate.candidate) return addIceCandidate.call(this, candidate);
          const text = rewrite(candidate.candidate);
          const whole = candidate.toJSON?.() ?? candidate;
          if (isHere(text)) await addIceCandidate.call(this, { ...whole, candidate: text });
        },
        async createOffer(...options) {
          const { type, sdp } = await createOffer.apply(this, options);
          return { type, sdp: silent(sdp) };
        },
        async createAnswer(...options) {
          const { type, sdp } = await createAnswer.apply(this, options);
          return { type, sdp: silent(sdp) };
        },
      });
      let owner = RTCPeerConnection.prototype;
      while (!Object.hasOwn(owner, 'onicecandidate')) owner = Object.getPrototypeOf(owner);
      const { get, set } = Object.getOwnPropertyDescriptor(owner, 'onicecandidate');
      Object.defineProperty(RTCPeerConnection.prototype, 'onicecandidate', {
        get,
        set(handler) { set.call(this, handler && ((event) => event.candidate || handler.call(this, event))); },
      });
    })()`;
}

export async function startRelay(options: RelayOptions): Promise<Relay> {
  const { targetPort, host = ownAddress(), seed = 1 } = options;
  const up = new BadLink(options.up ?? {}, seed);
  const down = new BadLink(options.down ?? {}, seed + 1);
  const front = createSocket('udp4');
  const backs = new Map<string, Socket>();

  /** The socket for one client towards the engine. */
  const backOf = (address: string, port: number): Socket => {
    const key = `${address}:${port}`;
    let back = backs.get(key);
    if (!back) {
      back = createSocket('udp4');
      back.on('message', (packet) => down.pass(packet.length, () => front.send(packet, port, address)));
      back.bind(0, host);
      backs.set(key, back);
    }
    return back;
  };
  front.on('message', (packet, { address, port }) => {
    const back = backOf(address, port);
    // a client that was dropped meanwhile receives no more
    up.pass(packet.length, () => {
      if (backs.get(`${address}:${port}`) === back) back.send(packet, targetPort, host);
    });
  });
  front.bind(0, host);
  await once(front, 'listening');
  const { port } = front.address();
  const rule = candidateRule(targetPort, host, port);
  return {
    host,
    port,
    up,
    down,
    rewriteCandidate: (candidate) => candidate.replace(new RegExp(rule.pattern, 'i'), rule.replacement),
    pageScript: () => pageScript(rule, host, port),
    rebind: () => {
      for (const back of backs.values()) back.close();
      backs.clear();
    },
    close: async () => {
      up.close();
      down.close();
      await Promise.all(
        [front, ...backs.values()].map((socket) => new Promise<void>((resolve) => socket.close(resolve))),
      );
    },
  };
}
