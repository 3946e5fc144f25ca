import { closePage, ldifPerson, openPage, SLAPD_ADMIN, SLAPD_SKIPPED, startSlapd, type Slapd } from '@rmeet/testkit';
import type { Page } from '@playwright/test';
import { newTenant } from '../auth/support.ts';
import { expect, LOCALES, LOOKS, looksRight, test } from '../pages.ts';
import { formGone } from '../support.ts';

const PEOPLE = 'ou=people,dc=example,dc=org';
const people = [
  ldifPerson('dora', { cn: '朵拉', mail: 'dora@example.org', departmentNumber: '外科' }),
  ldifPerson('emil', { cn: 'Emil', departmentNumber: 'Surgery' }),
  ldifPerson('fritz', { cn: 'Fritz with quite a long name, which many directories have' }),
].join('');

let slapd: Slapd;
test.beforeAll(async () => {
  if (!SLAPD_SKIPPED) slapd = await startSlapd(people);
});
test.afterAll(() => slapd?.remove());
test.skip(SLAPD_SKIPPED !== '', `slapd or ldap-utils is missing`);

/** Fills the form with what slapd needs. */
async function fillIn(page: Page, name: string): Promise<void> {
  await page.getByTestId('directory-name').fill(name);
  await page.getByTestId('directory-kind').click();
  await page.locator('.ant-select-item-option', { hasText: 'OpenLDAP' }).click();
  await page.getByTestId('directory-address').fill(slapd.ldaps);
  await page.getByTestId('directory-certificates').fill(slapd.certificate);
  await page.getByTestId('directory-bind').fill(SLAPD_ADMIN.dn);
  await page.getByTestId('directory-password').fill(SLAPD_ADMIN.password);
  await page.getByTestId('directory-bases').fill(PEOPLE);
}

const [locale = 'zh-CN'] = LOCALES;

test('an administrator adds a directory, tries it, and its people sign in with their password', async ({
  server,
  chromium,
  visit,
}) => {
  await newTenant(server, 'Directory clinic', 'dirclinic');
  const page = await visit('dirclinic', '/manage/', '/directories', { locale });
  await expect(page.getByTestId('state-empty')).toBeVisible();
  await page.getByTestId('directory-new').click();
  await fillIn(page, 'Head office');
  await page.getByTestId('directory-bind').fill('cn=wrong,dc=example,dc=org');
  await page.getByTestId('directory-test').click();
  await expect(page.getByTestId('directory-trial')).toContainText(/查询账号|account that searches/);
  await page.getByTestId('directory-bind').fill(SLAPD_ADMIN.dn);
  await page.getByTestId('directory-test').click();
  await expect(page.getByTestId('directory-trial')).toContainText('dora@example.org');
  await page.getByTestId('form-submit').click();
  await formGone(page);

  await page.getByTestId('directory-dry-run').click();
  await expect(page.getByTestId('round-counts')).toContainText('3', { timeout: 20_000 });
  await page.getByTestId('round-changes').click();
  await expect(page.getByTestId('directory-change')).toHaveCount(3);
  await page.keyboard.press('Escape');
  await page.getByTestId('directory-sync').click();
  await expect(page.getByTestId('directory-round')).toHaveCount(2, { timeout: 20_000 });

  const dora = await openPage(chromium, { locale });
  await dora.goto(`${server.url}/`);
  await dora.getByTestId('login-account').fill('dora');
  await dora.getByTestId('login-password').fill('dora-Password-1');
  await dora.getByTestId('login-submit').click();
  // Which organisation's directory is asked has to be named first.
  await expect(dora.getByTestId('login-error')).toBeVisible();
  await dora.getByTestId('login-organisation').fill('Directory clinic');
  await dora.getByTestId('login-submit').click();
  await dora.getByTestId('account-menu').click();
  await expect(dora.getByText('朵拉').first()).toBeVisible();
  await closePage(dora);
});

for (const look of LOCALES)
  test(`a directory that pushes people gets a token (${look})`, async ({ server, visit }) => {
    const account = `scim${look.slice(0, 2)}`;
    await newTenant(server, `Pushing ${look}`, account);
    const page = await visit(account, '/manage/', '/directories', { locale: look });
    await expect(page.getByTestId('scim')).toContainText('/api/scim/v2');
    await page.getByTestId('scim-token-name').fill('Entra ID');
    await page.getByTestId('scim-token-new').click();
    const token = (await page.getByTestId('scim-made').locator('code').textContent()) ?? '';
    const push = () =>
      fetch(`${server.url}/api/scim/v2/Users`, { headers: { authorization: `Bearer ${token}` } }).then(
        ({ status }) => status,
      );
    expect(await push()).toBe(200);
    await looksRight(page, 'a new SCIM token');
    await page.getByTestId('scim-token-remove').click();
    await page.getByTestId('question-ok').click();
    await expect(page.getByTestId('scim-token')).toHaveCount(0);
    expect(await push()).toBe(401);
  });

for (const look of LOOKS)
  test(`the page of directories in ${look} @more`, async ({ server, visit }) => {
    const name = `Looks ${look}`;
    const account = `dirlooks${look.slice(0, 2)}`;
    await newTenant(server, name, account);
    for (const size of [
      { width: 1280, height: 900 },
      { width: 390, height: 844 },
    ]) {
      const page = await visit(account, '/manage/', '/directories', { locale: look, size });
      await expect(page.getByTestId('directory-new')).toBeVisible();
      if (size.width > 400) {
        await looksRight(page, 'directories empty');
        await page.getByTestId('directory-new').click();
        await page.getByTestId('form-submit').click();
        await looksRight(page, 'directory form faults');
        await fillIn(page, 'Head office');
        await page.getByTestId('directory-test').click();
        await expect(page.getByTestId('directory-trial')).toContainText('dora');
        await looksRight(page, 'directory form tried');
        await page.getByTestId('form-submit').click();
        await formGone(page);
        await page.getByTestId('directory-dry-run').click();
        await expect(page.getByTestId('round-changes')).toBeVisible({ timeout: 20_000 });
      }
      await looksRight(page, 'directories with a round');
      await page.getByTestId('round-changes').first().click();
      await expect(page.getByTestId('directory-change').first()).toBeVisible();
      await looksRight(page, 'directory changes');
    }
  });
