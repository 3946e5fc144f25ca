import { encodeContact } from '@rmeet/contract';
import { closePage, openPage, startMailServer, type MailServer } from '@rmeet/testkit';
import { rowOf } from '../admin-pages.ts';
import { expect, LOCALES, LOOKS, looksRight, test as base } from '../pages.ts';
import { formGone } from '../support.ts';

const [locale = 'zh-CN'] = LOCALES;
const PHONE = { width: 360, height: 740 };
const ORIGIN = 'https://meet.example.org';
const PASSWORD = 'Chosen-by-me-1';

/** A server that delivers its mail to a real mail server, under a public address. */
const test = base.extend<object, { mail: MailServer }>({
  mail: [
    async ({}, use) => {
      const mail = await startMailServer();
      await use(mail);
      await mail.close();
    },
    { scope: 'worker' },
  ],
  serverSettings: async ({ mail }, use) =>
    use({
      RMEET_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      RMEET_MAIL_FROM: 'meetings@example.org',
      RMEET_PUBLIC_URL: ORIGIN,
    }),
});

/** The path of the link in the newest mail to an address. */
async function linkTo(mail: MailServer, address: string): Promise<string> {
  const newest = () => mail.received.findLast(({ to }) => to.includes(address))?.text ?? '';
  await expect.poll(newest).toContain(`${ORIGIN}/#/invitation?secret=`);
  return /#\/invitation\?secret=[\w-]+/.exec(newest())?.[0] ?? '';
}

test('a user is invited by mail, sets a password on a phone, and is signed in', async ({
  server,
  visit,
  mail,
  chromium,
}) => {
  const page = await visit('admin', '/manage/', '/users?q=Ines', { locale });
  await page.getByTestId('user-new').click();
  await page.getByTestId('field-account').fill('ines');
  await page.getByTestId('field-name').fill('Ines');
  await page.getByTestId('user-invite').click();
  await page.getByTestId('form-submit').click();
  // Where should the mail go?
  await expect(page.getByTestId('field-email')).toBeFocused();
  await page.getByTestId('field-email').fill('ines@example.org');
  await page.getByTestId('form-submit').click();
  await formGone(page);
  const link = await linkTo(mail, 'ines@example.org');
  await page.reload();
  await expect(rowOf(page, 'users', 'Ines').getByTestId('user-invitation')).toBeVisible();

  const phone = await openPage(chromium, { locale, size: PHONE });
  await phone.goto(`${server.url}/${link}`);
  await expect(phone.getByTestId('invitation-account')).toHaveValue('ines');
  await looksRight(phone, 'invitation');
  await phone.getByTestId('invitation-password').fill('short');
  await phone.getByTestId('invitation-submit').click();
  await expect(phone.getByTestId('invitation-again')).toBeFocused();
  await phone.getByTestId('invitation-again').fill('short');
  await phone.getByTestId('invitation-submit').click();
  await expect(phone.getByTestId('invitation-error')).toBeVisible();
  await looksRight(phone, 'invitation with a weak password');
  await phone.getByTestId('invitation-password').fill(PASSWORD);
  await phone.getByTestId('invitation-again').fill(PASSWORD);
  await phone.keyboard.press('Enter');
  await phone.getByTestId('account-menu').waitFor();
  await closePage(phone);

  // The link has been used.
  const other = await openPage(chromium, { locale, size: PHONE });
  await other.goto(`${server.url}/${link}`);
  await other.getByTestId('invitation-refused').waitFor();
  await looksRight(other, 'invitation refused');
  await closePage(other);
  await page.reload();
  await rowOf(page, 'users', 'Ines').waitFor();
  await expect(page.getByTestId('user-invitation')).toHaveCount(0);
});

test('an invitation is sent again and withdrawn', async ({ server, visit, mail }) => {
  const api = await server.api.as('admin');
  const email = encodeContact('late@example.org');
  await api.users.create({ body: { account: 'late', name: 'Late', email, invite: true } });
  const first = await linkTo(mail, 'late@example.org');
  const page = await visit('admin', '/manage/', '/users?q=late', { locale });
  await page.getByTestId('row-more').click();
  await page.getByTestId('row-invite').click();
  await page.getByTestId('question-ok').click();
  await expect.poll(() => linkTo(mail, 'late@example.org')).not.toBe(first);
  await page.getByTestId('row-more').click();
  await page.getByTestId('row-revoke').click();
  await page.getByTestId('question-ok').click();
  await expect
    .poll(async () => (await api.users.list({ query: { keyword: 'late' } })).records[0]?.invitation?.state)
    .toBe('revoked');
});

for (const language of LOOKS) {
  test(`invited users look right in the list, and are imported with an invitation (${language})`, async ({
    server,
    visit,
    mail,
  }) => {
    const api = await server.api.as('admin');
    const email = encodeContact('looks@example.org');
    await api.users.create({ body: { account: `looks.${language}`, name: 'Invited', email, invite: true } });
    const page = await visit('admin', '/manage/', '/users?status=invited', { locale: language });
    await page.getByTestId('user-invitation').first().waitFor();
    await looksRight(page, 'invited users');
    await page.getByTestId('users-import').click();
    const name = `mailed.${language}`;
    const text = `account,name,email\n${name},Mailed,${name}@example.org\nnone.${language},None,\n`;
    await page
      .getByTestId('import-file')
      .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await page.getByTestId('access-invitation').waitFor();
    await looksRight(page, 'import checked with invitations');
    await page.getByTestId('import-store').click();
    await page.getByTestId('import-passwords').waitFor();
    await looksRight(page, 'import done with invitations');
    await linkTo(mail, `${name}@example.org`);
  });
}
