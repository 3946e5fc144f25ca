import { memory, reserve } from '../../src/transport/native/arena.ts';
import { DtlsContext, type DtlsHandler, DtlsSession, type SrtpKeying } from '../../src/transport/native/dtls.ts';

export interface End {
  session: DtlsSession;
  keying: SrtpKeying | undefined;
  received: Buffer[];
  closed: string[];
}

const at = reserve(2048);
let context: DtlsContext | undefined;
/** One context for all sessions of a test file. */
export function sharedContext(): DtlsContext {
  context ??= DtlsContext.create();
  return context;
}

/** Gives a datagram to a session as if it came from the wire. */
export function deliver(session: DtlsSession, datagram: Uint8Array): void {
  memory.set(datagram, at);
  session.receive(at, datagram.length);
}

/**
 * Two sessions whose datagrams wait in `queue` until `run` delivers them. `touch` gets each datagram before, and
 * returns those that arrive.
 */
export function dtlsLink({ fingerprints }: { fingerprints?: [string, string] } = {}) {
  const queue: { to: 'client' | 'server'; datagram: Buffer }[] = [];
  const own = sharedContext().fingerprint;
  const [ofServer, ofClient] = fingerprints ?? [own, own];
  const end = (name: 'client' | 'server', fingerprint: string): End => {
    const to = name === 'client' ? 'server' : 'client';
    const handler: DtlsHandler = {
      send: (from, length) => queue.push({ to, datagram: Buffer.from(memory.subarray(from, from + length)) }),
      connected: (keying) => {
        made.keying = keying;
      },
      data: (packet) => made.received.push(Buffer.from(packet)),
      closed: (reason) => made.closed.push(reason),
    };
    const session = new DtlsSession(sharedContext(), { isServer: name === 'server', fingerprint }, handler);
    const made: End = { session, keying: undefined, received: [], closed: [] };
    return made;
  };
  const client = end('client', ofServer);
  const server = end('server', ofClient);
  return {
    client,
    server,
    queue,
    run(touch: (datagram: Buffer, to: 'client' | 'server') => Buffer[] = (datagram) => [datagram]): void {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const { to, datagram } = next;
        for (const each of touch(datagram, to)) deliver((to === 'client' ? client : server).session, each);
      }
    },
    connect(): void {
      client.session.start();
      this.run();
    },
    close(): void {
      client.session.close();
      server.session.close();
    },
  };
}
