import { newTenant, newUser } from '../auth/support.ts';
import { expect, failing, LOCALES, LONG_NAME, LOOKS, looksRight, test, tryAgain } from '../pages.ts';
import { formGone } from '../support.ts';

const [locale = 'zh-CN'] = LOCALES;
const WIDE = { width: 1440, height: 900 };
const TABLET = { width: 820, height: 1180 };
const PHONE = { width: 390, height: 844 };
const LIST = '/api/api/v1/start-apps';

test('apps are added, put in order, shown on the start page, changed and removed', async ({ server, visit }) => {
  await newTenant(server, 'Apps clinic', 'appsboss');
  await newUser(server, 'appsuser', undefined, 'appsboss');
  const page = await visit('appsboss', '/manage/', '/startApps', { locale, size: WIDE });
  await expect(page.getByTestId('state-empty')).toBeVisible();
  for (const [name, url] of [
    ['Portal', 'https://portal.example.org/'],
    ['Recordings', '/#/record-meeting'],
  ] as const) {
    await page.getByTestId('start-app-new').click();
    await page.getByTestId('field-name').fill(name);
    await page.getByTestId('field-url').fill(url);
    await page.getByTestId('icon-choice-search').fill('video');
    // The radio buttons themselves are invisible.
    await page.getByTestId('app-icon-video').check({ force: true });
    await page.getByTestId('form-submit').click();
    await formGone(page);
  }
  const rows = page.getByTestId('start-app-row');
  await expect(rows).toHaveCount(2);
  await rows.nth(1).getByTestId('start-app-up').click();
  await expect(rows.first()).toContainText('Recordings');

  const user = await visit('appsuser', '/', '/myMeeting', { locale, size: WIDE });
  const apps = user.getByTestId('start-app');
  await expect(apps).toHaveText(['Recordings', 'Portal']);
  await expect(apps.nth(1)).toHaveAttribute('rel', /noopener/);
  await apps.first().click();
  await expect(user).toHaveURL(/#\/record-meeting/);

  await rows.nth(1).getByTestId('start-app-edit').click();
  await page.getByTestId('field-name').fill('Intranet');
  await page.getByTestId('form-submit').click();
  await formGone(page);
  await rows.first().getByTestId('start-app-remove').click();
  await page.getByTestId('question-ok').click();
  await expect(rows).toHaveText([/Intranet/]);
  await user.goBack();
  await user.reload();
  await expect(apps).toHaveText(['Intranet']);
});

test('a wrong address is shown at its field', async ({ server, visit }) => {
  await newTenant(server, 'Wrong apps', 'wrongapps');
  const page = await visit('wrongapps', '/manage/', '/startApps', { locale, size: WIDE });
  await page.getByTestId('start-app-new').click();
  await page.getByTestId('form-submit').click();
  await expect(page.getByTestId('field-name')).toBeFocused();
  await page.getByTestId('field-name').fill('Portal');
  for (const url of ['javascript:alert(1)', 'http://portal.example.org/', '//portal.example.org/']) {
    await page.getByTestId('field-url').fill(url);
    await page.getByTestId('form-submit').click();
    await expect(page.getByTestId('field-url')).toHaveAttribute('aria-invalid', 'true');
  }
  await page.getByTestId('field-url').fill('/help/');
  await page.getByTestId('form-submit').click();
  await formGone(page);
  await expect(page.getByTestId('start-app-row')).toHaveCount(1);
});

for (const look of LOOKS)
  test(`apps look right in ${look}`, async ({ server, visit }) => {
    const account = `applooks${look.slice(0, 2)}`;
    await newTenant(server, `Looks of apps ${look}`, account);
    const { startApps } = await server.api.as(account);
    for (const size of [WIDE, TABLET, PHONE]) {
      const page = await visit(account, '/manage/', '/startApps', { locale: look, size });
      await page.getByTestId('start-app-new').waitFor();
      if (size === WIDE) {
        await page.getByTestId('state-empty').waitFor();
        await looksRight(page, 'apps empty');
        const mend = await failing(page, LIST);
        await page.reload();
        await page.getByTestId('state-error').waitFor();
        await looksRight(page, 'apps failing');
        await tryAgain(page, mend, page.getByTestId('state-empty'));
        const { roles } = await startApps.list();
        const icons = ['building', 'mail', 'chart', 'book', 'phone', 'link', 'people'];
        for (const [i, icon] of icons.entries())
          await startApps.create({
            body: {
              name: i === 1 ? LONG_NAME.slice(0, 30) : `Portal ${i}`,
              icon,
              url: i === 1 ? `https://example.org/${'long/'.repeat(60)}` : 'https://example.org/',
              roleIds: i === 0 ? roles.slice(0, 1).map(({ id }) => id) : [],
            },
          });
        await page.reload();
      }
      await page.getByTestId('start-app-row').nth(6).waitFor();
      await looksRight(page, 'apps list');
      await page.getByTestId('start-app-edit').nth(1).click();
      await page.getByTestId('app-icon').waitFor();
      await looksRight(page, 'app form');
      const user = await visit(account, '/', '/myMeeting', { locale: look, size });
      await user.getByTestId('start-app').nth(5).waitFor();
      await looksRight(user, 'start page with apps');
    }
  });
