import { expect, LOCALES, LOOKS, looksRight, test } from '../pages.ts';

const [locale = 'zh-CN'] = LOCALES;
const SIZES = [
  { width: 1440, height: 900 },
  { width: 820, height: 1180 },
  { width: 390, height: 844 },
];

for (const [account, app] of [
  ['alice', '/'],
  ['admin', '/manage/'],
  ['root', '/admin/'],
] as const)
  test(`/icon shows the icons in ${app}, finds one by its name, and copies the name`, async ({ visit }) => {
    const page = await visit(account, app, '/icon', { locale });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const icons = page.getByTestId('icon-copy');
    await expect.poll(() => icons.count()).toBeGreaterThan(60);
    await page.getByTestId('icon-search').fill('MEGA');
    await expect(icons).toHaveText(['megaphone']);
    await expect(page).toHaveURL(/q=MEGA/);
    await icons.click();
    await expect(page.getByTestId('toast-success')).toContainText('megaphone');
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe('megaphone');
    await page.getByTestId('icon-search').fill('no icon is called this');
    await expect(page.getByTestId('state-empty')).toBeVisible();
  });

for (const look of LOOKS)
  test(`icons look right in ${look}`, async ({ visit }) => {
    for (const size of SIZES) {
      const page = await visit('alice', '/', '/icon', { locale: look, size });
      await page.getByTestId('icon-copy').first().waitFor();
      await looksRight(page, 'icons');
      await page.getByTestId('icon-search').fill('no icon is called this');
      await page.getByTestId('state-empty').waitFor();
      await looksRight(page, 'icons none');
    }
  });
