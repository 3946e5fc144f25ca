import { chooseByKeys, signInProven } from '../admin-pages.ts';
import { expect, failing, LOOKS, LONG_NAME, looksRight, tabTo, test } from '../pages.ts';

test('a custom permission is created, found and deleted by keyboard alone', async ({ visit }) => {
  const page = await visit('root', '/admin/', '/permissions', { locale: 'en-US' });
  await page.getByTestId('permission-row').first().waitFor();
  await tabTo(page, 'permission-new');
  await page.keyboard.press('Enter');
  await page.getByTestId('permission-code').waitFor();
  await tabTo(page, 'permission-code');
  await page.keyboard.type('sys:network');
  await tabTo(page, 'permission-name');
  await page.keyboard.type('手写板');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Tablets');
  await tabTo(page, 'form-submit');
  await page.keyboard.press('Enter');
  // The server reports that the code is taken; the error is shown at the field.
  await expect(page.getByTestId('permission-code')).toBeFocused();
  await expect(page.getByRole('alert')).toContainText('sys:network');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('sys:tablets');
  await tabTo(page, 'form-submit');
  await page.keyboard.press('Enter');
  await page.getByTestId('permission-form').waitFor({ state: 'hidden' });
  await tabTo(page, 'list-search');
  await page.keyboard.type('tablets');
  await expect(page.getByTestId('permission-row')).toHaveCount(1);
  await expect(page.getByTestId('permission-row')).toContainText('Not used yet');
  await tabTo(page, 'row-more');
  await page.keyboard.press('Enter');
  await chooseByKeys(page, 'row-remove');
  await tabTo(page, 'question-ok');
  await page.keyboard.press('Enter');
  await page.getByTestId('state-empty').waitFor();
});

test(
  'a granted permission cannot be deleted; the refusal names the role',
  { tag: '@more' },
  async ({ visit, root }) => {
    const made = await root.permissions.create({ body: { type: 2, code: 'sys:held', name: '被占用', nameEn: 'Held' } });
    await root.roles.create({ body: { name: '持有者', nameEn: 'Holders', kind: 'user', permissionIds: [made.id] } });
    const page = await visit('root', '/admin/', '/permissions?q=sys:held', { locale: 'en-US' });
    await page.getByTestId('row-more').click();
    await page.getByTestId('row-remove').click();
    await page.getByTestId('question-ok').click();
    await expect(page.getByTestId('question')).toContainText('Holders');
  },
);

test('"see as" shows what a user sees and may call, and why, and offers no action', async ({ server, visit }) => {
  const root = await signInProven(server, 'root');
  const [tenant] = await root.tenants.options({ query: { keyword: 'demo' } });
  const {
    records: [alice],
  } = await root.users.list({ query: { tenantId: tenant?.id, keyword: 'alice' } });
  const page = await visit('root', '/admin/', `/users/${alice?.id}/access?tenantId=${tenant?.id}`, { locale: 'en-US' });
  await expect(page.getByRole('note')).toContainText('Nothing can be done in their name');
  await expect(page.getByTestId('flag-enableNet')).toHaveAttribute('data-on', 'true');
  await expect(page.getByTestId('access-permission').filter({ hasText: 'sys:network' })).toContainText(
    'By the role Staff',
  );
  await expect(page.getByTestId('access-menus-user')).toContainText('My meetings');
  await expect(page.getByTestId('access-menus-manage')).toContainText('Takes the permission users:manage');
  await tabTo(page, 'access-show-denied');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('access-permission').filter({ hasText: 'sys:network' })).toHaveCount(0);
  await expect(page).toHaveURL(/show=denied/);
  await tabTo(page, 'access-search');
  await page.keyboard.type('roles/query');
  await expect(page.getByTestId('access-call')).toHaveCount(1);
  await expect(page.getByTestId('access-call')).toContainText('Not for accounts of this kind');
});

for (const locale of LOOKS) {
  test(`looks right in ${locale}: list, form, empty, failing, very long names`, async ({ visit, root }) => {
    await root.permissions.create({
      body: { type: 2, code: `sys:long${locale.slice(0, 2)}`, name: LONG_NAME, nameEn: LONG_NAME },
    });
    const page = await visit('root', '/admin/', '/permissions?q=sys:long', { locale });
    await page.getByTestId('permission-row').first().waitFor();
    await looksRight(page, 'list');
    await page.getByTestId('row-edit').first().click();
    await page.getByTestId('permission-code').waitFor();
    await looksRight(page, 'form');
    await page.keyboard.press('Escape');
    await page.getByTestId('list-search').fill('no permission is called this');
    await page.getByTestId('state-empty').waitFor();
    await looksRight(page, 'empty');
    await failing(page, '/permission/query');
    await page.reload();
    await page.getByTestId('state-error').waitFor();
    await looksRight(page, 'failing');
  });

  test(`"see as" looks right in ${locale}: full, filtered to nothing, gone, failing`, async ({ server, visit }) => {
    const root = await signInProven(server, 'root');
    const [tenant] = await root.tenants.options({ query: { keyword: 'demo' } });
    const {
      records: [bob],
    } = await root.users.list({ query: { tenantId: tenant?.id, keyword: 'bob' } });
    const path = `/users/${bob?.id}/access?tenantId=${tenant?.id}`;
    const page = await visit('root', '/admin/', path, { locale });
    await page.getByTestId('access-call').first().waitFor();
    await looksRight(page, 'full');
    await page.getByTestId('access-search').fill('nothing is called this');
    await expect(page.getByTestId('access-call')).toHaveCount(0);
    await looksRight(page, 'filtered to nothing');
    await failing(page, '/access');
    await page.reload();
    await page.getByTestId('state-error').waitFor();
    await looksRight(page, 'failing');
    await page.unrouteAll();
    await page.goto(page.url().replace(bob?.id ?? '', tenant?.id ?? ''));
    await page.getByTestId('state-empty').waitFor();
    await looksRight(page, 'gone');
  });
}
