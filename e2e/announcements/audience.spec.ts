import { newTenant, newUser } from '../auth/support.ts';
import { chooseFound, rowOf, signInProven } from '../admin-pages.ts';
import { expect, LOCALES, test } from '../pages.ts';
import { formGone } from '../support.ts';

const [locale = 'zh-CN'] = LOCALES;
const WIDE = { width: 1440, height: 900 };

test('an announcement for a department and a role is changed while people read it, and deleted', async ({
  server,
  visit,
  root,
}) => {
  await newTenant(server, 'Wards', 'wardboss');
  const admin = await signInProven(server, 'wardboss');
  for (const account of ['wardnurse', 'wardporter', 'wardclerk']) await newUser(server, account, undefined, 'wardboss');
  const { records } = await admin.users.list({ query: {} });
  const accountOf = (account: string) => records.find((one) => one.account === account);
  const nurse = accountOf('wardnurse');
  if (nurse) await admin.users.update({ body: { ...nurse, department: 'Hospital/Surgery' } });
  const role = await root.roles.create({
    body: { name: 'Porters', nameEn: 'Porters', kind: 'user', permissionIds: [] },
  });
  const params = { id: accountOf('wardporter')?.id ?? '' };
  await admin.users.setGrants({ params, body: { roleIds: [role.id], permissionIds: [] } });
  const titlesOf = async (account: string): Promise<string[]> =>
    (await (await server.api.as(account)).announcements.current()).records.map(({ title }) => title);

  const page = await visit('wardboss', '/manage/', '/announcements', { locale, size: WIDE });
  await page.getByTestId('announcement-new').click();
  await page.getByTestId('field-title').fill('Lift 2');
  await page.getByTestId('field-body').fill('Lift 2 is closed.');
  await page.getByTestId('field-whole').click();
  await chooseFound(page, 'field-departments', 'Hospital');
  await page.keyboard.press('Escape');
  await chooseFound(page, 'field-roles', 'Porters');
  await page.keyboard.press('Escape');
  await page.getByTestId('field-publish').click();
  await page.getByTestId('form-submit').click();
  await formGone(page);
  const row = rowOf(page, 'announcements', 'Lift 2');
  await expect(row.getByTestId('announcement-status')).toHaveAttribute('data-status', 'draft');
  expect(await titlesOf('wardnurse')).toEqual([]);
  await row.getByTestId('row-more').click();
  await page.getByTestId('row-publish').click();
  await page.getByTestId('question-ok').click();
  await expect(row.getByTestId('announcement-status')).toHaveAttribute('data-status', 'running');
  expect(await titlesOf('wardporter')).toEqual(['Lift 2']);
  expect(await titlesOf('wardclerk')).toEqual([]);

  // People below the department have it, and a change of it at once.
  const reader = await visit('wardnurse', '/', '/myMeeting', { locale, size: WIDE });
  await reader.getByTestId('announcements-button').click();
  await expect(reader.getByTestId('announcement-row')).toContainText('Lift 2');
  await row.getByTestId('announcement-title').click();
  await page.getByTestId('field-title').fill('Lift 2 until Friday');
  await page.getByTestId('form-submit').click();
  await formGone(page);
  await expect(reader.getByTestId('announcement-row')).toContainText('Lift 2 until Friday');
  await reader.getByTestId('announcements-all-read').click();
  await expect(reader.getByTestId('announcements-unread')).toHaveCount(0);
  await expect(reader.getByTestId('announcements-all-read')).toHaveCount(0);

  await row.getByTestId('row-more').click();
  await expect(page.getByTestId('row-remove')).toHaveCount(0);
  await page.getByTestId('row-withdraw').click();
  await page.getByTestId('question-ok').click();
  await expect(reader.getByTestId('announcement-row')).toHaveCount(0);
  await row.getByTestId('row-more').click();
  await page.getByTestId('row-remove').click();
  await page.getByTestId('question-ok').click();
  await expect(page.getByTestId('state-empty')).toBeVisible();
});
