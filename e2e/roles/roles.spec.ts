import { chooseByKeys } from '../admin-pages.ts';
import { expect, failing, LOOKS, LONG_NAME, looksRight, retype, tabTo, test } from '../pages.ts';

test('a role is created, changed and deleted by keyboard alone', async ({ visit }) => {
  const page = await visit('root', '/admin/', '/roles', { locale: 'en-US' });
  await page.getByTestId('role-row').first().waitFor();
  await tabTo(page, 'role-new');
  await page.keyboard.press('Enter');
  await page.getByTestId('role-name').last().waitFor();
  await tabTo(page, 'role-nameEn');
  await page.keyboard.type('Nurses');
  await tabTo(page, 'form-submit');
  await page.keyboard.press('Enter');
  // The missing name is reported, and its field has the focus.
  await expect(page.locator('input[aria-invalid=true]')).toBeFocused();
  await page.keyboard.type('护士');
  await tabTo(page, 'grants-search');
  await page.keyboard.type('sys:video');
  await expect(page.getByTestId('grants-tree').getByRole('treeitem', { name: 'Video meetings' })).toBeVisible();
  await expect(page.getByTestId('grants-tree').getByRole('treeitem', { name: 'Network meetings' })).toHaveCount(0);
  await tabTo(page, 'grants-tree');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('grants-count')).toHaveText('1 chosen');
  await tabTo(page, 'form-submit');
  await page.keyboard.press('Enter');
  const row = page.getByTestId('role-row').filter({ hasText: 'Nurses' });
  await expect(row).toBeVisible();

  await tabTo(page, 'list-search');
  await page.keyboard.type('Nurses');
  await expect(page.getByTestId('role-row')).toHaveCount(1);
  await expect(page).toHaveURL(/q=Nurses/);
  await tabTo(page, 'role-row');
  await page.keyboard.press('Enter');
  await page.getByTestId('role-form').waitFor();
  await tabTo(page, 'role-description');
  await retype(page, 'On the wards');
  await tabTo(page, 'form-submit');
  await page.keyboard.press('Enter');
  await expect(row).toContainText('On the wards');

  await tabTo(page, 'row-more');
  await page.keyboard.press('Enter');
  await chooseByKeys(page, 'row-remove');
  await tabTo(page, 'question-ok');
  await page.keyboard.press('Enter');
  await page.getByTestId('state-empty').waitFor();
});

test('a granted role cannot be deleted; the refusal names its holders', async ({ visit, root }) => {
  const role = await root.roles.create({
    body: { name: '临时', nameEn: 'Temporary', kind: 'operator', permissionIds: [] },
  });
  await root.operators.create({ body: { account: 'temp', name: 'Temp Person', roleIds: [role.id] } });
  const page = await visit('root', '/admin/', '/roles?q=Temporary', { locale: 'en-US' });
  await page.getByTestId('row-more').click();
  await page.getByTestId('row-remove').click();
  await page.getByTestId('question-ok').click();
  await expect(page.getByTestId('question')).toContainText('Temp Person');
});

for (const locale of LOOKS) {
  test(`looks right in ${locale}: list, form, empty, failing, very long names`, async ({ visit, root }) => {
    await root.roles.create({
      body: {
        name: `${LONG_NAME}${locale.slice(0, 2)}`,
        nameEn: LONG_NAME,
        description: LONG_NAME.repeat(5),
        kind: 'user',
        permissionIds: [],
      },
    });
    const page = await visit('root', '/admin/', '/roles', { locale });
    await page.getByTestId('role-row').filter({ hasText: LONG_NAME }).first().waitFor();
    await looksRight(page, 'list');
    await page.getByTestId('role-name').first().click();
    await page.getByTestId('grants-tree').getByRole('treeitem').first().waitFor();
    await looksRight(page, 'form');
    await page.keyboard.press('Escape');
    await page.getByTestId('list-search').fill('no role is called this');
    await page.getByTestId('state-empty').waitFor();
    await looksRight(page, 'empty');
    await failing(page, '/roles/query');
    await page.reload();
    await page.getByTestId('state-error').waitFor();
    await looksRight(page, 'failing');
  });
}
