import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/** Gives a request up whose body has not arrived within so many milliseconds. */
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

/** Lets this one take as long as a call that brings files may (UPLOAD_TIMEOUT), which the server itself looks after. */
export function awaitFiles(request: IncomingMessage): void {
  clearTimeout(timers.get(request));
}
