import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/** Rejects a request whose body has not arrived within this many milliseconds. */
export function awaitBody(
  request: IncomingMessage,
  response: ServerResponse,
  milliseconds: number,
  giveUp: (socket: Socket) => void,
): void {
  if (request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined) return;
  const timer = setTimeout(() => {
    if (request.complete) return;
    if (response.headersSent) request.socket.destroy();
    else giveUp(request.socket);
  }, milliseconds).unref();
  const stop = (): void => clearTimeout(timer);
  request.once('end', stop).once('close', stop);
  timers.set(request, timer);
}

/**
 * Allows this request as long as a call with files may take (UPLOAD_TIMEOUT); the HTTP server itself enforces that
 * limit.
 */
export function awaitFiles(request: IncomingMessage): void {
  clearTimeout(timers.get(request));
}
