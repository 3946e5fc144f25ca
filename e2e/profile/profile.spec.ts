import { newUser } from '../auth/support.ts';
import { expect, failing, LOOKS, LONG_NAME, looksRight, retype, tabTo, test } from '../pages.ts';

const NEW_PASSWORD = 'Another-pass-9';

test('people change their own data by keyboard alone', async ({ server, visit }) => {
  await newUser(server, 'rob');
  const page = await visit('rob', '/', '/userInfo', { locale: 'en-US' });
  await page.getByTestId('profile-name').waitFor();
  await tabTo(page, 'profile-name');
  await retype(page, 'Robert');
  await page.keyboard.press('Tab');
  await retype(page, 'not a number');
  await page.keyboard.press('Tab');
  await retype(page, 'rob@example.org');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('profile-phone')).toBeFocused();
  await expect(page.getByTestId('profile-phone')).toHaveAttribute('aria-invalid', 'true');
  await retype(page, '+86 10 1234 5678');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('toast-success')).toBeVisible();
  await page.reload();
  await expect(page.getByTestId('profile-name')).toHaveValue('Robert');
  await expect(page.getByTestId('profile-phone')).toHaveValue('+86 10 1234 5678');
  await expect(page.getByTestId('profile-email')).toHaveValue('rob@example.org');
});

test('the language applies at once and is kept with the account', async ({ server, visit }) => {
  await newUser(server, 'lana');
  const page = await visit('lana', '/', '/userInfo');
  await page.getByTestId('profile-language-en').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Personal information');
  // With the page's own sign-in: another one would end it, possibly before the page has sent its change.
  const me = server.api.withToken((await page.evaluate<string | null>(`localStorage.getItem('token')`)) ?? '');
  await expect.poll(async () => (await me.users.current()).locale).toBe('en');
});

test('the password is changed by keyboard, and its rules are ticked off while typing', async ({ server, visit }) => {
  await newUser(server, 'patty');
  const page = await visit('patty', '/', '/userInfo', { locale: 'en-US' });
  await page.getByTestId('password-old').waitFor();
  await tabTo(page, 'password-old');
  await page.keyboard.type('not the password');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Ano');
  await expect(page.getByTestId('rule-length')).toHaveAttribute('data-met', 'false');
  await retype(page, NEW_PASSWORD);
  for (const rule of ['length', 'classes', 'account'])
    await expect(page.getByTestId(`rule-${rule}`)).toHaveAttribute('data-met', 'true');
  await page.keyboard.press('Tab');
  await page.keyboard.type('something else');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('password-repeat')).toBeFocused();
  await retype(page, NEW_PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('password-old')).toBeFocused();
  await retype(page, 'Rmeet-demo-1');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('toast-success')).toBeVisible();
  // This session continues, and the new password is valid.
  await page.reload();
  await page.getByTestId('session-row').waitFor();
  await server.api.as('patty', NEW_PASSWORD);
});

test('a session elsewhere is shown and ended', async ({ server, visit }) => {
  await newUser(server, 'twice');
  const page = await visit('twice', '/', '/userInfo', { locale: 'en-US' });
  await expect(page.getByTestId('session-row')).toHaveCount(1);
  // The desktop client uses a ticket, which creates a separate session.
  const token = (await page.evaluate(`sessionStorage.getItem('token')`)) as string;
  const { sign } = await server.api.withToken(token).auth.handover();
  const elsewhere = server.api.withToken(
    (await server.api.auth.ticketToToken({ query: { sign }, body: undefined })).token,
  );
  await page.reload();
  await expect(page.getByTestId('session-row')).toHaveCount(2);
  await expect(page.getByTestId('session-row').first()).toContainText('This device');
  await tabTo(page, 'sessions-end-others');
  await page.keyboard.press('Enter');
  await tabTo(page, 'question-ok');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('session-row')).toHaveCount(1);
  await expect(elsewhere.users.current()).rejects.toMatchObject({ httpStatus: 401 });
});

for (const locale of LOOKS) {
  test(`looks right in ${locale}: wide, on a phone, failing, a very long name`, async ({ server, visit }) => {
    const account = `long.${locale}`;
    await newUser(server, account);
    const page = await visit(account, '/', '/userInfo', { locale });
    await page.getByTestId('session-row').first().waitFor();
    const recover = await failing(page, '/users/self/sessions');
    await page.reload();
    await page.getByTestId('state-error').waitFor();
    await looksRight(page, 'failing');
    await recover();
    await page.getByTestId('state-retry').click();
    await page.getByTestId('session-row').first().waitFor();
    await looksRight(page, 'wide');
    await page.getByTestId('profile-name').fill(LONG_NAME);
    await page.getByTestId('profile-save').click();
    await page.getByTestId('toast-success').waitFor();
    await page.getByTestId('password-submit').click();
    await page.setViewportSize({ width: 360, height: 740 });
    await looksRight(page, 'on a phone');
  });
}
