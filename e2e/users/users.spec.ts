import { breakCalls, chooseByKeys, openAdminPage, rowOf, signInProven, takePassword } from '../admin-pages.ts';
import { newUser } from '../auth/support.ts';
import { AXE_LOCALES, LOCALES, tabTo } from '../pages.ts';
import { expect, formGone, test, violations } from '../support.ts';

const USERS = { app: '/manage/', account: 'admin', path: '/users' } as const;
const LONG = 'Wolfeschlegelsteinhausenbergerdorff the Third of Somewhere';

test('a user is created, found, disabled and enabled by keyboard alone', async ({ server, open }) => {
  const page = await open('chair', { locale: 'en-US' });
  await openAdminPage(page, server, USERS);
  await page.getByTestId('users-row').first().waitFor();
  await tabTo(page, 'user-new');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('field-account')).toBeFocused();
  await page.keyboard.type('keys');
  await tabTo(page, 'field-name');
  await page.keyboard.type('Kay Board');
  await tabTo(page, 'field-phone');
  await page.keyboard.type('12');
  await tabTo(page, 'form-submit');
  await page.keyboard.press('Enter');
  // The invalid field gets the focus.
  await expect(page.getByTestId('field-phone')).toBeFocused();
  await page.keyboard.type('3 456');
  await tabTo(page, 'form-submit');
  await page.keyboard.press('Enter');
  await page.getByTestId('password-value').waitFor();
  await tabTo(page, 'password-copy');
  await page.keyboard.press('Enter');
  const password = await page.getByTestId('password-value').innerText();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(password);
  await tabTo(page, 'password-done');
  await page.keyboard.press('Enter');

  await tabTo(page, 'list-search');
  await page.keyboard.type('Kay');
  await expect(page).toHaveURL(/q=Kay/);
  await expect(page.getByTestId('users-row')).toHaveCount(1);
  await tabTo(page, 'row-more');
  await page.keyboard.press('Enter');
  await chooseByKeys(page, 'row-disable');
  await tabTo(page, 'question-ok');
  await page.keyboard.press('Enter');
  await expect(rowOf(page, 'users', 'Kay Board')).toContainText('Disabled');
  await expect(page.getByTestId('row-more')).toBeFocused();
  await page.keyboard.press('Enter');
  await chooseByKeys(page, 'row-enable');
  await tabTo(page, 'question-ok');
  await page.keyboard.press('Enter');
  await expect(rowOf(page, 'users', 'Kay Board')).toContainText('Enabled');
});

test('departments are found and chosen by keyboard; the address keeps the choice', async ({ server, open }) => {
  const page = await open('chair');
  await openAdminPage(page, server, USERS);
  await page.getByTestId('department').first().waitFor();
  await tabTo(page, 'department-search');
  await page.keyboard.type('骨');
  await expect(page.getByTestId('department').filter({ hasText: '骨科' })).toContainText('1');
  await tabTo(page, 'department-all');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/department=/);
  await expect(page.getByTestId('users-row')).toHaveCount(1);
  await expect(page.getByTestId('users-row')).toContainText('bob');
  await page.reload();
  await expect(page.getByTestId('users-row')).toHaveCount(1);
});

test('several users are disabled at once, and the confirmation shows how many', async ({ server, open }) => {
  const api = await server.api.as('admin');
  for (const name of ['Many One', 'Many Two'])
    await api.users.create({ body: { account: name.replace(' ', '.'), name } });
  const page = await open('chair', { locale: 'en-US' });
  await openAdminPage(page, server, { ...USERS, path: '/users?q=Many' });
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByTestId('bulk-disable').click();
  await expect(page.getByTestId('change-text')).toContainText('Disable 2 users?');
  await page.getByTestId('change-start').click();
  await formGone(page);
  await expect(rowOf(page, 'users', 'Disabled')).toHaveCount(2);
  await expect(page.getByTestId('bulk-disable')).toHaveCount(0);
});

test('two people edit one user: the second sees a conflict and loses nothing typed', async ({ server, open }) => {
  await (await server.api.as('admin')).users.create({ body: { account: 'contested', name: 'Contested' } });
  const page = await open('chair', { locale: 'en-US' });
  await openAdminPage(page, server, { ...USERS, path: '/users?q=contested' });
  await page.getByTestId('user-name').click();
  await page.getByTestId('field-phone').fill('555 0199');
  const root = await server.api.as('root');
  const [tenant] = await root.tenants.options({ query: { keyword: 'demo' } });
  const tenantId = tenant?.id ?? '';
  const {
    records: [contested],
  } = await root.users.list({ query: { tenantId, keyword: 'contested' } });
  if (!contested) throw new Error('contested is not listed');
  await root.users.update({
    body: {
      tenantId,
      id: contested.id,
      name: 'Contested Newname',
      department: 'Nursing',
      isTenantAdmin: false,
      version: contested.version,
    },
  });

  await page.getByTestId('form-submit').click();
  await expect(page.getByTestId('conflict-notice')).toContainText('Contested Newname');
  await expect(page.getByTestId('field-phone')).toHaveValue('555 0199');
  await expect(page.getByTestId('field-name')).toHaveValue('Contested Newname');
  await page.getByTestId('form-submit').click();
  await page.getByTestId('list-search').fill('555 0199');
  await expect(page.getByTestId('users-row')).toHaveCount(1);
  await expect(page.getByTestId('users-row')).toContainText('Contested Newname');
});

test('closing a form with unsaved input asks first', async ({ server, open }) => {
  const page = await open('chair');
  await openAdminPage(page, server, USERS);
  await page.getByTestId('user-new').click();
  await page.getByTestId('field-account').fill('typed');
  await page.keyboard.press('Escape');
  await page.getByTestId('question-cancel').click();
  await expect(page.getByTestId('field-account')).toHaveValue('typed');
  await page.getByTestId('form-dismiss').click();
  await page.getByTestId('question-ok').click();
  await expect(page.getByTestId('field-account')).toHaveCount(0);
  await expect(page.getByTestId('user-new')).toBeFocused();
});

test('a list is paged by labelled buttons, and the address contains the page', async ({ server, open }) => {
  const api = await server.api.as('admin');
  await Promise.all(
    Array.from({ length: 11 }, (_, at) => api.users.create({ body: { account: `paged.${at}`, name: `Paged ${at}` } })),
  );
  const locale = LOCALES[0] ?? 'zh-CN';
  const page = await open('chair', { locale });
  await openAdminPage(page, server, { ...USERS, path: '/users?q=Paged&size=10' });
  const [next, previous] = locale === 'zh-CN' ? ['下一页', '上一页'] : ['Next page', 'Previous page'];
  await expect(page.getByTestId('users-row')).toHaveCount(10);
  await expect(page.getByRole('button', { name: previous })).toBeDisabled();
  await page.getByRole('button', { name: next }).click();
  await expect(page.getByTestId('users-row')).toHaveCount(1);
  await expect(page).toHaveURL(/page=2/);
  await expect(page.getByRole('button', { name: next })).toBeDisabled();
  await page.getByRole('button', { name: previous }).click();
  await expect(page.getByTestId('users-row')).toHaveCount(10);
});

test(
  'a permission granted directly is effective at once, and "See as" shows its source',
  { tag: '@more' },
  async ({ server, open }) => {
    await newUser(server, 'granted');
    const granted = await server.api.as('granted');
    expect(await granted.permissions.codes()).not.toContain('sys:vipMeeting');
    await signInProven(server, 'admin');
    const page = await open('chair', { locale: 'en-US' });
    await openAdminPage(page, server, { ...USERS, path: '/users?q=granted' });
    await page.getByTestId('user-name').click();
    await page.getByTestId('permission-sys:network').waitFor();
    // Nothing is offered that the product does not have.
    await expect(page.getByTestId('permission-sys:3DVirtualLive')).toHaveCount(0);
    await tabTo(page, 'permissions-search');
    await page.keyboard.type('IMPORTANT');
    await expect(page.getByTestId('permission-sys:network')).toHaveCount(0);
    await expect(page.locator('.user-permission')).toHaveText('Important meetingssys:vipMeeting');
    expect(await violations(page), 'further permissions').toEqual([]);
    await tabTo(page, 'permission-sys:vipMeeting');
    await page.keyboard.press('Space');
    await expect(page.getByTestId('permissions-count')).toHaveText('1 chosen');
    await page.getByTestId('form-submit').click();
    await expect(page.getByTestId('form-submit')).toHaveCount(0);
    expect(await granted.permissions.codes()).toContain('sys:vipMeeting');

    await page.getByTestId('row-more').click();
    await page.getByTestId('row-access').click();
    await expect(page.getByTestId('access-permission').filter({ hasText: 'sys:vipMeeting' })).toContainText(
      'Granted to the account itself',
    );
  },
);

test(
  'form input survives a reload of the app after a part of it failed to load',
  { tag: '@more' },
  async ({ server, open }) => {
    const page = await open('chair', { locale: 'en-US' });
    await openAdminPage(page, server, { ...USERS, path: '/users?q=bob' });
    await page.getByTestId('user-name').click();
    await page.getByTestId('field-phone').fill('555 0100');
    await page.evaluate('void Promise.reject(new TypeError("Failed to fetch dynamically imported module: /gone.js"))');
    await page.getByTestId('question-ok').click();
    await page.getByTestId('field-phone').waitFor({ state: 'detached' });
    await page.getByTestId('user-name').click();
    await expect(page.getByTestId('field-phone')).toHaveValue('555 0100');
    // Discarded input is not restored.
    await page.getByTestId('form-dismiss').click();
    await page.getByTestId('question-ok').click();
    await page.getByTestId('user-name').click();
    await expect(page.getByTestId('field-phone')).not.toHaveValue('555 0100');
  },
);

test('a taken account name is reported at its field', async ({ server, open }) => {
  const page = await open('chair', { locale: 'en-US' });
  await openAdminPage(page, server, USERS);
  await page.getByTestId('user-new').click();
  await page.getByTestId('field-account').fill('alice');
  await page.getByTestId('field-name').fill('Another Alice');
  await page.getByTestId('form-submit').click();
  await expect(page.getByText('The account name alice is taken')).toBeVisible();
  await expect(page.getByTestId('field-account')).toBeFocused();
});

test('a deleted user is shown with its last day, and restored', async ({ server, open }) => {
  const api = await server.api.as('admin');
  await api.users.create({ body: { account: 'leaver', name: 'Leaver' } });
  const page = await open('chair', { locale: 'en-US' });
  await openAdminPage(page, server, { ...USERS, path: '/users?q=leaver' });
  await page.getByTestId('row-more').click();
  await page.getByTestId('row-remove').click();
  await page.getByTestId('question-ok').click();
  await page.getByTestId('state-empty').waitFor();
  await page.getByTestId('filter-status').selectOption('deleted');
  await expect(rowOf(page, 'users', 'Leaver')).toContainText(/on \d{4}-\d{2}-\d{2}/);
  await page.getByTestId('row-restore').click();
  await page.getByTestId('question-ok').click();
  await page.getByTestId('filter-status').selectOption('enabled');
  await expect(rowOf(page, 'users', 'Leaver')).toBeVisible();
});

test('a reset password is shown once and works', async ({ server, open }) => {
  const api = await server.api.as('admin');
  await api.users.create({ body: { account: 'forgetful', name: 'Forgetful' } });
  const page = await open('chair');
  await openAdminPage(page, server, { ...USERS, path: '/users?q=forgetful' });
  await page.getByTestId('row-more').click();
  await page.getByTestId('row-reset').click();
  await page.getByTestId('question-ok').click();
  const password = await takePassword(page);
  // Correct, but must be changed first.
  await expect(server.api.as('forgetful', password)).rejects.toMatchObject({ code: 'PWD_EXPIRED' });
});

test('the second factors of a user are reset', async ({ server, open }) => {
  const api = await signInProven(server, 'admin');
  await api.users.create({ body: { account: 'lost.phone', name: 'Lost Phone' } });
  const page = await open('chair', { locale: 'en-US' });
  await openAdminPage(page, server, { ...USERS, path: '/users?q=lost.phone' });
  await page.getByTestId('row-more').click();
  await page.getByTestId('row-factors').click();
  await expect(page.getByTestId('question')).toContainText('Lost Phone');
  await page.getByTestId('question-ok').click();
  await expect(page.getByTestId('toast-success')).toBeVisible();
});

test(
  'chosen columns are remembered, sorting is in the address, the list is exported',
  { tag: '@more' },
  async ({ server, open }) => {
    await signInProven(server, 'admin');
    const page = await open('chair', { locale: 'en-US' });
    await openAdminPage(page, server, USERS);
    await page.getByTestId('users-row').first().waitFor();
    await page.getByTestId('columns').click();
    await page.getByTestId('column-email').check();
    await page.getByTestId('column-account').uncheck();
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'Department' }).click();
    await expect(page).toHaveURL(/sort=department/);
    await page.reload();
    await expect(page.getByRole('columnheader', { name: 'Mail' })).toBeVisible();
    await expect(page.getByRole('columnheader', { name: 'Account' })).toHaveCount(0);
    const download = page.waitForEvent('download');
    await page.getByTestId('export').click();
    expect((await download).suggestedFilename()).toMatch(/\.xlsx$/);
  },
);

test('operators choose the tenant, and the address contains it', { tag: '@more' }, async ({ server, open }) => {
  // Comes before `demo` in the list, and disappears while `demo` is typed: Enter must not choose it.
  const { tenants } = await signInProven(server, 'root');
  const quotas = { users: null, terminals: null, recordingBytes: null, meetingFileBytes: null, meetingMinutes: null };
  await tenants.create({
    body: { name: 'Before', quotas, deniedFeatures: [], admin: { account: 'before', name: 'Before' } },
  });
  const page = await open('chair', { locale: 'en-US' });
  await openAdminPage(page, server, { app: '/admin/', account: 'root', path: '/users' });
  await page.getByTestId('state-empty').waitFor();
  await tabTo(page, 'tenant-picker');
  await page.keyboard.type('demo');
  await page.locator('.ant-select-item-option', { hasText: 'demo' }).waitFor();
  await page.keyboard.press('Enter');
  await expect(rowOf(page, 'users', 'alice')).toBeVisible();
  await page.reload();
  await expect(page.getByTestId('tenant-picker')).toContainText('demo');
  await expect(rowOf(page, 'users', 'alice')).toBeVisible();

  // "See as" belongs to that tenant, and so does the link back.
  await rowOf(page, 'users', 'alice').getByTestId('row-more').click();
  await page.getByTestId('row-access').click();
  await page.getByTestId('access-permission').first().waitFor();
  await page.getByTestId('access-back').click();
  await expect(page.getByTestId('tenant-picker')).toContainText('demo');
  await expect(rowOf(page, 'users', 'alice')).toBeVisible();
});

for (const locale of AXE_LOCALES) {
  test(`axe finds nothing wrong in any state (${locale})`, async ({ server, open }) => {
    const api = await server.api.as('admin');
    await api.users.create({ body: { account: `long-${locale}`, name: LONG, department: `${LONG}/${LONG}` } });
    const page = await open('chair', { locale });
    await openAdminPage(page, server, USERS);
    await page.getByTestId('users-row').first().waitFor();
    expect(await violations(page), 'list').toEqual([]);
    // Long names are truncated, and nothing is wider than the window.
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.getByTestId('columns').click();
    expect(await violations(page), 'columns').toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByTestId('row-more').nth(1).click();
    await page.getByTestId('row-access').waitFor();
    expect(await violations(page), 'menu of a row').toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByTestId('user-new').click();
    await page.getByTestId('form-submit').click();
    await page.locator('[aria-invalid="true"]').first().waitFor();
    expect(await violations(page), 'form with errors').toEqual([]);
    await page.getByTestId('field-account').fill(`axe-${locale}`);
    await page.getByTestId('field-name').fill('Axe');
    await page.getByTestId('form-submit').click();
    await page.getByTestId('password-value').waitFor();
    expect(await violations(page), 'one-time password').toEqual([]);
    await takePassword(page);
    await page.getByTestId('list-search').fill('nobody is called this');
    await page.getByTestId('state-empty').waitFor();
    expect(await violations(page), 'empty').toEqual([]);
    const mend = await breakCalls(page, '/api/api/v1/users');
    await page.getByTestId('list-search').fill('x');
    await page.getByTestId('state-error').waitFor();
    expect(await violations(page), 'failing').toEqual([]);
    await mend();
    await page.getByTestId('state-retry').click();
    await expect(page.getByTestId('state-error')).toHaveCount(0);
  });
}

test('state and last sign-in are visible at 1440 and on a tablet', { tag: '@more' }, async ({ server, open }) => {
  const page = await open('chair', { locale: 'en-US' });
  await openAdminPage(page, server, USERS);
  for (const size of [
    { width: 1440, height: 900 },
    { width: 1024, height: 768 },
  ]) {
    await page.setViewportSize(size);
    await page.getByTestId('users-row').first().waitFor();
    const edge = (await page.getByRole('columnheader', { name: 'Actions' }).boundingBox())?.x ?? 0;
    for (const name of ['Name', 'Account', 'Status', 'Department', 'Last sign-in']) {
      const head = await page.getByRole('columnheader', { name }).boundingBox();
      expect((head?.x ?? edge) + (head?.width ?? 0), `${name}, ${size.width} wide`).toBeLessThanOrEqual(edge + 1);
    }
  }
});
