import { closePage, openPage } from '@rmeet/testkit';
import { rowOf } from '../admin-pages.ts';
import { expect, LOCALES, test } from '../pages.ts';
import { clearPackages, publish } from './support.ts';

const [locale = 'zh-CN'] = LOCALES;
const ACCOUNTS = ['admin', 'chair', 'alice', 'bob', 'carol'];
const WINDOWS = 3;

test.afterEach(async ({ server }) => {
  await clearPackages(server);
});

test('a version reaches a share of the accounts, which only grows, and then everyone', async ({
  server,
  visit,
  chromium,
}) => {
  const root = await clearPackages(server);
  await publish(root, { type: WINDOWS, version: '3.3', link: 'https://downloads.example.org/3.3' });
  await publish(root, { type: WINDOWS, version: '3.4', link: 'https://downloads.example.org/3.4' });
  /** The accounts that are offered version 3.4. */
  const reached = async (): Promise<string[]> => {
    const offered = await Promise.all(
      ACCOUNTS.map(async (account) => (await server.api.as(account)).clientPackages.list({ query: {} })),
    );
    return ACCOUNTS.filter((_, at) => offered[at]?.[0]?.version === '3.4');
  };
  const page = await visit('root', '/admin/', '/client-packages', { locale });
  const row = rowOf(page, 'package', '3.4');
  const rollOut = async (percent: string): Promise<void> => {
    await row.getByTestId('package-version').click();
    await page.getByTestId('package-rollout-percent').click();
    await page.getByTestId('package-percent').fill(percent);
    await page.getByTestId('form-submit').click();
    await expect(row).toContainText(`${percent}%`);
  };
  await rollOut('40');
  const first = await reached();
  expect(await reached()).toEqual(first);
  await rollOut('99');
  expect(await reached()).toEqual(expect.arrayContaining(first));

  // Pages without a sign-in have what is for everyone.
  const visitor = await openPage(chromium);
  await visitor.goto(`${server.url}/downloads?type=3`);
  await expect(visitor.getByTestId('download-windows')).toHaveAttribute('href', /3\.3$/);
  await row.getByTestId('package-version').click();
  await page.getByTestId('package-rollout-all').click();
  await page.getByTestId('form-submit').click();
  await expect.poll(reached).toEqual(ACCOUNTS);
  await visitor.reload();
  await expect(visitor.getByTestId('download-windows')).toHaveAttribute('href', /3\.4$/);
  await closePage(visitor);
});

test('the minimal version of a package is raised, and lists and pages have it', async ({ server, visit }) => {
  const root = await clearPackages(server);
  await publish(root, { type: WINDOWS, version: '3.4', link: 'https://downloads.example.org/3.4' });
  const page = await visit('root', '/admin/', '/client-packages', { locale });
  await rowOf(page, 'package', '3.4').getByTestId('package-version').click();
  await page.getByTestId('package-minimal').fill('3.5');
  await page.getByTestId('form-submit').click();
  await expect(page.getByTestId('package-minimal')).toHaveAttribute('aria-invalid', 'true');
  await page.getByTestId('package-minimal').fill('3.2');
  await page.getByTestId('form-submit').click();
  const minimum = async () => (await server.api.clientPackages.list({ query: {} }))[0]?.minimalVersion;
  await expect.poll(minimum).toBe('3.2');
  await page.goto(`${server.url}/#/clientDownload`);
  await expect(page.getByTestId('package-windows')).toContainText('3.2');
});
