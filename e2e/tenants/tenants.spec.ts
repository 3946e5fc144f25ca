import { breakCalls, openAdminPage, rowOf, signInProven, takePassword } from '../admin-pages.ts';
import { arrives, fillLogin, newTenant } from '../auth/support.ts';
import { AXE_LOCALES, tabTo } from '../pages.ts';
import { bookMeeting, expect, test, violations } from '../support.ts';

const TENANTS = { app: '/admin/', account: 'root', path: '/tenants' } as const;
const SETTINGS = { app: '/manage/', path: '/tenantSettings' } as const;
const LONG = 'The Very Long Name of an Organisation with Many Departments and Sites';

test('a tenant is created with its first administrator by keyboard alone', async ({ server, open }) => {
  const page = await open('chair', { locale: 'en-US' });
  await openAdminPage(page, server, TENANTS);
  await page.getByTestId('tenants-row').first().waitFor();
  await tabTo(page, 'tenant-new');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('tenant-name')).toBeFocused();
  await page.keyboard.type('Keys Ltd');
  await tabTo(page, 'tenant-admin-account');
  await page.keyboard.type('keys.admin');
  await tabTo(page, 'tenant-admin-name');
  await page.keyboard.type('Kay');
  await tabTo(page, 'quota-users');
  await page.keyboard.type('2');
  await tabTo(page, 'feature-sys:network');
  await page.keyboard.press('Space');
  await tabTo(page, 'form-submit');
  await page.keyboard.press('Enter');
  await page.getByTestId('password-value').waitFor();
  await tabTo(page, 'password-done');
  await page.keyboard.press('Enter');
  await expect(rowOf(page, 'tenants', 'Keys Ltd')).toContainText('1 / 2');
  const root = await server.api.as('root');
  const {
    records: [made],
  } = await root.tenants.list({ query: { keyword: 'Keys' } });
  expect(made?.deniedFeatures).toEqual(['sys:network']);
});

test(
  'a taken name is reported at its field; an account name of another tenant is free',
  { tag: '@more' },
  async ({ server, open }) => {
    const admin = await server.api.as('admin');
    await admin.users.create({ body: { account: 'of.demo', name: 'Of demo' } });
    const page = await open('chair', { locale: 'en-US' });
    await openAdminPage(page, server, TENANTS);
    await page.getByTestId('tenant-new').click();
    await page.getByTestId('tenant-name').fill('demo');
    await page.getByTestId('tenant-admin-account').fill('unheard.of');
    await page.getByTestId('tenant-admin-name').fill('Unheard');
    await page.getByTestId('form-submit').click();
    await expect(page.getByText('The tenant name demo is taken')).toBeVisible();
    await page.getByTestId('tenant-name').fill('Another');
    await page.getByTestId('tenant-admin-account').fill('of.demo');
    await page.getByTestId('form-submit').click();
    await page.getByTestId('password-value').waitFor();
    await page.getByTestId('password-done').click();
    await expect(rowOf(page, 'tenants', 'Another')).toHaveCount(1);
  },
);

test('a tenant is changed, and disabled after a question that lists the consequences', async ({ server, open }) => {
  const root = await signInProven(server, 'root');
  await root.tenants.create({
    body: {
      name: 'Changing',
      quotas: {
        users: 10,
        terminals: null,
        recordingBytes: 5_368_709_120,
        meetingFileBytes: null,
        meetingMinutes: null,
      },
      deniedFeatures: [],
      admin: { account: 'changing', name: 'Changing' },
    },
  });
  const page = await open('chair', { locale: 'en-US' });
  await openAdminPage(page, server, { ...TENANTS, path: '/tenants?q=Changing' });
  await expect(page.getByTestId('tenants-row')).toHaveCount(1);
  await page.getByTestId('tenant-open').click();
  await page.getByTestId('quota-meeting').fill('3');
  await page.getByTestId('form-submit').click();
  await expect(page.getByText('a whole number from 5 to 1440')).toBeVisible();
  await page.getByTestId('quota-meeting').fill('90');
  await page.getByTestId('serviceDeskPhone').fill('010 8000');
  await page.getByTestId('form-submit').click();
  await expect(rowOf(page, 'tenants', 'Changing')).toContainText('1 h 30 min');
  await page.getByTestId('row-more').click();
  await page.getByTestId('row-disable').click();
  await expect(page.getByTestId('question')).toContainText('sessions and running meetings end at once');
  await page.getByTestId('question-ok').click();
  await expect(rowOf(page, 'tenants', 'Changing')).toContainText('Disabled');
  const {
    records: [changed],
  } = await (await server.api.as('root')).tenants.list({ query: { keyword: 'Changing' } });
  expect(changed?.quotas).toEqual({
    users: 10,
    terminals: null,
    recordingBytes: 5_368_709_120,
    meetingFileBytes: null,
    meetingMinutes: 90,
  });
});

test('two people edit one tenant: the second one loses nothing typed', { tag: '@more' }, async ({ server, open }) => {
  await newTenant(server, 'Contested', 'contested.admin');
  const page = await open('chair', { locale: 'en-US' });
  await openAdminPage(page, server, { ...TENANTS, path: '/tenants?q=Contested' });
  await expect(page.getByTestId('tenants-row')).toHaveCount(1);
  await page.getByTestId('tenant-open').click();
  await page.getByTestId('quota-users').fill('700');
  // Its own administrator saves first.
  const admin = await server.api.as('contested.admin');
  const { version, colour, meetingAdmin, passwordRules, auditMonths } = await admin.tenants.own();
  await admin.tenants.updateOwn({
    body: {
      version,
      colour,
      meetingAdmin,
      serviceDesk: { name: 'Night desk', phoneNumber: '--' },
      passwordRules,
      auditMonths,
    },
  });
  await page.getByTestId('form-submit').click();
  await expect(page.getByTestId('conflict-notice')).toContainText('Night desk');
  await expect(page.getByTestId('quota-users')).toHaveValue('700');
  await expect(page.getByTestId('serviceDeskName')).toHaveValue('Night desk');
  await page.getByTestId('form-submit').click();
  await expect(rowOf(page, 'tenants', 'Contested')).toContainText('/ 700');
});

/** The smallest PNG: one grey pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
);

test('settings: a logo is checked before upload, a pale colour is darkened with a note, all is saved', async ({
  server,
  open,
}) => {
  await newTenant(server, 'Pale', 'pale.admin');
  const page = await open('chair', { locale: 'en-US' });
  await openAdminPage(page, server, { ...SETTINGS, account: 'pale.admin' });
  await page.getByTestId('logo-file').setInputFiles({ name: 'logo.gif', mimeType: 'image/gif', buffer: PNG });
  await expect(page.getByText('Please choose a PNG, JPEG or WebP picture')).toBeVisible();
  await page
    .getByTestId('logo-file')
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.alloc(99 * 1024) });
  await expect(page.getByText('The picture has 99 KB')).toBeVisible();
  await page.getByTestId('logo-file').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: PNG });
  await expect(page.getByTestId('logo-preview').locator('img')).toHaveAttribute('src', /^data:image\/png/);
  await page.getByTestId('colour-value').fill('#ffcc00');
  await expect(page.getByText('Text is hard to read on this colour')).toBeVisible();
  await page.getByTestId('chat-file-megabytes').fill('500');
  await page.getByTestId('chat-file-kind-archive').click();
  await page.getByTestId('settings-save').click();
  await expect(page.getByTestId('chat-file-megabytes')).toBeFocused();
  await page.getByTestId('chat-file-megabytes').fill('20');
  await page.getByTestId('welcomeZh').fill('欢迎参加本院会议');
  await page.getByTestId('welcomeEn').fill('Welcome to our hospital');
  await page.getByTestId('settings-save').click();
  await expect(page.getByTestId('settings-undo')).toBeDisabled();
  await page.reload();
  await expect(page.getByTestId('logo-preview').locator('img')).toHaveAttribute('src', /\/logo\?v=/);
  await expect(page.getByTestId('colour-value')).toHaveValue('#ffcc00');

  await test.step('guests see the look on the join card and in the waiting room', async () => {
    const host = await server.api.as('pale.admin');
    const { numericId: number, password } = await bookMeeting(host, 'Ward round', { waitingRoom: true });
    const guest = await open('alice', { locale: 'en-US' });
    await guest.goto(`${server.url}/#/join?number=${number}&pwd=${password}&name=Alice`);
    await expect(guest.getByTestId('entry-logo').getByRole('img', { name: 'Pale' })).toBeVisible();
    await expect(guest.getByTestId('entry-welcome')).toHaveText('Welcome to our hospital');
    // White text on the colour that was given could not be read.
    await expect(guest.getByTestId('join-submit')).toHaveCSS('background-color', 'rgb(133, 106, 0)');
    await guest.getByTestId('join-submit').click();
    await expect(guest.getByTestId('waiting-room').getByTestId('entry-welcome')).toBeVisible();
    await expect(guest.getByTestId('entry-logo')).toBeVisible();
    expect(await violations(guest)).toEqual([]);
  });
  await page.getByTestId('logo-remove').click();
  await page.getByTestId('colour-reset').click();
  await page.getByTestId('settings-save').click();
  await expect(page.getByTestId('settings-undo')).toBeDisabled();
  expect(await (await server.api.as('pale.admin')).tenants.own()).toMatchObject({
    logoUrl: null,
    colour: null,
    chatFiles: { enabled: true, megabytes: 20, kinds: ['picture', 'document', 'media', 'other'] },
  });
});

test('settings: the ways to sign in and their order are those of the sign-in page', async ({ server, open }) => {
  await newTenant(server, 'Ways Ltd', 'ways.admin');
  const page = await open('chair', { locale: 'en-US' });
  await openAdminPage(page, server, { ...SETTINGS, account: 'ways.admin' });
  await page.getByTestId('sign-in-SMS').click();
  await page.getByTestId('sign-in-earlier-QR').click();
  await expect(page.getByTestId('sign-in-settings').getByRole('listitem').first()).toContainText('QR code and phone');
  await page.getByTestId('settings-save').click();
  await expect(page.getByTestId('settings-undo')).toBeDisabled();

  const visitor = await open('alice', { locale: 'en-US' });
  await visitor.goto(`${server.url}/#/login?tenant=Ways%20Ltd`);
  await expect(visitor.getByTestId('login-qr')).toBeVisible();
  await expect(visitor.getByTestId('login-mode-PASSWORD')).toBeVisible();
  await expect(visitor.getByTestId('login-mode-SMS')).toHaveCount(0);
  expect(await violations(visitor)).toEqual([]);

  await test.step('none at all is a fault at the field', async () => {
    for (const mode of ['QR', 'PASSWORD', 'SSO', 'PASSKEY', 'CERTIFICATE'])
      await page.getByTestId(`sign-in-${mode}`).click();
    await page.getByTestId('settings-save').click();
    await expect(page.getByTestId('sign-in-settings').getByRole('alert')).toBeVisible();
    await page.getByTestId('sign-in-QR').click();
  });

  await test.step('administrators find the password where it is not offered', async () => {
    await page.getByTestId('settings-save').click();
    await expect(page.getByTestId('settings-undo')).toBeDisabled();
    await visitor.reload();
    await expect(visitor.getByTestId('login-mode-PASSWORD')).toHaveText('Administrators');
    await visitor.getByTestId('login-mode-PASSWORD').click();
    await fillLogin(visitor, 'ways.admin');
    await arrives(visitor, (path) => !path.startsWith('/login'));
  });
});

test('settings are changed and undone by keyboard alone', { tag: '@more' }, async ({ server, open }) => {
  await newTenant(server, 'Settled', 'settled.admin');
  const page = await open('chair', { locale: 'en-US' });
  await openAdminPage(page, server, { ...SETTINGS, account: 'settled.admin' });
  await page.getByTestId('meetingAdminName').waitFor();
  await tabTo(page, 'meetingAdminName');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Mary');
  await tabTo(page, 'audit-months');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('3');
  await tabTo(page, 'settings-save');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('audit-months')).toBeFocused();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('18');
  await tabTo(page, 'settings-save');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('settings-undo')).toBeDisabled();
  const own = await (await server.api.as('settled.admin')).tenants.own();
  expect(own).toMatchObject({ auditMonths: 18, meetingAdmin: { name: 'Mary' } });
});

for (const locale of AXE_LOCALES) {
  test(`axe finds nothing wrong in any state (${locale})`, async ({ server, open }) => {
    const page = await open('chair', { locale });
    await openAdminPage(page, server, TENANTS);
    await page.getByTestId('tenants-row').first().waitFor();
    await page.getByTestId('tenant-new').click();
    await page.getByTestId('form-submit').click();
    await page.locator('[aria-invalid="true"]').first().waitFor();
    expect(await violations(page), 'form with errors').toEqual([]);
    await page.getByTestId('tenant-name').fill(`${LONG} ${locale}`);
    await page.getByTestId('tenant-admin-account').fill(`tenant-${locale}`);
    await page.getByTestId('tenant-admin-name').fill(LONG.slice(0, 60));
    await page.getByTestId('form-submit').click();
    await takePassword(page);
    await expect(rowOf(page, 'tenants', LONG).first()).toBeVisible();
    expect(await violations(page), 'list').toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.getByTestId('tenant-open').first().click();
    await page.getByTestId('audit-months').waitFor();
    expect(await violations(page), 'form').toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByTestId('list-search').fill('no tenant is called this');
    await page.getByTestId('state-empty').waitFor();
    expect(await violations(page), 'empty').toEqual([]);
    const mend = await breakCalls(page, '/api/api/v1/tenant');
    await page.getByTestId('list-search').fill('x');
    await page.getByTestId('state-error').waitFor();
    expect(await violations(page), 'failing').toEqual([]);
    await mend();
  });

  test(`axe finds nothing wrong with the settings (${locale})`, async ({ server, open }) => {
    const page = await open('chair', { locale });
    await openAdminPage(page, server, { ...SETTINGS, account: 'admin' });
    await page.getByTestId('audit-months').waitFor();
    expect(await violations(page), 'settings').toEqual([]);
    await page.getByTestId('audit-months').fill('1');
    await page.getByTestId('settings-save').click();
    await page.locator('[aria-invalid="true"]').first().waitFor();
    expect(await violations(page), 'settings with errors').toEqual([]);
  });
}
