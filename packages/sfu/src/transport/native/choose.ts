import { isMainThread } from 'node:worker_threads';
import { memory, reserve } from './arena.ts';
import { bindings } from './bindings.ts';
import { DtlsContext, DtlsSession, type DtlsHandler, type SrtpKeying } from './dtls.ts';
import { PacketQueue } from './packet-queue.ts';
import { UdpPath } from './peer-path.ts';
import { receiveBatch } from './receive-batch.ts';
import { sendBatch } from './send-batch.ts';
import { slots } from './slots.ts';
import { NAME_BYTES, writeSocketAddress } from './socket-address.ts';
import { SrtpSession } from './srtp.ts';
import { UdpSocket } from './udp.ts';

const PACKET = 200;
const PACKETS = 4;

let known: string | undefined;

/**
 * Whether this process can have the native transport, by trying all of it once: symbols, sockets and batches over
 * loopback, a DTLS handshake with itself, and SRTP with its keys. Takes about 20 ms the first time.
 *
 * @returns why not; an empty string if it can
 */
export function nativeRefusal(): string {
  known ??= tryAll();
  return known;
}

function tryAll(): string {
  if (!isMainThread) return 'not on the main thread';
  try {
    bindings();
    trySockets();
    trySrtp(...tryDtls());
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Packets over loopback. (The kernel segments them, or they are sent one by one: both work.) */
function trySockets(): void {
  let received = 0;
  const ignored = { datagram: () => undefined, batchEnd: () => undefined, writable: () => undefined };
  const socket = new UdpSocket(0, '127.0.0.1', ignored);
  const queue = new PacketQueue();
  const nameAt = reserve(NAME_BYTES);
  writeSocketAddress(nameAt, socket.family, '127.0.0.1', socket.port);
  const path = new UdpPath(socket, nameAt);
  try {
    for (let index = 0; index < PACKETS; index += 1) queue.push(slots.take(), PACKET, true);
    queue.sealed = PACKETS;
    const batch = sendBatch();
    batch.begin(socket);
    batch.add(queue, path);
    batch.end();
    receiveBatch(socket.descriptor, (_at, length) => {
      if (length === PACKET) received += 1;
    });
  } finally {
    queue.clear();
    path.close();
    socket.close();
  }
  if (received !== PACKETS) throw new Error('datagrams over loopback do not arrive');
}

/** The keys of both sides of a handshake in memory. */
function tryDtls(): [SrtpKeying, SrtpKeying] {
  const contexts = [DtlsContext.create(), DtlsContext.create()] as const;
  const waiting: { to: number; datagram: Buffer }[] = [];
  const keys: (SrtpKeying | undefined)[] = [];
  const handler = (side: number): DtlsHandler => ({
    send: (at, length) => waiting.push({ to: 1 - side, datagram: Buffer.from(memory.subarray(at, at + length)) }),
    connected: (keying) => (keys[side] = keying),
    data: () => undefined,
    closed: (reason) => {
      throw new Error(`DTLS: ${reason}`);
    },
  });
  const sessions = [0, 1].map(
    (side) =>
      new DtlsSession(
        contexts[side]!,
        { isServer: side === 1, fingerprint: contexts[1 - side]!.fingerprint },
        handler(side),
      ),
  );
  const place = slots.take();
  try {
    sessions[0]!.start();
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      memory.set(next.datagram, place);
      sessions[next.to]!.receive(place, next.datagram.length);
    }
    const [client, server] = keys;
    if (!client || !server) throw new Error('DTLS does not connect');
    return [client, server];
  } finally {
    slots.give(place);
    for (const session of sessions) session.close();
    for (const context of contexts) context.free();
  }
}

function trySrtp(client: SrtpKeying, server: SrtpKeying): void {
  const sender = new SrtpSession(client.profile, client.localKey, client.localSalt);
  const receiver = new SrtpSession(server.profile, server.remoteKey, server.remoteSalt);
  const at = slots.take();
  memory.fill(0, at, at + PACKET);
  memory[at] = 0x80;
  memory[at + 1] = 96;
  memory.fill(7, at + 12, at + PACKET);
  const length = receiver.unprotectRtp(at, sender.protectRtp(at, PACKET));
  const isEqual = length === PACKET && memory[at + PACKET - 1] === 7;
  slots.give(at);
  sender.free();
  receiver.free();
  if (!isEqual) throw new Error('SRTP does not work');
}
