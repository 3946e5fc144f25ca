import type { SendHandle } from 'node:child_process';
import { Socket } from 'node:net';

/**
 * A TCP connection without a `net.Socket`, on its way to another process. Node's channel to a child takes such handles.
 * It would take sockets, too, but these read while they wait there, and what they read is lost.
 */
export interface RawConnection {
  readStop(): number;
  close(): void;
}

/** The parts of a socket that Node does not document. */
type Inside = Record<typeof HANDLE, RawConnection | null>;
const HANDLE = '_handle';

/**
 * Takes the connection out of its socket, which then counts as closed, also for its server. Bytes that the socket holds
 * must be taken out before. Undefined if the connection is gone.
 */
export function takeConnection(socket: Socket): RawConnection | undefined {
  const inside = socket as unknown as Inside;
  const connection = inside[HANDLE];
  if (!connection) return undefined;
  connection.readStop();
  inside[HANDLE] = null;
  socket.destroy();
  return connection;
}

/** The connection in the form in which channels send it. */
export const asHandle = (connection: RawConnection): SendHandle => connection as unknown as SendHandle;

/** The connection that came over a channel; undefined if there is none. */
export function connectionIn(handle: unknown): RawConnection | undefined {
  const connection = handle as Partial<RawConnection> | undefined | null;
  return typeof connection?.readStop === 'function' ? (connection as RawConnection) : undefined;
}

/** A socket for a connection that came from another process. It reads nothing until it is used. */
export function socketOf(connection: RawConnection): Socket {
  // Node's types know the documented options only.
  const options: object = { handle: connection, manualStart: true, allowHalfOpen: false };
  return new Socket(options);
}
