import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Page } from '@playwright/test';
import type { WebPushMessage } from '@rmeet/contract';
import { expect, test as base } from '../pages.ts';

/** An address of the product at which it can be unreachable, or another version. */
interface Front {
  url: string;
  /** Put into the page, as a new version has another page. */
  version: string;
  setReachable: (reachable: boolean) => void;
}

const test = base.extend<{ front: Front; context: BrowserContext; page: Page }>({
  front: async ({ server }, use) => {
    let isReachable = true;
    const state: Front = { url: '', version: '1', setReachable: (reachable) => (isReachable = reachable) };
    const proxy: Server = createServer((incoming, outgoing) => {
      if (!isReachable) return incoming.socket.destroy();
      const { method, url = '' } = incoming;
      const { 'if-none-match': _tag, 'if-modified-since': _since, ...headers } = incoming.headers;
      const target = request(new URL(url, server.url), {
        method,
        headers: { ...headers, 'accept-encoding': 'identity' },
      });
      target.on('response', (answer) => {
        const isPage = url === '/' && answer.statusCode === 200;
        const { 'content-length': _length, ...rest } = answer.headers;
        outgoing.writeHead(answer.statusCode ?? 502, isPage ? rest : answer.headers);
        if (isPage) outgoing.write(`<!-- --><meta name="version" content="${state.version}" />`);
        answer.pipe(outgoing);
      });
      incoming.pipe(target);
      return undefined;
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    state.url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    await use(state);
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
  },
  context: async ({ browsers }, use) => {
    const browser = await browsers.of('whole');
    const context = await browser.newContext({ locale: 'en-US', permissions: ['notifications'] });
    await use(context);
    await context.close();
  },
  page: async ({ context }, use) => use(await context.newPage()),
});

/** Opens the app, and waits until it could be opened without a server. */
async function install(page: Page, { url }: Front): Promise<void> {
  await page.goto(url);
  await page.getByTestId('login-submit').waitFor();
  const isKept = `caches.open('shell').then(async (cache) =>
    (await Promise.all(performance.getEntriesByType('resource')
      .filter(({ name }) => name.includes('/assets/'))
      .map(({ name }) => cache.match(name)))).every((kept) => kept !== undefined) &&
    (await cache.match('/')) !== undefined)`;
  // The first movement of the pointer ends the wait for a quiet moment.
  await page.mouse.move(5, 5);
  await expect.poll(() => page.evaluate(isKept)).toBe(true);
  // Chromium drops push messages of a worker that is not active yet.
  const isActive = `navigator.serviceWorker.ready.then(({ active }) => active.state === 'activated')`;
  await expect.poll(() => page.evaluate(isActive)).toBe(true);
}
const versionOf = (page: Page): Promise<string | null> => page.locator('meta[name=version]').getAttribute('content');

test('opens without a server, says so, and loads automatically when the server is back', async ({ page, front }) => {
  await install(page, front);
  front.setReachable(false);
  await page.goto(front.url);
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible();
  await page.getByTestId('offline-retry').click();
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible();
  front.setReachable(true);
  await page.evaluate(`dispatchEvent(new Event('online'))`);
  await expect(page.getByTestId('login-submit')).toBeVisible();
});

test('runs the new version at the next load after an update', async ({ page, front }) => {
  await install(page, front);
  await page.reload();
  expect(await versionOf(page)).toBe('1');
  front.version = '2';
  await page.reload();
  expect(await versionOf(page)).toBe('2');
  await page.getByTestId('login-submit').waitFor();
  front.setReachable(false);
  // Without a server it is the newest version that was loaded.
  await expect
    .poll(async () => {
      await page.reload();
      return versionOf(page);
    })
    .toBe('2');
});

test('can be installed', async ({ page, front }) => {
  await install(page, front);
  const devTools = await page.context().newCDPSession(page);
  const { errors, manifest } = await devTools.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  expect(manifest).toMatchObject({ startUrl: `${front.url}/`, display: 'kStandalone' });
  const { installabilityErrors } = await devTools.send('Page.getInstallabilityErrors');
  // Playwright's contexts are incognito.
  expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual(['in-incognito']);
});

test('shows push messages, but no ring beside a visible page, which rings itself', async ({ page, front }) => {
  await install(page, front);
  const devTools = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    devTools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations;
      if (first) resolve(first.registrationId);
    });
  });
  await devTools.send('ServiceWorker.enable');
  const registrationId = await registered;
  const deliver = (message: WebPushMessage) =>
    devTools.send('ServiceWorker.deliverPushMessage', {
      origin: front.url,
      registrationId,
      data: JSON.stringify(message),
    });
  const common = { body: 'Ward round', path: '/join?number=123456789' };
  await deliver({
    ...common,
    title: 'Chair calls you',
    tag: 'ring-1',
    until: new Date(Date.now() + 60_000).toISOString(),
  });
  await deliver({ ...common, title: 'Starting soon', tag: 'reminder-1', until: null });
  const shown = `navigator.serviceWorker.ready.then(async (registration) =>
    (await registration.getNotifications()).map(({ title, body, tag, data }) => ({ title, body, tag, data })))`;
  await expect
    .poll(() => page.evaluate(shown))
    .toEqual([{ title: 'Starting soon', body: common.body, tag: 'reminder-1', data: { path: common.path } }]);
});
