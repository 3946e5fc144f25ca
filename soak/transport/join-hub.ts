/**
 * The hub of soak/transport/joins.ts, in a process of its own: what the clients hold does not blur its memory. Every
 * participant's packets and messages go back to their sender.
 */
import { readdirSync } from 'node:fs';
import { queryObjects } from 'node:v8';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TransportParameters } from '@rmeet/rtp/sdp';
import { Counters } from '../../packages/sfu/src/counters.ts';
import { DtlsSession } from '../../packages/sfu/src/transport/native/dtls.ts';
import { Hub } from '../../packages/sfu/src/transport/native/hub.ts';
import { PeerPath } from '../../packages/sfu/src/transport/native/peer-path.ts';
import { Peer } from '../../packages/sfu/src/transport/native/peer.ts';
import { slots } from '../../packages/sfu/src/transport/native/slots.ts';
import { SrtpSession } from '../../packages/sfu/src/transport/native/srtp.ts';
import { SctpAssociation } from '../../packages/sfu/src/transport/sctp/association.ts';

/** The hub closes a silent participant after 30 s. */
const LEFT_WITHIN_MS = 35_000;

/** What the hub's process holds. */
export interface Held {
  /** MB after garbage collection. */
  rss: number;
  heap: number;
  /** Bytes outside V8's heap that JavaScript owns, MB; the arena is 96 of them. */
  external: number;
  descriptors: number;
  slots: number;
  /** Participants that have not left. */
  present: number;
  /** Objects that are still reachable. A ufrag, an address or a source that was not removed would hold its peer. */
  peers: number;
  paths: number;
  sessions: number;
  associations: number;
  /** Datagrams from participants that the hub has closed: SACKs under way, answers to the end of DTLS. */
  foreign: number;
  /** Datagrams that were refused, throttled or not sent. */
  refused: number;
  faults: string[];
}

export type Order =
  | { type: 'join'; id: number; parameters: TransportParameters }
  | { type: 'close'; id: number }
  | { type: 'measure'; id: number };

/** Answers an order. The first has the id 0 and the hub's port. */
export interface Answer {
  id: number;
  port?: number;
  parameters?: TransportParameters;
  held?: Held;
}

const counters = new Counters();
const faults: string[] = [];
const present = new Map<number, Peer>();
const hub = new Hub({
  udpPort: 0,
  bindAddress: '127.0.0.1',
  counters,
  log: (level, message, fields) => {
    if (level === 'error') faults.push(`${message} ${JSON.stringify(fields)}`);
  },
});

function join(id: number, parameters: TransportParameters): TransportParameters {
  const peer = hub.create(`alice ${String(id)}`, {
    handleConnected: () => undefined,
    handleClosed: () => present.delete(id),
    // Half of them as video, which waits for more.
    handleRtp: (packet) => peer.send(packet, id % 2 === 0),
    handleRtcp: (packet) => peer.send(packet),
    handleData: (label, message) => peer.sendData(label, message),
  });
  present.set(id, peer);
  return peer.accept(parameters);
}

function leave(id: number): void {
  present.get(id)?.close();
  present.delete(id);
}

/** Measures when all participants have left. */
async function measure(): Promise<Held> {
  const end = performance.now() + LEFT_WITHIN_MS;
  while (present.size > 0 && performance.now() < end) await sleep(10);
  // The second collection frees what the first one finalized.
  for (let times = 0; times < 2; times += 1) {
    await sleep(50);
    globalThis.gc?.();
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  const { packetsRefused, packetsForeign, packetsThrottled, packetsUnsent } = counters;
  return {
    rss: rss / 2 ** 20,
    heap: heapUsed / 2 ** 20,
    external: external / 2 ** 20,
    descriptors: readdirSync('/proc/self/fd').length,
    slots: slots.used,
    present: present.size,
    peers: queryObjects(Peer, { format: 'count' }),
    paths: queryObjects(PeerPath, { format: 'count' }),
    sessions: queryObjects(DtlsSession, { format: 'count' }) + queryObjects(SrtpSession, { format: 'count' }),
    associations: queryObjects(SctpAssociation, { format: 'count' }),
    foreign: packetsForeign,
    refused: packetsRefused + packetsThrottled + packetsUnsent,
    faults: faults.splice(0, 3),
  };
}

function answer(message: Answer): void {
  process.send?.(message);
}

process.on('message', (order: Order) => {
  const { id } = order;
  if (order.type === 'join') return answer({ id, parameters: join(id, order.parameters) });
  if (order.type === 'measure') return void measure().then((held) => answer({ id, held }));
  leave(id);
  answer({ id });
});
process.once('disconnect', () => hub.release());
process.on('uncaughtException', (error) => faults.push(error.stack ?? error.message));
answer({ id: 0, port: hub.udpPort });
