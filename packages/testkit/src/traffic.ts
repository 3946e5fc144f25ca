import { PUSH_PATH } from '@rmeet/contract';
import type { Page, WebSocket } from '@playwright/test';
import { SignalRequest, SignalResponse } from '@livekit/protocol';

type Connection = 'signalling' | 'push' | 'calls';

/**
 * A message that a page sent or received: when, by the clock of the test, on which connection, and its kind, such as `→
 * subscription` or `GET /api/api/v1/meetings`.
 */
interface Message {
  at: number;
  over: Connection;
  kind: string;
}

/** The messages of a page in a period, by connection and kind; and how often React changed it. */
export type Traffic = Record<Connection, Record<string, number>> & { commits: number };

const messagesOf = new WeakMap<Page, Message[]>();

/** Records from now on what a page sends and receives; of WebSockets only those opened later. */
export function recordTraffic(page: Page): void {
  const messages: Message[] = [];
  messagesOf.set(page, messages);
  const note = (over: Connection, kind: string): void => void messages.push({ at: Date.now(), over, kind });
  page.on('websocket', (socket) => {
    const over = connectionOf(socket);
    if (over === null) return;
    socket.on('framesent', ({ payload }) => note(over, `→ ${kindOf(payload, SignalRequest)}`));
    socket.on('framereceived', ({ payload }) => note(over, `← ${kindOf(payload, SignalResponse)}`));
  });
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) note('calls', `${request.method()} ${pathname}`);
  });
}

/** The media engine's signalling (`/rtc`, `/rtc/v1`), or the push socket. */
function connectionOf(socket: WebSocket): Connection | null {
  const { pathname } = new URL(socket.url());
  if (pathname.startsWith('/rtc')) return 'signalling';
  return pathname === PUSH_PATH ? 'push' : null;
}

/**
 * For a signalling message the case of its `message` (livekit.SignalRequest, livekit.SignalResponse), for a push
 * message its first field.
 */
function kindOf(payload: string | Buffer, type: typeof SignalRequest | typeof SignalResponse): string {
  if (typeof payload !== 'string') return type.fromBinary(payload).message.case ?? 'unknown';
  return Object.keys(JSON.parse(payload) as object)[0] ?? 'empty';
}

/** What a page of `openPage` sent, received and drew in the last seconds. */
export async function trafficOf(page: Page, { seconds }: { seconds: number }): Promise<Traffic> {
  const messages = messagesOf.get(page);
  if (messages === undefined) throw new Error('Nobody notes what this page says: it is one of a light browser.');
  const commits = await page.evaluate<number>(`rmeetTest.commits(${seconds * 1_000})`);
  const from = Date.now() - seconds * 1_000;
  const traffic: Traffic = { signalling: {}, push: {}, calls: {}, commits };
  for (const { at, over, kind } of messages) if (at >= from) traffic[over][kind] = (traffic[over][kind] ?? 0) + 1;
  return traffic;
}
