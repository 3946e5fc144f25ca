import type { Page } from '@playwright/test';
import { closePage, DEMO_PASSWORD, encryptPassword, openPage, type RunningServer } from '@rmeet/testkit';
import { test as base } from '../support.ts';

export { expect } from '@playwright/test';

/** What the client shell calls itself. */
export const SHELL = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/150 RmeetClient/3.1';

interface Fixtures {
  /** A fresh browser, signed out. */
  page: Page;
  /** The same as the client shell. */
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
 * A new account of tenant `demo` with the password of the others; with these roles alone, where they are named. For
 * scenarios that change an account: the scenarios after them on the same server count on the demo accounts as they are.
 */
export async function newUser(server: RunningServer, account: string, roleIds?: string[]): Promise<{ id: string }> {
  const admin = await server.api.as('admin');
  const { user, password } = await admin.users.create({
    body: { account, name: account, ...(roleIds ? { roleIds } : {}) },
  });
  await choosePassword(server, account, password);
  return user;
}

/**
 * A new tenant with an administrator of its own, who has the password of the others. For scenarios that change what all
 * of a tenant see.
 */
export async function newTenant(server: RunningServer, name: string, account: string): Promise<void> {
  const root = await server.api.as('root');
  const quotas = { users: null, terminals: null, recordingBytes: null, meetingMinutes: null };
  const { password } = await root.tenants.create({
    body: { name, quotas, deniedFeatures: [], admin: { account, name: account } },
  });
  await choosePassword(server, account, password);
}

/**
 * Signs in with the password that was made for an account, for the one and only time, and chooses that of the demo
 * accounts.
 */
async function choosePassword(server: RunningServer, account: string, made: string | null | undefined): Promise<void> {
  const { publicKey } = await server.api.auth.loginMode();
  const [first, own] = [made ?? '', DEMO_PASSWORD].map((one) => encryptPassword(publicKey, one));
  await server.api.auth.login({ body: { account, password: first ?? '', newPassword: own } });
}

/** Signs in on the login page of an app and waits until that has led on. */
export async function signInAt(page: Page, server: RunningServer, account: string, app = '/'): Promise<void> {
  await page.goto(`${server.url}${app}#/login`);
  await fillLogin(page, account);
  await arrives(page, (path) => !path.startsWith('/login'));
  await page.getByTestId('account-menu').waitFor();
  // The guard decides anew at the page that `/` leads to: what a test changes of the sign-in before is noticed there.
  await page.locator('#main h1').first().waitFor({ state: 'attached' });
}

export async function fillLogin(page: Page, account: string, password = DEMO_PASSWORD): Promise<void> {
  await page.getByTestId('login-account').fill(account);
  await page.getByTestId('login-password').fill(password);
  await page.getByTestId('login-submit').click();
}

/** The path of the hash route, with its query. */
export function pathOf(page: Page): string {
  return new URL(page.url()).hash.slice(1);
}

/** Waits until the page is at a path, query and all. */
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

/** What the browser does when somebody comes back to a tab, or leaves it. */
export function showTab(page: Page, state: 'visible' | 'hidden'): Promise<void> {
  return page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' });
    document.dispatchEvent(new Event('visibilitychange'));
  `);
}
