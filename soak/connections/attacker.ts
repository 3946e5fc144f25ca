/** Holds as many connections to the server as requested, and closes none by itself; in its own process. */
import { connect, type Socket } from 'node:net';
import { setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { PUSH_PATH } from '@rmeet/contract';

export type AttackKind = (typeof ATTACKS)[number];
export const ATTACKS = ['silent', 'slow head', 'slow body', 'unread answer', 'idle', 'push', 'media'] as const;

export interface Attack {
  port: number;
  kind: AttackKind;
  /** Sockets held at a time, and how many are opened per second. */
  count: number;
  perSecond: number;
  /** Their addresses are 127.0.0.<first> to 127.0.0.<last>. */
  addresses: { first: number; last: number };
  /** A large file of the web app, such as `/assets/index.js`. */
  file: string;
}

/** The state it reports once a second. */
export interface AttackState {
  opened: number;
  /** As seen on this side; the server has closed its half of some. */
  open: number;
}

const STUBBORN_MS = 10_000;
const DRIP_MS = 1_000;
const TICK_MS = 50;
const HEADERS = 'host: 127.0.0.1\r\n';
const upgrade = (path: string): string =>
  `GET ${path} HTTP/1.1\r\n${HEADERS}connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: ` +
  `13\r\nsec-websocket-key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`;

/** What is sent at once, and then once a second. */
function wordsOf({ kind, file }: Attack): { first: string; drip?: string } {
  switch (kind) {
    case 'silent':
      return { first: '' };
    case 'slow head':
      return { first: `GET / HTTP/1.1\r\n${HEADERS}`, drip: 'x-a: b\r\n' };
    case 'slow body':
      return {
        first:
          `POST /api/api/v1/login HTTP/1.1\r\n${HEADERS}content-type: ` +
          `application/json\r\ncontent-length: 100000\r\n\r\n{`,
        drip: ' ',
      };
    case 'unread answer':
      return { first: `GET ${file} HTTP/1.1\r\n${HEADERS}\r\n`.repeat(20) };
    case 'idle':
      return { first: `GET /healthz HTTP/1.1\r\n${HEADERS}\r\n` };
    case 'push':
      return { first: upgrade(PUSH_PATH) };
    case 'media':
      return { first: upgrade('/rtc?access_token=a.b.c&protocol=16') };
  }
}

async function run(attack: Attack): Promise<void> {
  const { first, drip } = wordsOf(attack);
  const open = new Set<Socket>();
  let opened = 0;
  const openOne = (): void => {
    const { first: low, last } = attack.addresses;
    const localAddress = `127.0.0.${low + (opened % (last - low + 1))}`;
    opened += 1;
    const socket = connect({ host: '127.0.0.1', port: attack.port, localAddress, allowHalfOpen: true });
    open.add(socket);
    socket.on('connect', () => {
      if (first !== '') socket.write(first);
      // In this attack it does not read the response; in the others it reads everything.
      if (attack.kind === 'unread answer') socket.pause();
      else socket.resume();
    });
    // The server closes: this side does not, for a while.
    socket.on('end', () => setTimeout(() => socket.destroy(), STUBBORN_MS));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => open.delete(socket));
  };
  setInterval(() => process.send?.({ opened, open: open.size } satisfies AttackState), 1_000);
  if (drip !== undefined) setInterval(() => open.forEach((socket) => socket.writable && socket.write(drip)), DRIP_MS);
  const rest = new AbortController();
  process.on('message', () => rest.abort());
  while (!rest.signal.aborted) {
    for (let i = 0; i < (attack.perSecond * TICK_MS) / 1_000 && open.size < attack.count; i += 1) openOne();
    await delay(TICK_MS);
  }
}

if (import.meta.main && process.send) {
  // A remote client would not use processor time of this machine.
  setPriority(10);
  process.once('disconnect', () => process.exit(0));
  process.once('SIGTERM', () => process.exit(0));
  await run(JSON.parse(process.argv[2] ?? '') as Attack);
}
