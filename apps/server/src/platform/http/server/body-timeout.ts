import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Waiting {
  timer: NodeJS.Timeout;
  giveUp: () => void;
}

const bodies = new WeakMap<IncomingMessage, Waiting>();

/** Rejects a request whose body has not arrived within this many milliseconds. */
export function awaitBody(
  request: IncomingMessage,
  response: ServerResponse,
  milliseconds: number,
  giveUp: (socket: Socket) => void,
): void {
  if (request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined) return;
  const lateBody = (): void => {
    if (request.complete) return;
    if (response.headersSent) request.socket.destroy();
    else giveUp(request.socket);
  };
  const waiting = { timer: setTimeout(lateBody, milliseconds).unref(), giveUp: lateBody };
  const stop = (): void => clearTimeout(waiting.timer);
  request.once('end', stop).once('close', stop);
  bodies.set(request, waiting);
}

/** Allows the body of this request, which brings files, so many milliseconds from now. */
export function awaitFiles(request: IncomingMessage, milliseconds: number): void {
  const waiting = bodies.get(request);
  if (!waiting) return;
  clearTimeout(waiting.timer);
  waiting.timer = setTimeout(waiting.giveUp, milliseconds).unref();
}
