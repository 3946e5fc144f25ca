import { connectionIn, socketOf } from '../../../src/platform/process/connection.ts';

/** Stands for a media process: writes its number, what it got with a connection, and all that comes over it. */
process.on('message', ({ head }: { head: string }, handle: unknown) => {
  const socket = socketOf(connectionIn(handle)!);
  socket.on('error', () => socket.destroy());
  socket.write(`${process.pid} `);
  socket.write(Buffer.from(head, 'base64'));
  socket.on('data', (bytes) => socket.write(bytes));
});
