import type { Page, Request, WebSocket } from '@playwright/test';
import { SignalRequest, SignalResponse } from '@livekit/protocol';

/** One message of a page: over which of its connections, which way, and of what kind. */
interface Message {
  /** By the clock of the test, ms. */
  at: number;
  over: 'signalling' | 'push' | 'call';
  /** As `→ subscription`, `← speakersChanged`, `→ report`, `GET /api/api/v1/meetings`. */
  kind: string;
}

const messagesOf = new WeakMap<Page, Message[]>();

/** Notes every message of a page's WebSockets from now on; those that are open already are not noted. */
export function recordTraffic(page: Page): void {
  const messages: Message[] = [];
  messagesOf.set(page, messages);
  page.on('websocket', (socket) => {
    const over = connectionOf(socket);
    if (over === null) return;
    const note = (kind: string): void => void messages.push({ at: Date.now(), over, kind });
    socket.on('framesent', ({ payload }) => note(`→ ${kindOf(payload, SignalRequest)}`));
    socket.on('framereceived', ({ payload }) => note(`← ${kindOf(payload, SignalResponse)}`));
  });
}

/** The media engine's signalling (`/rtc`, `/rtc/v1`), or the push socket. */
function connectionOf(socket: WebSocket): 'signalling' | 'push' | null {
  const { pathname } = new URL(socket.url());
  if (pathname.startsWith('/rtc')) return 'signalling';
  return pathname === '/api/push' ? 'push' : null;
}

/** Of a signalling message the case of its `message` (livekit.SignalRequest, livekit.SignalResponse), of a push message its first field. */
function kindOf(payload: string | Buffer, type: typeof SignalRequest | typeof SignalResponse): string {
  if (typeof payload !== 'string') return type.fromBinary(payload).message.case ?? 'unknown';
  return Object.keys(JSON.parse(payload) as object)[0] ?? 'empty';
}

/** What a page said and heard in a time, by connection and kind. */
export type Traffic = Record<Message['over'], Record<string, number>>;

/** Counts the messages and calls of pages for a time. */
export async function trafficOf(pages: readonly Page[], { seconds }: { seconds: number }): Promise<Traffic[]> {
  const from = Date.now();
  const called = pages.map((page) => {
    const calls: Message[] = [];
    const note = (request: Request): void => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/')) calls.push({ at: Date.now(), over: 'call', kind: `${request.method()} ${pathname}` });
    };
    page.on('request', note);
    return { calls, stop: () => page.off('request', note) };
  });
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  return pages.map((page, at) => {
    called[at]?.stop();
    const told = (messagesOf.get(page) ?? []).filter((message) => message.at >= from);
    return counted([...told, ...(called[at]?.calls ?? [])]);
  });
}

function counted(messages: readonly Message[]): Traffic {
  const traffic: Traffic = { signalling: {}, push: {}, call: {} };
  for (const { over, kind } of messages) traffic[over][kind] = (traffic[over][kind] ?? 0) + 1;
  return traffic;
}
