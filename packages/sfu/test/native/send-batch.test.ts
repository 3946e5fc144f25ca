import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { address, memory, reserve, words } from '../../src/transport/native/arena.ts';
import { bindings } from '../../src/transport/native/bindings.ts';
import { PacketQueue } from '../../src/transport/native/packet-queue.ts';
import { UdpPath } from '../../src/transport/native/peer-path.ts';
import { sendBatch } from '../../src/transport/native/send-batch.ts';
import { slots } from '../../src/transport/native/slots.ts';
import { NAME_BYTES, writeSocketAddress } from '../../src/transport/native/socket-address.ts';
import { UdpSocket } from '../../src/transport/native/udp.ts';
import { until } from '../support/engine.ts';
import { needNative } from '../support/native.ts';

let socket: UdpSocket;
let receivers: { socket: Socket; path: UdpPath; received: Buffer[] }[];

beforeEach(needNative);
beforeEach(async () => {
  const nothing = (): void => undefined;
  socket = new UdpSocket(0, undefined, { datagram: nothing, batchEnd: nothing, writable: nothing });
  receivers = await Promise.all(
    [1, 2].map(async () => {
      const received: Buffer[] = [];
      const receiver = createSocket('udp4').on('message', (datagram) => received.push(datagram));
      const listening = once(receiver, 'listening');
      receiver.bind(0, '127.0.0.1');
      await listening;
      const nameAt = reserve(NAME_BYTES);
      writeSocketAddress(nameAt, socket.family, '127.0.0.1', receiver.address().port);
      return { socket: receiver, path: new UdpPath(socket, nameAt), received };
    }),
  );
});

afterEach(() => {
  socket.close();
  for (const receiver of receivers) {
    receiver.path.close();
    receiver.socket.close();
  }
});

function queueOf(lengths: readonly number[]): PacketQueue {
  const queue = new PacketQueue();
  for (const [index, length] of lengths.entries()) {
    const slot = slots.take();
    memory.fill(index, slot, slot + length);
    queue.push(slot, length, true);
  }
  queue.sealed = queue.count;
  return queue;
}

function send(queues: readonly PacketQueue[]): number {
  const batch = sendBatch();
  batch.begin(socket);
  for (const [index, queue] of queues.entries()) batch.add(queue, receivers[index]!.path);
  batch.end();
  return batch.unsent;
}

it.each([true, false])(
  'sends packets of all sizes in order to each destination; segmented by the kernel: %s',
  async (canSegment) => {
    socket.canSegment = canSegment;
    const lengths = [Array.from({ length: 90 }, (_, n) => (n % 10 < 8 ? 1000 : 300 + n)), [100, 200, 200, 50]];
    const queues = lengths.map(queueOf);
    expect(send(queues)).toBe(0);
    expect(queues.map(({ done }) => done)).toEqual([90, 4]);
    const used = slots.used;
    for (const queue of queues) queue.removeDone();
    expect(slots.used).toBe(used - 94);
    await until('all have come', () => receivers[0]!.received.length === 90 && receivers[1]!.received.length === 4);
    for (const [index, { received }] of receivers.entries()) {
      expect(received.map(({ length }) => length)).toEqual(lengths[index]);
      expect(received.map(([first]) => first)).toEqual(received.map((_, n) => n));
    }
  },
);

it('sends packets one by one that the kernel refuses to segment, and does not try again there', async () => {
  const { path, received } = receivers[0]!;
  // SO_NO_CHECK: without checksums the kernel does not segment (EINVAL)
  const option = reserve(4);
  words[option >>> 2] = 1;
  expect(bindings().libc.setsockopt(socket.descriptor, 1, 11, address(option, 4), 4)).toBe(0);
  const queue = queueOf([500, 500, 400]);
  expect(send([queue])).toBe(0);
  queue.removeDone();
  await until('they have come', () => received.length === 3);
  expect(path.canSegment).toBe(false);
});

it('counts what the kernel does not take, and continues', async () => {
  const nameAt = reserve(NAME_BYTES);
  writeSocketAddress(nameAt, socket.family, '127.0.0.1', 0);
  const nowhere = new UdpPath(socket, nameAt);
  const [lost, sent] = [queueOf([100, 100]), queueOf([100])];
  const batch = sendBatch();
  batch.begin(socket);
  batch.add(lost, nowhere);
  batch.add(sent, receivers[0]!.path);
  batch.end();
  nowhere.close();
  expect(batch.unsent).toBe(2);
  for (const queue of [lost, sent]) queue.removeDone();
  await until('it has come', () => receivers[0]!.received.length === 1);
});

it('drops the oldest video when asked, and keeps sound', () => {
  const queue = queueOf([10, 20]);
  queue.push(slots.take(), 30, false);
  expect([queue.dropVideo(), queue.count, queue.lengthOf(0), queue.sealed]).toEqual([true, 2, 20, 1]);
  expect([queue.dropVideo(), queue.dropVideo(), queue.count, queue.lengthOf(0)]).toEqual([true, false, 1, 30]);
  queue.clear();
});
