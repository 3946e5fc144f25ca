import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { Api, RunningServer } from '@rmeet/testkit';
import { bookMeeting, formGone } from '../support.ts';
import { newTenant } from '../auth/support.ts';
import { expect, failing, LOOKS, LONG_NAME, looksRight, tabTo, test } from '../pages.ts';
import { signInProven } from '../admin-pages.ts';

const PAGE = '/statistics';
let tenants = 0;

/** A booked meeting of an administrator that was held, and is over. */
async function hold(server: RunningServer, admin: Api, subject: string): Promise<void> {
  const { numericId, meetId, password } = await bookMeeting(admin, subject);
  await admin.conferences.join({ body: { numericId } });
  await server.api.conferences.join({ body: { numericId, password, name: 'Grace' } });
  await admin.conferences.end({ params: { meetId } });
}

/** Yesterday to tomorrow: all time zones of this moment. */
function aroundToday(): { from: string; to: string } {
  const day = (offset: number): string => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  return { from: day(-1), to: day(1) };
}

/** An organisation of its own with meetings that were held and counted. Returns its administrator's account. */
async function counted(
  server: RunningServer,
  { subject = 'Ward round', department = 'Hospital/Surgery' } = {},
): Promise<string> {
  tenants += 1;
  const account = `counted${tenants}w${process.env['TEST_WORKER_INDEX'] ?? ''}`;
  await newTenant(server, `Counted ${account}`, account);
  const admin = await signInProven(server, account);
  const {
    records: [own],
  } = await admin.users.list({ query: { keyword: account } });
  if (own) await admin.users.update({ body: { ...own, department } });
  for (const name of [subject, `${subject} 2`]) await hold(server, admin, name);
  await admin.statistics.recount({ body: aroundToday() });
  return account;
}

const SIZES = [
  { width: 1440, height: 900 },
  { width: 820, height: 1180 },
  { width: 390, height: 844 },
];
/** The look of a state at three sizes. */
async function looks(page: Page, what: string): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await looksRight(page, what);
  }
  await page.setViewportSize(SIZES[0] ?? { width: 1440, height: 900 });
}

const query = (): string => new URLSearchParams(aroundToday()).toString();

test('an administrator reads figures, their table, parts and meetings, by keyboard alone', async ({
  server,
  visit,
}) => {
  const account = await counted(server);
  const page = await visit(account, '/manage/', PAGE, { locale: 'en-US' });
  await expect(page.getByTestId('tile-meetings')).toContainText('2');
  await expect(page.getByTestId('statistics-chart')).toBeVisible();
  await expect(page.getByTestId('statistics-notes')).toContainText('Asia/Shanghai');
  await tabTo(page, 'tile-booked');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('tile-booked')).toHaveAttribute('aria-pressed', 'true');
  await expect(page).toHaveURL(/measure=booked/);
  await tabTo(page, 'statistics-view-table');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('statistics-chart')).toHaveCount(0);
  const rows = page.getByTestId('statistics-table').getByRole('row');
  await expect(rows).toHaveCount(1 + new Date(new Date().getFullYear(), new Date().getMonth() + 1, 0).getDate());
  // A department leads to the one below it, and the path leads back.
  await tabTo(page, 'statistics-part-open');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('statistics-part').first()).toContainText('Hospital/Surgery');
  await expect(page).toHaveURL(/department=Hospital/);
  await tabTo(page, 'statistics-all-departments');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('statistics-part').first()).toContainText('Hospital');
  // A meeting leads to its record.
  await tabTo(page, 'statistics-record');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ward round 2');
});

test('the period and the filters are in the address, and files have them', async ({ server, visit }) => {
  const account = await counted(server);
  const page = await visit(account, '/manage/', `${PAGE}?${query()}&group=people`, { locale: 'en-US' });
  await expect(page.getByTestId('tile-terminals')).toContainText('4');
  // Three days are no day, week or month.
  await expect(page.getByTestId('tile-people')).toContainText('one day, week or month');
  await page.reload();
  await expect(page.getByTestId('tile-terminals')).toContainText('4');
  for (const [button, start] of [
    ['statistics-workbook', 'PK'],
    ['statistics-report', '%PDF'],
    ['statistics-text', '\uFEFFDate'],
  ] as const) {
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByTestId(button).click()]);
    expect(file.suggestedFilename()).toContain(aroundToday().from);
    expect((await readFile(await file.path())).toString().startsWith(start)).toBe(true);
  }
});

test('the meetings are searched and sorted, and the address keeps it', async ({ server, visit }) => {
  const account = await counted(server);
  const page = await visit(account, '/manage/', `${PAGE}?${query()}`, { locale: 'en-US' });
  const records = page.getByTestId('statistics-record');
  await expect(records).toHaveText(['Ward round 2', 'Ward round']);
  await page.getByRole('columnheader', { name: 'Start' }).click();
  await expect(records).toHaveText(['Ward round', 'Ward round 2']);
  await expect(page).toHaveURL(/order=ASC/);
  await page.getByTestId('list-search').fill('round 2');
  await expect(records).toHaveText(['Ward round 2']);
  await expect(page).toHaveURL(/q=round/);
  await page.reload();
  await expect(records).toHaveText(['Ward round 2']);
  await page.getByTestId('list-search').fill('nothing like it');
  await expect(page.getByText('No meeting matches')).toBeVisible();
});

test('settings reject wrong addresses, and are saved', async ({ server, visit }) => {
  const account = await counted(server);
  const page = await visit(account, '/manage/', PAGE, { locale: 'en-US' });
  await page.getByTestId('statistics-settings').click();
  const recipients = page.getByTestId('statistics-recipients').locator('input');
  await recipients.fill('alice');
  await recipients.press('Enter');
  await page.getByTestId('form-submit').click();
  await expect(page.getByTestId('statistics-drawer').getByText('is no mail address')).toBeVisible();
  // The field takes no Backspace right after Enter.
  await page.getByTestId('statistics-recipients').locator('.ant-select-selection-item-remove').click();
  await recipients.fill('alice@example.org, bob@example.org');
  await recipients.press('Enter');
  await page.getByTestId('form-submit').click();
  await formGone(page);
  await page.getByTestId('statistics-settings').click();
  await expect(page.getByTestId('statistics-drawer')).toContainText('bob@example.org');
  await page.getByTestId('statistics-recount').click();
  await expect(page.getByText(/parts of days again/)).toBeVisible();
});

test('the super administrator sees all tenants, one of them, and downloads diagnostics', async ({ server, visit }) => {
  const account = await counted(server);
  const page = await visit('root', '/admin/', `${PAGE}?${query()}&by=tenant`, { locale: 'en-US' });
  const own = page.getByTestId('statistics-part').filter({ hasText: `Counted ${account}` });
  await expect(own).toContainText('2');
  await own.getByTestId('statistics-part-open').click();
  await expect(page.getByTestId('tile-meetings')).toContainText('2');
  await expect(page).toHaveURL(/tenant=/);
  await page.getByTestId('statistics-diagnostics').click();
  for (const [kind, name] of [
    ['bundle', /^rmeet-diagnostics-.*\.zip$/],
    ['log', /^server\.log$/],
    ['summary', /^summary\.txt$/],
  ] as const) {
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByTestId(`diagnostics-${kind}`).click()]);
    expect(file.suggestedFilename()).toMatch(name);
  }
});

test('an administrator without the permission has neither entry nor page', { tag: '@more' }, async ({ visit }) => {
  const page = await visit('alice', '/', '/myMeeting', { locale: 'en-US' });
  await expect(page.locator('aside').getByTestId('nav-Statistics')).toHaveCount(0);
});

for (const locale of LOOKS) {
  test(`looks right in ${locale}: figures, table, quality, drawers, long names, empty, failing`, async ({
    server,
    visit,
  }) => {
    test.slow();
    const long = `${LONG_NAME.slice(0, 40)}/${LONG_NAME.slice(0, 40)}`;
    const account = await counted(server, { subject: LONG_NAME, department: long });
    const page = await visit(account, '/manage/', PAGE, { locale });
    await page.getByTestId('statistics-chart').waitFor();
    await page.getByTestId('statistics-part').first().waitFor();
    await page.getByTestId('statistics-row').first().waitFor();
    await looks(page, 'figures');
    await page.getByTestId('statistics-part-open').first().click();
    await page.getByTestId('statistics-view-table').click();
    await page.getByTestId('statistics-all-departments').waitFor();
    await looks(page, 'table of a department');
    await page.getByTestId('statistics-group-quality').click();
    await page.getByTestId('tile-badMinutes').waitFor();
    await looks(page, 'quality');
    await page.getByTestId('statistics-settings').click();
    await page.getByTestId('statistics-zone').waitFor();
    await looks(page, 'settings');
    await page.keyboard.press('Escape');
    await failing(page, '/statistics/query');
    await page.goto(`${server.url}/manage/#${PAGE}?from=2020-01-01&to=2020-01-31`);
    await page.reload();
    await page.getByTestId('state-error').first().waitFor();
    await looks(page, 'failing');
  });

  test(`looks right in ${locale}: nothing counted, and diagnostics`, async ({ visit }) => {
    const page = await visit('root', '/admin/', `${PAGE}?from=2020-01-01&to=2020-01-31`, { locale });
    await page.getByTestId('state-empty').first().waitFor();
    await looks(page, 'empty');
    await page.getByTestId('statistics-diagnostics').click();
    await page.getByTestId('diagnostics-bundle').waitFor();
    await looks(page, 'diagnostics');
  });
}
