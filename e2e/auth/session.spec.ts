import { ACTIVITY_POLL, UNAUTHORIZED_DELAY } from '@rmeet/contract';
import type { Page } from '@playwright/test';
import { signInElsewhere } from '../support.ts';
import { fillLogin, arrives, expect, pathOf, showTab, signInAt, store, stored, test } from './support.ts';

// The sentences of section 4 of the product document about session and layout, each as the title of a test.

test(
  'Tab visibility change: if stored login user differs between local and session storage, the page reloads; ' +
    'session token is synced from the local one.',
  async ({ server, page }) => {
    await signInAt(page, server, 'alice');
    await page.evaluate('window.isThisLoad = true');
    await store(page, 'token', 'newer', 'localStorage');
    await showTab(page, 'visible');
    expect(await stored(page, 'token')).toBe('newer');
    expect(await page.evaluate('window.isThisLoad')).toBe(true);

    // Another user signs in in a different tab.
    const { token, user } = await server.api.as('bob');
    await store(page, 'token', token, 'localStorage');
    await store(page, 'loginUser', JSON.stringify(user), 'localStorage');
    await showTab(page, 'visible');
    await expect(page.getByTestId('account-name')).toContainText('Bob');
    expect(await page.evaluate('window.isThisLoad')).toBeUndefined();
  },
);

test(
  'Logout: calls logout; on statusCode OK clears session, stored ' +
    'login user, auth map and token, goes to login, resets token state.',
  async ({ server, page }) => {
    await signInAt(page, server, 'alice');
    const token = await stored(page, 'token');
    const called = page.waitForResponse('**/api/logout');
    await page.getByTestId('account-menu').click();
    await page.getByTestId('logout').click();
    expect(((await (await called).json()) as { statusCode: string }).statusCode).toBe('OK');
    await arrives(page, '/login');
    for (const key of ['token', 'loginUser', 'loginUrl', 'isTenantAdmin', 'authArr', 'authArrMap', 'permissions']) {
      expect(await stored(page, key), key).toBeNull();
      expect(await stored(page, key, 'localStorage'), key).toBeNull();
    }
    await expect(server.api.withToken(token ?? '').users.current()).rejects.toThrow('UNAUTHORIZED');
  },
);

test('401s during a sign-out are not reported as an ended session', { tag: '@more' }, async ({ server, page }) => {
  await signInAt(page, server, 'alice');
  await page.clock.install();
  const [ended, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route('**/api/logout', async (route) => {
    const response = await route.fetch();
    ended.resolve();
    await answered.promise;
    await route.fulfill({ response });
  });
  await page.getByTestId('account-menu').click();
  await page.getByTestId('logout').click();
  await ended.promise;
  const refused = page.waitForResponse((response) => response.status() === 401);
  await page.getByTestId('view-list').click();
  await refused;
  await page.clock.fastForward(UNAUTHORIZED_DELAY);
  expect(pathOf(page)).toMatch(/^\/myMeeting/);
  answered.resolve();
  await arrives(page, '/login');
  await page.clock.fastForward(UNAUTHORIZED_DELAY);
  await page.getByTestId('login-account').waitFor();
  expect(pathOf(page)).toBe('/login');
  await expect(page.getByTestId('toast-error')).toHaveCount(0);
});

test('Logout that the server does not answer with OK leaves the session', async ({ server, page }) => {
  await signInAt(page, server, 'alice');
  await page.route('**/api/logout', (route) =>
    route.fulfill({ status: 503, json: { status: 503, data: null, statusCode: 'SERVICE_BUSY', message: '' } }),
  );
  await page.getByTestId('account-menu').click();
  await page.getByTestId('logout').click();
  await page.getByTestId('toast-warning').waitFor();
  expect(pathOf(page)).toBe('/myMeeting');
  expect(await stored(page, 'token')).not.toBeNull();
});

test('In the client shell with source client, logout opens /logout.', { tag: '@more' }, async ({ server, shell }) => {
  const { token } = await server.api.as('alice');
  await shell.goto(`${server.url}/#/myMeeting?token=${token}&source=client&version=340`);
  await shell.getByTestId('account-menu').click();
  await shell.getByTestId('logout').click();
  await shell.getByTestId('signed-out-login').waitFor();
  expect(pathOf(shell)).toBe('/logout');
  expect(await stored(shell, 'token')).toBeNull();
  await expect(server.api.withToken(token).users.current()).rejects.toThrow('UNAUTHORIZED');
});

test('/singleLogout ends the session', async ({ server, page }) => {
  await signInAt(page, server, 'alice');
  const token = await stored(page, 'token');
  await page.goto(`${server.url}/#/singleLogout`);
  await arrives(page, '/login');
  await expect(server.api.withToken(token ?? '').users.current()).rejects.toThrow('UNAUTHORIZED');
});

test(
  'Forced logout clears token, login URL, user, authority map, roles and resets the router. A pop-up asks to ' +
    'log in again after login on another device.',
  async ({ server, page }) => {
    await signInAt(page, server, 'alice');
    await signInElsewhere(server, 'alice');
    const question = page.getByTestId('question');
    await expect(question).toContainText('您的账号已在其他设备登录');
    for (const key of ['token', 'loginUrl', 'loginUser', 'authArrMap', 'authArr'])
      expect(await stored(page, key), key).toBeNull();
    await page.keyboard.press('Escape');
    await expect(question).toBeVisible();
    await page.getByTestId('question-ok').click();
    await arrives(page, (path) => path.startsWith('/login'));
    await page.goto(`${server.url}/#/userInfo`);
    await arrives(page, '/login?redirect=%2FuserInfo');
  },
);

/** The page's calls that the server rejects because the session is missing. */
function refusalsOf(page: Page): string[] {
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 401) refused.push(response.url());
  });
  return refused;
}

test(
  'A page whose session has ended sends no more requests while its dialog waits',
  { tag: '@more' },
  async ({ server, page }) => {
    await page.clock.install();
    await signInAt(page, server, 'alice');
    await signInElsewhere(server, 'alice');
    await page.getByTestId('question').waitFor();
    const refused = refusalsOf(page);
    let sockets = 0;
    page.on('websocket', () => (sockets += 1));
    await page.clock.runFor(ACTIVITY_POLL + 10_000);
    await page.evaluate('dispatchEvent(new Event("online"))');
    await page.clock.runFor(ACTIVITY_POLL + 10_000);
    await page.getByTestId('question-ok').click();
    await page.getByTestId('login-account').waitFor();
    expect(refused).toEqual([]);
    expect(sockets).toBe(0);
    // After signing in again, the user's calls succeed.
    await fillLogin(page, 'alice');
    await page.getByTestId('account-menu').waitFor();
  },
);

test('Signing out in one tab ends the others: they go to the login page once and send no more requests', async ({
  server,
  page,
}) => {
  await signInAt(page, server, 'alice');
  const other = await page.context().newPage();
  await other.clock.install();
  // Push messages of the server do not arrive.
  await other.routeWebSocket('**/api/push', () => undefined);
  await other.goto(`${server.url}/#/myMeeting`);
  await other.getByTestId('account-menu').waitFor();
  const visited: string[] = [];
  other.on('framenavigated', () => visited.push(pathOf(other)));
  const refused = refusalsOf(other);
  await page.getByTestId('account-menu').click();
  await page.getByTestId('logout').click();
  await arrives(page, '/login');
  await other.getByTestId('login-account').waitFor();
  await other.clock.runFor(ACTIVITY_POLL + 10_000);
  expect(visited).toEqual(['/login?redirect=%2FmyMeeting']);
  expect(refused).toEqual([]);
  expect(await stored(other, 'token')).toBeNull();
});

test('A user account can be enabled or disabled: its open pages end at once', async ({ server, page }) => {
  const admin = await server.api.as('admin');
  const { user } = await server.api.as('bob');
  await signInAt(page, server, 'bob');
  await admin.users.status({ body: { id: user.id, enabled: false } });
  await arrives(page, (path) => path.startsWith('/login'));
  await fillLogin(page, 'bob');
  await page.getByTestId('login-error').waitFor();
  await admin.users.status({ body: { id: user.id, enabled: true } });
});

test('Sidebar starts collapsed, toggles; remembered in a cookie (1 open, 0 closed).', async ({ server, page }) => {
  await signInAt(page, server, 'alice');
  const toggle = page.getByTestId('sidebar-toggle');
  const logo = page.getByTestId('sidebar-logo').first().locator('svg').first();
  const cookies = () => page.context().cookies();
  // The browser's store has a cookie shortly after the page has set it.
  const cookie = () => expect.poll(async () => (await cookies()).find(({ name }) => name === 'sidebarStatus')?.value);
  await expect(toggle).toHaveAttribute('aria-expanded', 'false');
  expect(await logo.boundingBox()).toMatchObject({ width: 45, height: 45 });
  await toggle.click();
  await cookie().toBe('1');
  expect(await logo.boundingBox()).toMatchObject({ width: 210, height: 65 });
  await page.reload();
  await expect(toggle).toHaveAttribute('aria-expanded', 'true');
  await toggle.click();
  await cookie().toBe('0');
});

test(
  'Meeting activity badge data is polled every 60 s, paused when the page is hidden.',
  { tag: '@more' },
  async ({ server, page }) => {
    await page.clock.install();
    const asked: Date[] = [];
    let meetingCount = 1;
    await page.route('**/meetings/activity*', async (route) => {
      asked.push(new Date(new URL(route.request().url()).searchParams.get('startDate') ?? ''));
      await route.fulfill({
        json: { status: 200, statusCode: 'OK', message: '', data: { meetingCount, lessonCount: 0, liveCount: 0 } },
      });
    });
    await signInAt(page, server, 'alice');
    await page.getByTestId('nav-dot').first().waitFor();
    expect(asked).toHaveLength(1);
    // Local midnight in the browser, two days ago.
    const midnight = (await page.evaluate(
      'new Date(new Date().getFullYear(), new Date().getMonth(), new Date().getDate() - 2).getTime()',
    )) as number;
    expect(asked[0]?.getTime()).toBe(midnight);

    meetingCount = 0;
    await page.clock.runFor(61_000);
    await expect(page.getByTestId('nav-dot')).toHaveCount(0);
    expect(asked).toHaveLength(2);

    await showTab(page, 'hidden');
    await page.clock.runFor(300_000);
    expect(asked).toHaveLength(2);
    await showTab(page, 'visible');
    await page.clock.runFor(61_000);
    await expect.poll(() => asked.length).toBeGreaterThan(2);
  },
);
