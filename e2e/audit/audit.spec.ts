import { readFile } from 'node:fs/promises';
import { expect, failing, LOOKS, LONG_NAME, looksRight, tabTo, test } from '../pages.ts';

test('the log shows who changed what, with the values before and after, by keyboard alone', async ({ visit, root }) => {
  const role = await root.roles.create({ body: { name: '记录', nameEn: 'Recorded', kind: 'user', permissionIds: [] } });
  await root.roles.update({
    body: {
      id: role.id,
      version: role.version,
      name: '记录',
      nameEn: 'Recorded anew',
      permissionIds: [],
      isDefault: false,
    },
  });
  const page = await visit('root', '/admin/', '/audit', { locale: 'en-US' });
  await expect(page.getByTestId('audit-row').first()).toContainText('Changed a role');
  await expect(page.getByTestId('audit-row').nth(1)).toContainText('Created a role');
  await tabTo(page, 'audit-action');
  await page.keyboard.press('Enter');
  const changes = page.getByTestId('audit-changes');
  await expect(changes.getByRole('row', { name: 'English name' })).toContainText('Recorded anew');
  // Only changed fields are shown.
  await expect(changes.getByRole('row')).toHaveCount(2);
  await expect(page).toHaveURL(/open=/);
  await tabTo(page, 'audit-only-target');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('audit-row')).toHaveCount(2);
  await expect(page).toHaveURL(new RegExp(`target=${role.id}`));
  // The URL contains the whole state.
  await page.reload();
  await expect(page.getByTestId('audit-row')).toHaveCount(2);
  await tabTo(page, 'audit-chip');
  await page.keyboard.press('Enter');
  await expect(page).not.toHaveURL(/target=/);
});

test('the export contains the filtered rows', { tag: '@more' }, async ({ visit, root }) => {
  await root.roles.create({ body: { name: '导出', nameEn: 'Exported', kind: 'user', permissionIds: [] } });
  const page = await visit('root', '/admin/', '/audit?action=roles.create', { locale: 'en-US' });
  await page.getByTestId('audit-row').first().waitFor();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByTestId('export').click()]);
  expect(file.suggestedFilename()).toMatch(/\.xlsx$/);
  // A workbook is a ZIP archive.
  expect((await readFile(await file.path())).subarray(0, 2).toString()).toBe('PK');
});

test('tenant administrators read their own log in the manage app', { tag: '@more' }, async ({ server, visit }) => {
  const admin = await server.api.as('admin');
  const { user } = await admin.users.create({ body: { account: 'audited', name: 'Audited' } });
  await admin.users.update({ body: { ...user, department: 'Ward 7' } });
  const page = await visit('admin', '/manage/', '/audit', { locale: 'en-US' });
  await expect(page.getByTestId('audit-row').first()).toContainText('Changed a user');
  await expect(page.getByTestId('tenant-picker')).toHaveCount(0);
});

for (const locale of LOOKS) {
  test(`looks right in ${locale}: list, details, empty, failing, very long names`, async ({ visit, root }) => {
    await root.roles.create({
      body: {
        name: `${locale}${LONG_NAME}`.slice(0, 60),
        description: LONG_NAME.repeat(5),
        kind: 'user',
        permissionIds: [],
      },
    });
    const page = await visit('root', '/admin/', '/audit?action=roles.create', { locale });
    await page.getByTestId('audit-row').first().waitFor();
    await looksRight(page, 'list');
    await page.getByTestId('audit-action').first().click();
    await page.getByTestId('audit-changes').waitFor();
    await looksRight(page, 'details');
    await page.keyboard.press('Escape');
    await page.getByTestId('list-search').fill('nobody is called this');
    await page.getByTestId('state-empty').waitFor();
    await looksRight(page, 'empty');
    await failing(page, '/audit/query');
    await page.reload();
    await page.getByTestId('state-error').waitFor();
    await looksRight(page, 'failing');
  });
}
