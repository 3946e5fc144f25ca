import type { Page } from '@playwright/test';
import { closePage, DEMO_PASSWORD, encryptPassword, openPage, type RunningServer } from '@rmeet/testkit';
import { test as base } from '../support.ts';

export { expect } from '@playwright/test';

/** User agent of the client shell. */
export const SHELL = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/150 RmeetClient/3.1';

interface Fixtures {
  /** A new browser without a sign-in. */
  page: Page;
  /** The same with the user agent of the client shell. */
  shell: Page;
}

export const test = base.extend<Fixtures>({
  page: async ({ chromium }, use) => {
    const page = await openPage(chromium);
    await use(page);
    await closePage(page);
  },
  shell: async ({ chromium }, use) => {
    const context = await chromium.newContext({ userAgent: SHELL, locale: 'zh-CN' });
    await use(await context.newPage());
    await context.close();
  },
});

/**
 * A new account with the common test password, and with only these roles, if given; of tenant `demo`, or of that of
 * another administrator. For scenarios that change an account: later scenarios on the same server rely on unchanged
 * demo accounts.
 */
export async function newUser(
  server: RunningServer,
  account: string,
  roleIds?: string[],
  administrator = 'admin',
): Promise<{ id: string }> {
  const admin = await server.api.as(administrator);
  const { user, password } = await admin.users.create({
    body: { account, name: account, ...(roleIds ? { roleIds } : {}) },
  });
  await choosePassword(server, account, password);
  return user;
}

/**
 * A new tenant with its own administrator, who has the common test password. For scenarios that change something
 * visible to a whole tenant.
 */
export async function newTenant(server: RunningServer, name: string, account: string): Promise<void> {
  const root = await server.api.as('root');
  const quotas = { users: null, terminals: null, recordingBytes: null, meetingFileBytes: null, meetingMinutes: null };
  const { password } = await root.tenants.create({
    body: { name, quotas, deniedFeatures: [], admin: { account, name: account } },
  });
  // The account has the language of the call that created it; pages of scenarios show that of their browser.
  const { token } = await choosePassword(server, account, password);
  const self = { name: account, phoneNumber: '', email: '', locale: 'zh' } as const;
  await server.api.withToken(token).users.updateSelf({ body: self });
}

/** Signs in with an account's one-time password, and replaces it with that of the demo accounts. */
async function choosePassword(
  server: RunningServer,
  account: string,
  made: string | null | undefined,
): Promise<{ token: string }> {
  const { publicKey } = await server.api.auth.loginMode({ query: {} });
  const [first, own] = [made ?? '', DEMO_PASSWORD].map((one) => encryptPassword(publicKey, one));
  return server.api.auth.login({ body: { account, password: first ?? '', newPassword: own } });
}

/** Signs in on an app's login page and waits for the redirect. */
export async function signInAt(page: Page, server: RunningServer, account: string, app = '/'): Promise<void> {
  await page.goto(`${server.url}${app}#/login`);
  await fillLogin(page, account);
  await arrives(page, (path) => !path.startsWith('/login'));
  await page.getByTestId('account-menu').waitFor();
  // The guard decides again at the page that `/` redirects to: it would notice changes that a test makes to the sign-in
  // before.
  await page.locator('#main h1').first().waitFor({ state: 'attached' });
}

export async function fillLogin(page: Page, account: string, password = DEMO_PASSWORD): Promise<void> {
  await page.getByTestId('login-account').fill(account);
  await page.getByTestId('login-password').fill(password);
  await page.getByTestId('login-submit').click();
}

/** Forgets the sign-in, but not the mark of the browser. */
export const leave = (page: Page): Promise<void> =>
  page.evaluate(`
    sessionStorage.clear();
    for (const key of Object.keys(localStorage)) if (key !== 'deviceId') localStorage.removeItem(key);
  `);

/** The path of the hash route, with its query. */
export function pathOf(page: Page): string {
  return new URL(page.url()).hash.slice(1);
}

/** Waits until the page is at a path, query included. */
export async function arrives(page: Page, at: string | ((path: string) => boolean)): Promise<void> {
  await page.waitForURL(({ hash }) => (typeof at === 'string' ? hash.slice(1) === at : at(hash.slice(1))), {
    timeout: 15_000,
  });
}

/** A value of the tab's session storage, or of local storage. */
export function stored(
  page: Page,
  key: string,
  from: 'sessionStorage' | 'localStorage' = 'sessionStorage',
): Promise<string | null> {
  return page.evaluate(`${from}.getItem(${JSON.stringify(key)})`);
}

export function store(
  page: Page,
  key: string,
  value: string,
  where: 'sessionStorage' | 'localStorage' = 'sessionStorage',
): Promise<void> {
  return page.evaluate(`${where}.setItem(${JSON.stringify(key)}, ${JSON.stringify(value)})`);
}

/** Simulates what the browser does when the user returns to a tab, or leaves it. */
export function showTab(page: Page, state: 'visible' | 'hidden'): Promise<void> {
  return page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' });
    document.dispatchEvent(new Event('visibilitychange'));
  `);
}
