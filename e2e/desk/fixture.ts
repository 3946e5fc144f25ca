import { openPage } from '@rmeet/testkit';
import type { PushMessage } from '@rmeet/contract';
import type { Browser, Page, WebSocketRoute } from '@playwright/test';
import { MEET_ID, type Busy } from './busy-conference.ts';

const TOPIC = `meeting:${MEET_ID}`;

export interface FixtureOptions {
  /** Path of the page; the query comes after `#`. */
  path?: string;
  locale?: 'zh-CN' | 'en-US';
  size?: { width: number; height: number };
}

export interface DeskFixture {
  page: Page;
  /** Sends the page a message over its push socket. */
  push: (message: PushMessage) => void;
  /** Closes the push socket, and rejects every further one. */
  drop: () => Promise<void>;
  /** How often the page has requested the state: once, unless it missed something. */
  subscriptions: () => number;
  /** The page's requests to the server, as `METHOD path`. */
  calls: string[];
}

/**
 * Opens the desk of a simulated conference: the page is the product's, the test provides the push socket and the calls.
 * `url`: where the built app is served.
 */
// oxlint-disable-next-line max-lines-per-function -- Routes and socket of one fixture share its state.
export async function openDeskFixture(
  browser: Browser,
  url: string,
  { state }: Busy,
  {
    path = `/meetingControl?meetId=${MEET_ID}`,
    locale = 'zh-CN',
    size = { width: 1280, height: 800 },
  }: FixtureOptions = {},
): Promise<DeskFixture> {
  const page = await openPage(browser, { locale, size });
  const pass = {
    token: 'made-up',
    meetId: MEET_ID,
    part: 'chair',
    scope: 'control',
    expiresAt: '2099-01-01T00:00:00.000Z',
  };
  await page.addInitScript(
    `sessionStorage.setItem('deskPasses', ${JSON.stringify(JSON.stringify({ [MEET_ID]: pass }))})`,
  );
  const calls: string[] = [];
  await page.route('**/api/api/**', async (route) => {
    const { pathname } = new URL(route.request().url());
    calls.push(`${route.request().method()} ${pathname}`);
    const command = { commandId: '0198f6a2-0000-7000-8000-0000000000ff', version: 1, affected: [] };
    const answer = pathname.endsWith('/watch')
      ? { status: false, data: null, statusCode: 'MEDIA_UNAVAILABLE', message: '' }
      : // Only data pushed by the test exists: earlier requests are answered by null.
        { status: true, data: route.request().method() === 'GET' ? null : command, statusCode: 'OK', message: '' };
    await route.fulfill({
      status: answer.status ? 200 : 406,
      contentType: 'application/json',
      body: JSON.stringify(answer),
    });
  });
  const { promise, resolve } = Promise.withResolvers<(message: PushMessage) => void>();
  let subscribed = 0;
  let cut = false;
  const sockets: WebSocketRoute[] = [];
  await page.routeWebSocket(/\/api\/push/, async (socket) => {
    if (cut) {
      await socket.close();
      return;
    }
    sockets.push(socket);
    const push = (message: PushMessage) => socket.send(JSON.stringify(message));
    socket.onMessage((data) => {
      const request = JSON.parse(String(data)) as Record<string, unknown>;
      if ('deskToken' in request) push({ ready: true });
      else if ('ping' in request) push({ pong: Number(request['ping']) });
      else if ('subscribe' in request) {
        subscribed += 1;
        push({ subscribed: TOPIC, version: 1 });
        push({ topic: TOPIC, version: 1, snapshot: state });
        resolve(push);
      }
    });
  });
  await page.goto(`${url}/#${path}`);
  const drop = async (): Promise<void> => {
    cut = true;
    for (const socket of sockets) await socket.close();
  };
  return { page, push: await promise, drop, calls, subscriptions: () => subscribed };
}
