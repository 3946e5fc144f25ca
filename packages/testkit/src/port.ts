import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';

/**
 * Above the ports that browsers block, below those that systems assign to outgoing connections (Linux 32768, others
 * 49152).
 */
const [LOWEST, HIGHEST] = [11_000, 32_768];

/** An unused TCP port of 127.0.0.1 that is not assigned to outgoing connections before it is used. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await canListen(port)) return port;
  }
}

function canListen(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** Whether a server takes connections at a TCP port of 127.0.0.1. */
export function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  }).finally(() => socket.destroy());
}
