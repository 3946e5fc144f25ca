import type { Page } from '@playwright/test';
import { type Api, DEMO_PASSWORD, encryptPassword, type RunningServer } from '@rmeet/testkit';
import { expect } from '@playwright/test';
import { signInByToken } from './pages.ts';

/**
 * API calls of an account that has just entered its password: for ten minutes its session, also in pages, may do what
 * is answered by STEP_UP_REQUIRED otherwise. The sessions of shared servers may be older than that.
 */
export async function signInProven(server: RunningServer, account: string): Promise<Api> {
  const api = await server.api.as(account);
  const { publicKey } = await api.auth.loginMode({ query: {} });
  await api.multiauth.prove({ body: { password: encryptPassword(publicKey, DEMO_PASSWORD) } });
  return api;
}

/** Signs in and opens a page of the manage or admin system. */
export async function openAdminPage(
  page: Page,
  server: RunningServer,
  at: { app: '/manage/' | '/admin/'; account: string; path: string },
): Promise<void> {
  await signInByToken(page, server, at.account);
  await page.goto(`${server.url}${at.app}#${at.path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/**
 * Chooses an entry of the open menu by arrow keys. The menu marks an entry shortly before it gets the focus, and Enter
 * acts on the focused entry.
 */
export async function chooseByKeys(page: Page, testId: string): Promise<void> {
  const entry = page.getByTestId(testId);
  const marked = page.locator('[role="menuitem"][class*="-item-active"]:focus');
  await marked.waitFor();
  for (let presses = 0; presses < 24; presses++) {
    if (await entry.evaluate((element) => element === element.ownerDocument.activeElement)) break;
    await page.keyboard.press('ArrowDown');
    await marked.waitFor();
  }
  await page.keyboard.press('Enter');
}

/** The row of a list with this text. */
export const rowOf = (page: Page, list: string, text: string) =>
  page.getByTestId(`${list}-row`).filter({ hasText: text });

/** Reads the one-time password, and closes its dialog. */
export async function takePassword(page: Page): Promise<string> {
  const password = await page.getByTestId('password-value').innerText();
  await page.getByTestId('password-done').click();
  await expect(page.getByTestId('password-value')).toHaveCount(0);
  return password;
}

/** Makes calls to a path fail as on a broken network, until the returned function is called. */
export async function breakCalls(page: Page, path: string): Promise<() => Promise<void>> {
  const matches = (url: URL) => url.pathname === path;
  await page.route(matches, (route) => route.abort());
  return () => page.unroute(matches);
}

/** Chooses the first search result of an antd select. */
export async function chooseFound(page: Page, testId: string, search: string): Promise<void> {
  // A select without loaded options accepts no input.
  await page.getByTestId(testId).and(page.locator(':not(.ant-select-disabled)')).click();
  await page.keyboard.type(search);
  await page.locator('.ant-select-item-option', { hasText: search }).first().waitFor();
  await page.keyboard.press('Enter');
}
