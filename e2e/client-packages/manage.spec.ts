import { readFile } from 'node:fs/promises';
import { breakCalls, chooseFound, openAdminPage, rowOf, signInProven } from '../admin-pages.ts';
import { failing, LONG_NAME, LOOKS, looksRight, test as pages } from '../pages.ts';
import { expect, test, violations } from '../support.ts';
import { clearPackages, fileOf, publish, publishPhones } from './support.ts';

const PACKAGES = { app: '/admin/', account: 'root', path: '/client-packages' } as const;

test.afterEach(async ({ server }) => {
  await clearPackages(server);
});

// screens.tsv: admin, client packages; endpoints.tsv: GET client-packages.
test('an administrator uploads a package, and people find and download it', async ({ server, open }) => {
  await clearPackages(server);
  const page = await open('chair', { locale: 'en-US' });
  await openAdminPage(page, server, PACKAGES);
  await page.getByTestId('state-empty').waitFor();
  await page.getByTestId('package-new').click();
  await page.getByTestId('package-field-version').fill('3.4.0');
  await page.getByTestId('package-file').setInputFiles(fileOf('Rmeet-3.4.0.exe', 'MZ installer'));
  await expect(page.getByTestId('package-file-name')).toContainText('Rmeet-3.4.0.exe');
  await page.getByTestId('package-minimal').fill('3.1');
  await page.getByTestId('package-notes').fill('Faster start.');
  await page.getByTestId('form-submit').click();
  await expect(rowOf(page, 'package', '3.4.0')).toContainText('Current');
  await expect(rowOf(page, 'package', '3.4.0')).toContainText('Rmeet-3.4.0.exe');

  const alice = await open('alice', { locale: 'en-US' });
  await alice.goto(`${server.url}/#/clientDownload`);
  const card = alice.getByTestId('package-windows');
  await expect(card).toContainText('Version 3.4.0');
  await expect(card).toContainText('Versions before 3.1 must be updated');
  const [file] = await Promise.all([alice.waitForEvent('download'), alice.getByTestId('download-windows').click()]);
  expect(file.suggestedFilename()).toBe('Rmeet-3.4.0.exe');
  expect((await readFile(await file.path())).toString()).toBe('MZ installer');
  const [offered] = await server.api.clientPackages.list({ query: {} });
  expect(offered).toMatchObject({ type: 3, version: '3.4.0', key: 'windowsPackageUrl', minimalVersion: '3.1' });
});

test('an administrator links a store, and the list of people has the link', async ({ server, open }) => {
  await signInProven(server, 'root');
  const page = await open('chair', { locale: 'en-US' });
  await openAdminPage(page, server, PACKAGES);
  await page.getByTestId('package-new').click();
  await chooseFound(page, 'package-type', 'iPhone');
  await expect(page.getByTestId('package-source-file')).toHaveCount(0);
  await page.getByTestId('package-field-version').fill('3.4');
  await page.getByTestId('package-link').fill('https://apps.example.org/rmeet');
  await page.getByTestId('form-submit').click();
  await expect(rowOf(page, 'package', '3.4')).toContainText('https://apps.example.org/rmeet');
  expect(await server.api.clientPackages.list({ query: {} })).toMatchObject([
    { type: 2, url: 'https://apps.example.org/rmeet', file: null },
  ]);
});

test('the form names each wrong input, and nothing is sent', async ({ server, open }) => {
  const root = await clearPackages(server);
  await publish(root, { type: 3, version: '3.4', link: 'https://downloads.example.org/3.4' });
  const page = await open('chair', { locale: 'en-US' });
  await openAdminPage(page, server, PACKAGES);
  await page.getByTestId('package-new').click();
  const form = page.getByTestId('package-form');
  const submit = () => page.getByTestId('form-submit').click();
  await submit();
  await expect(form).toContainText('Enter one to four numbers with points');
  await expect(form).toContainText('Choose the package file');
  await page.getByTestId('package-field-version').fill('3.4.0');
  await page.getByTestId('package-file').setInputFiles(fileOf('page.html', '<html></html>'));
  await page.getByTestId('package-minimal').fill('3.10');
  await page.getByTestId('package-rollout-percent').click();
  await page.getByTestId('package-percent').fill('100');
  await submit();
  await expect(form).toContainText('Choose a file that ends in .exe, .msi');
  await expect(form).toContainText('cannot be newer than the version');
  await expect(form).toContainText('Enter a whole number from 1 to 99');
  await page.getByTestId('package-rollout-tenants').click();
  await page.getByTestId('package-minimal').fill('3.1');
  await page.getByTestId('package-source-link').click();
  await page.getByTestId('package-link').fill('http://downloads.example.org/x');
  await submit();
  await expect(form).toContainText('begins with https');
  await expect(form).toContainText('Choose at least one tenant');
  // What only the server knows: the version is taken, and the file is no program.
  await page.getByTestId('package-rollout-all').click();
  await page.getByTestId('package-source-file').click();
  await page.getByTestId('package-file').setInputFiles(fileOf('rmeet.exe', '<html></html>'));
  await submit();
  await expect(form).toContainText('Version 3.4.0 of this type is already published');
  await page.getByTestId('package-field-version').fill('3.5');
  await submit();
  await expect(form).toContainText('rmeet.exe is not a package of this type');
  expect(await violations(page)).toEqual([]);
  expect((await root.clientPackages.query({ query: {} })).total).toBe(1);
});

test('an upload shows how far it is, and is cancelled', async ({ server, open }) => {
  const root = await clearPackages(server);
  const page = await open('chair', { locale: 'en-US' });
  await openAdminPage(page, server, PACKAGES);
  await page.getByTestId('package-new').click();
  await page.getByTestId('package-field-version').fill('3.6');
  const large = Buffer.alloc(24 * 2 ** 20, 7);
  large.write('MZ');
  await page.getByTestId('package-file').setInputFiles(fileOf('large.exe', large));
  const network = await page.context().newCDPSession(page);
  const conditions = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 2 ** 20 };
  await network.send('Network.emulateNetworkConditions', conditions);
  await page.getByTestId('form-submit').click();
  await expect(page.getByTestId('package-progress')).toContainText(/[1-9]\d*% uploaded/);
  expect(await violations(page)).toEqual([]);
  await page.getByTestId('package-upload-cancel').click();
  await expect(page.getByTestId('package-progress')).toHaveCount(0);
  await expect(page.getByText('Upload cancelled')).toBeVisible();
  await expect(page.getByTestId('package-form')).toBeVisible();
  expect((await root.clientPackages.query({ query: {} })).total).toBe(0);
  // The same form publishes it all the same.
  await network.send('Network.emulateNetworkConditions', { ...conditions, uploadThroughput: -1 });
  await page.getByTestId('form-submit').click();
  await expect(rowOf(page, 'package', '3.6')).toBeVisible();
});

test('a package is rolled out to a tenant, withdrawn, published again and deleted', async ({ server, open }) => {
  const root = await clearPackages(server);
  await publish(root, { type: 3, version: '3.3', link: 'https://downloads.example.org/3.3' });
  await publish(root, { type: 3, version: '3.4', link: 'https://downloads.example.org/3.4' });
  const versionsOf = async (api = server.api) =>
    (await api.clientPackages.list({ query: {} })).map(({ version }) => version);
  const page = await open('chair', { locale: 'en-US' });
  await openAdminPage(page, server, PACKAGES);
  const row = rowOf(page, 'package', '3.4');
  await row.getByTestId('package-version').click();
  await page.getByTestId('package-rollout-tenants').click();
  await chooseFound(page, 'package-tenants', 'demo');
  await page.getByTestId('form-submit').click();
  await expect(row).toContainText(/demo|演示/i);
  expect(await versionsOf()).toEqual(['3.3']);
  expect(await versionsOf(await server.api.as('bob'))).toEqual(['3.4']);

  await row.getByTestId('row-more').click();
  await page.getByTestId('row-withdraw').click();
  await page.getByTestId('question-ok').click();
  await expect(row).toContainText('Withdrawn');
  expect(await versionsOf(await server.api.as('bob'))).toEqual(['3.3']);
  await page.getByTestId('package-state-filter').selectOption('withdrawn');
  await expect(page.getByTestId('package-row')).toHaveCount(1);
  await expect(page).toHaveURL(/state=withdrawn/);
  await row.getByTestId('row-more').click();
  await page.getByTestId('row-publish').click();
  await page.getByTestId('state-empty').waitFor();
  await page.getByTestId('package-state-filter').selectOption('');
  await row.getByTestId('row-more').click();
  await page.getByTestId('row-withdraw').click();
  await page.getByTestId('question-ok').click();
  await expect(row).toContainText('Withdrawn');
  await row.getByTestId('row-more').click();
  await page.getByTestId('row-remove').click();
  await page.getByTestId('question-ok').click();
  await expect(page.getByTestId('package-row')).toHaveCount(1);
});

test('operators who are no super administrators do not get the page', { tag: '@more' }, async ({ server, open }) => {
  const page = await open('chair', { locale: 'en-US' });
  await openAdminPage(page, server, { app: '/manage/', account: 'admin', path: '/client-packages' });
  await expect(page.getByTestId('package-new')).toHaveCount(0);
});

for (const locale of LOOKS) {
  pages(`looks right in ${locale}: packages, forms, empty, failing, very long names`, async ({ server, visit }) => {
    const root = await clearPackages(server);
    const page = await visit('root', '/admin/', '/client-packages', { locale });
    await page.getByTestId('state-empty').waitFor();
    await looksRight(page, 'packages empty');
    await publishPhones(root);
    const name = `${LONG_NAME}${LONG_NAME}.exe`;
    await publish(
      root,
      { type: 3, version: '123456.123456.123456.1', notes: LONG_NAME.repeat(10) },
      new File(['MZ'], name),
    );
    await page.reload();
    for (const size of [
      { width: 1_440, height: 900 },
      { width: 1_024, height: 768 },
      { width: 390, height: 780 },
    ]) {
      await page.setViewportSize(size);
      await page.getByTestId('package-row').first().waitFor();
      await looksRight(page, 'packages list');
      await page.getByTestId('package-new').click();
      await page.getByTestId('package-rollout-percent').click();
      await page.getByTestId('form-submit').click();
      await page.locator('[aria-invalid="true"]').first().waitFor();
      await looksRight(page, 'packages form');
      await page.getByTestId('form-dismiss').click();
      await page.getByTestId('question-ok').click();
      await page.getByTestId('package-form').waitFor({ state: 'hidden' });
    }
    await page.setViewportSize({ width: 1_440, height: 900 });
    await failing(page, '/client-packages/query');
    await page.reload();
    await page.getByTestId('state-error').waitFor();
    await looksRight(page, 'packages failing');
    await clearPackages(server);
  });
}

test('a list that does not load is tried again', { tag: '@more' }, async ({ server, open }) => {
  const root = await clearPackages(server);
  await publish(root, { type: 4, version: '1.0', link: 'https://downloads.example.org/mac' });
  const page = await open('chair', { locale: 'en-US' });
  const mend = await breakCalls(page, '/api/api/v1/client-packages/query');
  await openAdminPage(page, server, PACKAGES);
  await page.getByTestId('state-error').waitFor();
  await mend();
  await page.getByTestId('state-retry').click();
  await expect(page.getByTestId('package-row')).toHaveCount(1);
});
