import { breakCalls, chooseByKeys, openAdminPage, rowOf, signInProven, takePassword } from '../admin-pages.ts';
import { AXE_LOCALES, tabTo } from '../pages.ts';
import { expect, test, violations } from '../support.ts';

const OPERATORS = { app: '/admin/', account: 'root', path: '/operators' } as const;

test('an operator is created, and its password reset, by keyboard alone', async ({ server, open }) => {
  const page = await open('chair', { locale: 'en-US' });
  await openAdminPage(page, server, OPERATORS);
  await page.getByTestId('operators-row').first().waitFor();
  await tabTo(page, 'operator-new');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('field-account')).toBeFocused();
  await page.keyboard.type('night');
  await tabTo(page, 'field-name');
  await page.keyboard.type('Night Shift');
  await tabTo(page, 'operator-super-admin');
  await page.keyboard.press('Space');
  await tabTo(page, 'form-submit');
  await page.keyboard.press('Enter');
  await page.getByTestId('password-value').waitFor();
  await tabTo(page, 'password-done');
  await page.keyboard.press('Enter');
  await expect(rowOf(page, 'operators', 'night')).toContainText('Super administrator');

  await tabTo(page, 'list-search');
  await page.keyboard.type('night');
  await expect(page.getByTestId('operators-row')).toHaveCount(1);
  await tabTo(page, 'row-more');
  await page.keyboard.press('Enter');
  await chooseByKeys(page, 'row-reset');
  await tabTo(page, 'question-ok');
  await page.keyboard.press('Enter');
  await page.getByTestId('password-value').waitFor();
  await takePassword(page);
});

test('a superAdmin cannot revoke the own role', { tag: '@more' }, async ({ server, open }) => {
  const page = await open('chair', { locale: 'en-US' });
  await openAdminPage(page, server, { ...OPERATORS, path: '/operators?q=root' });
  await page.getByTestId('operator-name').click();
  await page.getByTestId('operator-super-admin').click();
  await page.getByTestId('form-submit').click();
  await expect(page.getByTestId('operator-drawer').getByRole('alert')).toBeVisible();
});

test('several operators are disabled at once, and enabled again', { tag: '@more' }, async ({ server, open }) => {
  const root = await server.api.as('root');
  for (const name of ['Ops One', 'Ops Two'])
    await root.operators.create({ body: { account: name.replace(' ', '.'), name } });
  const page = await open('chair', { locale: 'en-US' });
  await openAdminPage(page, server, { ...OPERATORS, path: '/operators?q=Ops' });
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByTestId('bulk-disable').click();
  await expect(page.getByTestId('question')).toContainText('2 selected accounts');
  await page.getByTestId('question-ok').click();
  await expect(rowOf(page, 'operators', 'Disabled')).toHaveCount(2);
  await page.getByTestId('filter-status').selectOption('disabled');
  await page.getByRole('checkbox', { name: 'Select Ops One' }).check();
  await page.getByTestId('bulk-enable').click();
  await page.getByTestId('question-ok').click();
  await expect(page.getByTestId('operators-row')).toHaveCount(1);
});

test('a super administrator sets when the staff are asked for a second factor', async ({ server, open }) => {
  const root = await signInProven(server, 'root');
  const page = await open('chair', { locale: 'en-US' });
  await openAdminPage(page, server, OPERATORS);
  await page.getByTestId('staff-factor-open').click();
  const drawer = page.getByTestId('staff-factor');
  await drawer.getByTestId('factor-networks').fill('10.20.0.0/99');
  await page.getByTestId('form-submit').click();
  await expect(drawer).toContainText('This is not a network');
  expect(await violations(page)).toEqual([]);
  await drawer.getByTestId('factor-networks').fill('10.20.0.0/16');
  await page.getByTestId('form-submit').click();
  await expect(page.getByTestId('toast-success')).toBeVisible();
  const settings = await root.multiauth.platformSettings();
  expect(settings.networks).toEqual(['10.20.0.0/16']);
  // Changes to the platform are taken back.
  await root.multiauth.setPlatformSettings({ body: { ...settings, networks: [] } });
});

test('the list is exported', async ({ server, open }) => {
  const page = await open('chair');
  await openAdminPage(page, server, OPERATORS);
  const download = page.waitForEvent('download');
  await page.getByTestId('export').click();
  expect((await download).suggestedFilename()).toMatch(/\.xlsx$/);
});

for (const locale of AXE_LOCALES) {
  test(`axe finds nothing wrong in any state (${locale})`, async ({ server, open }) => {
    const page = await open('chair', { locale });
    await openAdminPage(page, server, OPERATORS);
    await page.getByTestId('operators-row').first().waitFor();
    expect(await violations(page), 'list').toEqual([]);
    await page.getByTestId('operator-new').click();
    await page.getByTestId('form-submit').click();
    await page.locator('[aria-invalid="true"]').first().waitFor();
    expect(await violations(page), 'form with errors').toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByTestId('list-search').fill('nobody is called this');
    await page.getByTestId('state-empty').waitFor();
    expect(await violations(page), 'empty').toEqual([]);
    const mend = await breakCalls(page, '/api/api/v1/operators/query');
    await page.getByTestId('list-search').fill('x');
    await page.getByTestId('state-error').waitFor();
    expect(await violations(page), 'failing').toEqual([]);
    await mend();
  });
}
