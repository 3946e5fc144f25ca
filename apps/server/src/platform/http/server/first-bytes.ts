import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Takes over connections that are not HTTP, and that their first bytes identify. */
export interface ConnectionTaker {
  /**
   * Looks at what a connection has sent first: `false` if it is HTTP or TLS, `undefined` while more bytes are needed,
   * otherwise the connection is taken by `take`.
   */
  recognizes(head: Buffer): boolean | undefined;
  /** Called with what was read; nobody reads the socket any more. */
  take(socket: Socket, head: Buffer): void;
}

/**
 * Lets `taker` see the first bytes of every connection before the HTTP server does. In HTTP and TLS the client speaks
 * first, so no connection waits for this. One that stays silent for `silence` milliseconds is closed.
 */
export function watchFirstBytes(
  server: Server,
  { isTls, silence }: { isTls: boolean; silence: number },
  taker: ConnectionTaker,
) {
  const handlers = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  const give = (socket: Socket, head: Buffer): void => {
    socket.unshift(head);
    for (const handler of handlers) handler.call(server, socket);
    // TLS reads what is buffered by itself, and then from the system directly.
    if (!isTls) socket.resume();
  };
  server.on('connection', (socket: Socket) => {
    let head: Buffer | undefined;
    const end = (): void => void socket.destroy();
    const onData = (bytes: Buffer): void => {
      head = head ? Buffer.concat([head, bytes]) : bytes;
      const isTaken = taker.recognizes(head);
      if (isTaken === undefined) return;
      socket.pause();
      socket.setTimeout(0);
      socket.off('data', onData).off('error', end).off('end', end).off('timeout', end);
      if (isTaken) taker.take(socket, head);
      else give(socket, head);
    };
    socket.on('data', onData).on('error', end).on('end', end).on('timeout', end);
    socket.setTimeout(silence);
  });
}
