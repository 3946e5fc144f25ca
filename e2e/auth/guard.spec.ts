import { closePage } from '@rmeet/testkit';
import { arrives, expect, fillLogin, pathOf, SHELL, signInAt, store, stored, test } from './support.ts';
import { bookMeeting } from '../support.ts';

// One test per sentence of section 4 of the product document about the guard, with the sentence as title.

test("Roles start empty; set to ['admin'], or ['superAdmin'] when path is /admin/.", async ({
  server,
  page,
  chromium,
}) => {
  await signInAt(page, server, 'alice');
  await expect(page.getByTestId('nav-MyMeeting').first()).toBeVisible();
  await expect(page.getByTestId('nav-Tenants')).toHaveCount(0);

  const admin = await (await chromium.newContext()).newPage();
  await signInAt(admin, server, 'root', '/admin/');
  await expect(admin.getByTestId('nav-Tenants').first()).toBeVisible();
  await expect(admin.getByTestId('nav-MyMeeting')).toHaveCount(0);
  await closePage(admin);
});

test('Reset clears roles and removes the session token.', async ({ server, page }) => {
  await signInAt(page, server, 'alice');
  await page.route('**/api/api/v1/users/user*', (route) =>
    route.fulfill({ status: 500, json: { status: 500, data: null, statusCode: 'SERVER_ERROR', message: '' } }),
  );
  await page.reload();
  await page.getByTestId('login-account').waitFor();
  expect(await stored(page, 'token')).toBeNull();
  expect(await stored(page, 'authArr')).toBeNull();
});

test(
  'a /meetingControl visit with a token and no ticket flag exchanges ' +
    'the ticket for a real token, stores it, redirects with only meetId',
  async ({ server, page }) => {
    const alice = await server.api.as('alice');
    const { meetId, numericId, subject } = await bookMeeting(alice, 'Controlled');
    const { sign } = await alice.auth.handover();
    await page.goto(`${server.url}/#/meetingControl?token=${sign}&meetId=${meetId}&source=client`);
    await page.getByTestId('meeting-control').waitFor();
    expect(pathOf(page)).toBe(`/meetingControl?meetId=${meetId}`);
    expect(await stored(page, 'token')).not.toBe(sign);
    await expect(page.getByTestId('meeting-control')).toContainText(subject);
    await expect(page.getByTestId('control-number')).toHaveText(numericId.replace(/(\d{3})(?=\d)/g, '$1 '));
    await page.getByTestId('control-join').click();
    await arrives(page, `/join?number=${numericId}`);
  },
);

test('a used ticket signs no one in, and the page says so', async ({ server, page }) => {
  const alice = await server.api.as('alice');
  const { sign } = await alice.auth.handover();
  await alice.auth.ticketToToken({ query: {}, body: { sign } });
  await page.goto(`${server.url}/#/meetingControl?token=${sign}&meetId=m`);
  await page.getByTestId('state-empty').waitFor();
  expect(pathOf(page)).toBe('/meetingControl?meetId=m');
  expect(await stored(page, 'token')).toBeNull();
});

for (const path of ['/login', '/myMeeting', '/loading'] as const) {
  test(
    `A ${path} route with a token query stores token, source and ` +
      'version, checks tenant-admin status and stores the flag.',
    async ({ server, page }) => {
      const { token } = await server.api.as('admin');
      await page.goto(`${server.url}/#${path}?token=${token}&source=client&version=340`);
      await arrives(page, '/myMeeting');
      await page.getByTestId('account-menu').waitFor();
      expect(page.url()).not.toContain(token);
      expect(
        await Promise.all(['token', 'source', 'version', 'isTenantAdmin'].map((key) => stored(page, key))),
      ).toEqual([token, 'client', '340', 'true']);
    },
  );
}

test(
  'A /meetingControl route with a token query and the ticket flag stores token, source and version',
  { tag: '@more' },
  async ({ server, page }) => {
    const alice = await server.api.as('alice');
    const { meetId } = await bookMeeting(alice, 'Flagged');
    await page.goto(
      `${server.url}/#/meetingControl?token=${alice.token}&meetId=${meetId}&ticketToken=1&source=client&version=340`,
    );
    await page.getByTestId('meeting-control').waitFor();
    expect(pathOf(page)).toBe(`/meetingControl?meetId=${meetId}`);
    expect(await Promise.all(['token', 'source', 'version', 'isTenantAdmin'].map((key) => stored(page, key)))).toEqual([
      alice.token,
      'client',
      '340',
      'false',
    ]);
  },
);

test(
  'A route param named params holding JSON with localStorage.permissions and token stores them in session storage.',
  { tag: '@more' },
  async ({ server, page }) => {
    const { token } = await server.api.as('bob');
    const params = encodeURIComponent(
      JSON.stringify({ localStorage: { permissions: ['sys:network', 'made:up'], token } }),
    );
    await page.goto(`${server.url}/#/userInfo?params=${params}`);
    await page.getByTestId('account-menu').waitFor();
    expect(pathOf(page)).toBe('/userInfo');
    expect(await stored(page, 'permissions')).toBe('["sys:network","made:up"]');
    expect(await stored(page, 'token')).toBe(token);
    // The account's rights come only from the server.
    expect(await stored(page, 'authArr')).not.toContain('made:up');
  },
);

test('A params that holds something else stores nothing', { tag: '@more' }, async ({ server, page }) => {
  await page.goto(
    `${server.url}/#/myMeeting?params=${encodeURIComponent('{"localStorage":{"token":"x","permissions":"all"}}')}`,
  );
  await arrives(page, '/login?redirect=%2FmyMeeting');
  expect(await stored(page, 'token')).toBeNull();
});

test(
  'If the stored login URL differs from the current one (path not under ' +
    '/manage), tokens and roles are cleared and the user goes to login.',
  async ({ server, page }) => {
    await signInAt(page, server, 'admin');
    await store(page, 'loginUrl', 'https://elsewhere.example/');
    await page.goto(`${server.url}/manage/`);
    await page.getByTestId('account-menu').waitFor();
    await page.goto(`${server.url}/#/userInfo`);
    await arrives(page, '/login');
    expect(await stored(page, 'token')).toBeNull();
    expect(await stored(page, 'authArr')).toBeNull();
  },
);

test('With a token: /login or loading (unless logout) goes to root', async ({ server, page }) => {
  await signInAt(page, server, 'alice');
  for (const path of ['/login', '/loading']) {
    await page.goto(`${server.url}/#${path}`);
    await arrives(page, '/myMeeting');
  }
  await page.goto(`${server.url}/#/login?logout=1`);
  await page.getByTestId('login-account').waitFor();
});

test('With a token: /singleLogin passes', { tag: '@more' }, async ({ server, page }) => {
  await signInAt(page, server, 'alice');
  const { sign } = await (await server.api.as('bob')).auth.handover();
  await page.goto(`${server.url}/#/singleLogin?sign=${sign}`);
  await arrives(page, '/myMeeting');
  await expect(page.getByTestId('account-name')).toContainText('Bob');
  expect(await stored(page, 'isSingleLogin')).toBe('1');
});

test('/singleLogin?token= signs in by a token', async ({ server, page }) => {
  const { token } = await server.api.as('bob');
  await page.goto(`${server.url}/#/singleLogin?token=${token}`);
  await arrives(page, '/myMeeting');
  await expect(page.getByTestId('account-name')).toContainText('Bob');
  expect(await stored(page, 'token')).toBe(token);
});

test('if roles are missing, load user info, generate routes, add them dynamically and re-enter', async ({
  server,
  page,
}) => {
  const calls: string[] = [];
  page.on('request', (request) => calls.push(new URL(request.url()).pathname.replace('/api/api/v1/', '')));
  await signInAt(page, server, 'root', '/admin/');
  await page.goto(`${server.url}/admin/#/tenants?keyword=d`);
  calls.length = 0;
  await page.reload();
  await page.getByTestId('account-menu').waitFor();
  // A route from the menu: without it the path would redirect to the root.
  expect(pathOf(page)).toContain('/tenants');
  expect(calls).toEqual(expect.arrayContaining(['operators/user', 'permission/user/permissions']));
});

test(
  'permission/user/permissions: failure only logged and route build continues with empty list',
  { tag: '@more' },
  async ({ server, page }) => {
    const logged: string[] = [];
    page.on('console', (message) => logged.push(message.text()));
    await page.route('**/permission/user/permissions*', (route) =>
      route.fulfill({ status: 500, json: { status: 500, data: null, statusCode: 'SERVER_ERROR', message: '' } }),
    );
    await signInAt(page, server, 'alice');
    expect(pathOf(page)).toBe('/myMeeting');
    await expect(page.getByTestId('nav-MyMeeting')).toHaveCount(0);
    await expect(page.getByTestId('toast-error')).toHaveCount(0);
    expect(logged.join('\n')).toContain('The menu could not be loaded.');
  },
);

for (const [path, login] of [
  ['/userInfo', '/login?redirect=%2FuserInfo'],
  ['/404', '/login'],
] as const) {
  test(`On failure reset the token and go to login with a redirect param unless the path is 404: ${path}`, async ({
    server,
    page,
  }) => {
    await page.goto(`${server.url}/#/login`);
    await page.getByTestId('login-account').waitFor();
    await store(page, 'token', 'no-such-token');
    // A full page load: a change of the hash would not ask again.
    await page.goto('about:blank');
    await page.goto(`${server.url}/#${path}`);
    // The message comes last; afterwards the page does not change.
    await page.getByTestId('toast-error').waitFor();
    expect(pathOf(page)).toBe(login);
    expect(await stored(page, 'token')).toBeNull();
  });
}

test('Without a token: public paths pass, all else goes to login with a redirect.', async ({ server, page }) => {
  for (const [path, testId] of [
    ['/login', 'login-account'],
    ['/join', 'join-number'],
  ] as const) {
    await page.goto(`${server.url}/#${path}`);
    await page.getByTestId(testId).waitFor();
    expect(pathOf(page)).toBe(path);
  }
  for (const path of ['/loading', '/404', '/meetingControl', '/logout']) {
    await page.goto(`${server.url}/#${path}`);
    await page.getByRole('link').first().waitFor();
    expect(pathOf(page)).toBe(path);
  }
  await page.goto(`${server.url}/#/userInfo`);
  await arrives(page, '/login?redirect=%2FuserInfo');
  await fillLogin(page, 'alice');
  await arrives(page, '/userInfo');
});

test('Any unknown path redirects to /, which redirects to /myMeeting', async ({ server, page }) => {
  await signInAt(page, server, 'alice');
  await page.goto(`${server.url}/#/no/such/path`);
  // It says why another page is shown.
  await page.getByTestId('toast-warning').waitFor();
  await arrives(page, '/myMeeting');
});

test(
  'Desktop-client shell with missing or old version (below 332), not ' +
    "in a frame: explicit false goes to the admin area's /myMeeting",
  { tag: '@more' },
  async ({ server, shell }) => {
    const asked = '**/users/queryUserForClient';
    await shell.route(asked, (route) =>
      route.fulfill({ json: { status: 200, statusCode: 'OK', message: '', data: { openNewPage: false } } }),
    );
    const { token } = await server.api.as('admin');
    await shell.goto(`${server.url}/#/myMeeting?token=${token}&version=331`);
    await shell.waitForURL(`${server.url}/manage/#/myMeeting`);
  },
);

test(
  'Desktop-client shell with missing or old version: queries whether the user is a client user, who stays',
  { tag: '@more' },
  async ({ server, shell }) => {
    const { token } = await server.api.as('alice');
    const asked = shell.waitForRequest('**/users/queryUserForClient');
    await shell.goto(`${server.url}/#/myMeeting?token=${token}`);
    await asked;
    await shell.getByTestId('account-menu').waitFor();
    expect(shell.url()).toBe(`${server.url}/#/myMeeting`);
  },
);

test('Desktop-client shell of version 332 is not asked about', { tag: '@more' }, async ({ server, shell }) => {
  const asked: string[] = [];
  shell.on('request', (request) => request.url().includes('queryUserForClient') && asked.push(request.url()));
  const { token } = await server.api.as('alice');
  await shell.goto(`${server.url}/#/myMeeting?token=${token}&version=332`);
  await shell.getByTestId('account-menu').waitFor();
  expect(asked).toEqual([]);
});

test(
  'Desktop-client shell with missing or old version: on error tokens are cleared',
  { tag: '@more' },
  async ({ server, shell }) => {
    await shell.route('**/users/queryUserForClient', (route) => route.abort());
    const { token } = await server.api.as('alice');
    await shell.goto(`${server.url}/#/myMeeting?token=${token}`);
    await shell.getByTestId('login-account').waitFor();
    expect(await stored(shell, 'token')).toBeNull();
    expect(await shell.evaluate('navigator.userAgent')).toBe(SHELL);
  },
);
