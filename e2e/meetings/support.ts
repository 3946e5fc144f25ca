import type { Page } from '@playwright/test';
import type { PermissionCode } from '@rmeet/contract';
import type { Api, RunningServer } from '@rmeet/testkit';
import { signInProven } from '../admin-pages.ts';
import { optionOf } from '../support.ts';

/** Grants an account those of the codes that it lacks, in addition to its own: servers are shared. */
export async function mayBook(server: RunningServer, account: string, codes: readonly PermissionCode[]): Promise<void> {
  const admin = await signInProven(server, 'admin');
  const user = (await admin.users.list({ query: { keyword: account } })).records.find((one) => one.account === account);
  if (!user) throw new Error(`There is no ${account}.`);
  const [{ permissions }, { roleIds, permissionIds }] = [
    await admin.users.access({ params: { id: user.id }, query: {} }),
    await admin.users.grants({ params: { id: user.id }, query: {} }),
  ];
  const lacking = permissions
    .filter(({ code, allowed }) => !allowed && codes.some((one) => one === code))
    .map(({ code }) => code);
  if (lacking.length === 0) return;
  const entries = await admin.permissions.options({ query: {} });
  const more = entries.filter(({ code }) => code !== null && lacking.includes(code)).map(({ id }) => id);
  await admin.users.setGrants({
    params: { id: user.id },
    body: { roleIds, permissionIds: [...permissionIds, ...more] },
  });
}

/**
 * Limits an account's booking rights to these codes, until the returned function restores them. The account keeps its
 * menus.
 */
export async function onlyBooks(
  server: RunningServer,
  account: string,
  codes: readonly PermissionCode[],
): Promise<() => Promise<unknown>> {
  const admin = await server.api.as('admin');
  const user = (await admin.users.list({ query: { keyword: account } })).records.find((one) => one.account === account);
  if (!user) throw new Error(`There is no ${account}.`);
  const params = { id: user.id };
  const before = await admin.users.grants({ params, query: {} });
  const entries = await admin.permissions.options({ query: {} });
  const permissionIds = entries
    .filter(({ code, type }) => type !== 2 || codes.some((one) => one === code))
    .map(({ id }) => id);
  await admin.users.setGrants({ params, body: { roleIds: [], permissionIds } });
  return () => admin.users.setGrants({ params, body: before });
}

/** A separate building with rooms that can be booked at any time. */
export async function roomsOf(admin: Api, building: string, names: readonly string[]) {
  const { id } = await admin.rooms.createBuilding({ body: { name: building, timeZone: 'UTC' } });
  return Promise.all(
    names.map((name) => admin.rooms.create({ body: { name, buildingId: id, floor: '1', capacity: 8 } })),
  );
}

/** People of a department. */
export async function peopleOf(admin: Api, department: string, accounts: readonly string[]): Promise<void> {
  for (const account of accounts) await admin.users.create({ body: { account, name: account, department } });
}

/** Chooses an option of an antd select by its text. */
export async function choose(page: Page, testId: string, words: string): Promise<void> {
  await page.getByTestId(testId).and(page.locator(':not(.ant-select-disabled)')).click();
  await optionOf(page, words).first().click();
}

/** Counts in the page the effort of a booking: every press of a pointer, and each field that is typed into, once. */
export async function countEffort(page: Page): Promise<() => Promise<{ clicks: number; fields: number }>> {
  await page.evaluate(`(() => {
    window.effort = { clicks: 0, fields: new Set() };
    addEventListener('pointerdown', () => { window.effort.clicks += 1; }, true);
    addEventListener('keydown', ({ target, key }) => { if (key.length === 1) window.effort.fields.add(target); }, true);
  })()`);
  return () => page.evaluate('({ clicks: window.effort.clicks, fields: window.effort.fields.size })');
}
