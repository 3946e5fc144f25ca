import { readFile } from 'node:fs/promises';
import type { Browser, Page } from '@playwright/test';
import { SHELL } from '../auth/support.ts';
import { expect, failing, LONG_NAME, LOOKS, looksRight, tabTo, test } from '../pages.ts';
import { violations } from '../support.ts';
import { clearPackages, IOS_LINK, IPHONE, PHONE, publish, publishPhones, signInShell } from './support.ts';

test.afterEach(async ({ server }) => {
  await clearPackages(server);
});

/** A page of a browser without a sign-in. */
async function pageOf(chromium: Browser, userAgent?: string, size = { width: 360, height: 740 }): Promise<Page> {
  const context = await chromium.newContext({ locale: 'en-US', viewport: size, ...(userAgent && { userAgent }) });
  return context.newPage();
}

/** Packages that are links, by type. */
const LINKED = {
  windows: 3,
  mac: 4,
  rooms: 5,
  roomsAndroid: 6,
  uosArm: 9,
  kylinArm: 10,
  kylinX86: 11,
  harmony: 14,
  maxhubAndroid: 21,
  maxhubIos: 22,
} as const;
const linkOf = (type: number): string => `https://downloads.example.org/${type}`;

// screens.tsv: /clientDownload.
test('anyone sees all packages with codes, without a sign-in', async ({ server, chromium }) => {
  const root = await clearPackages(server);
  await publishPhones(root);
  for (const type of Object.values(LINKED)) await publish(root, { type, version: '3.4', link: linkOf(type) });
  const page = await pageOf(chromium, undefined, { width: 1_280, height: 900 });
  await page.goto(`${server.url}/#/clientDownload`);
  await expect(page.locator('[data-testid^="package-"]')).toHaveCount(12);
  for (const name of ['android', 'ios', 'harmony', 'roomsAndroid', 'maxhubAndroid', 'maxhubIos']) {
    const code = page.getByTestId(`qr-${name}`);
    await expect(code).toHaveAttribute('width', '140');
    await expect(code).toHaveAttribute('height', '140');
    await expect(code).toHaveAttribute('data-level', 'H');
    expect(Number(await code.getAttribute('data-version'))).toBeGreaterThanOrEqual(6);
  }
  await expect(page.getByTestId('qr-windows')).toHaveCount(0);
  await expect(page.getByTestId('qr-ios')).toHaveAttribute('data-content', IOS_LINK);
  for (const [name, type] of Object.entries(LINKED))
    await expect(page.getByTestId(`download-${name}`)).toHaveAttribute('href', linkOf(type));
  expect(await violations(page)).toEqual([]);
  // The parameter of /downloads counts differently from the types of packages.
  for (const [parameter, link] of Object.entries({
    2: IOS_LINK,
    3: linkOf(LINKED.windows),
    4: linkOf(LINKED.mac),
    5: linkOf(LINKED.rooms),
    6: linkOf(LINKED.roomsAndroid),
    9: linkOf(LINKED.kylinArm),
    10: linkOf(LINKED.uosArm),
  })) {
    await page.goto(`${server.url}/downloads?type=${parameter}`);
    await expect(page.getByTestId('downloads-first').getByRole('link')).toHaveAttribute('href', link);
  }
  await page.context().close();
});

// screens.tsv: /downloads.
test('a phone that scans the Android code lands on the downloads page and gets the package', async ({
  server,
  chromium,
  visit,
}) => {
  const root = await clearPackages(server);
  await publishPhones(root);
  const page = await visit('alice', '/', '/myMeeting', { locale: 'en-US' });
  await tabTo(page, 'download-menu');
  await page.keyboard.press('Enter');
  await tabTo(page, 'menu-android');
  await page.keyboard.press('Enter');
  const dialog = page.getByTestId('scan-dialog');
  await expect(dialog).toContainText('Android phone');
  expect(Math.round((await dialog.boundingBox())?.width ?? 0)).toBe(360);
  const code = page.getByTestId('scan-code-android');
  await expect(code).toHaveAttribute('width', '150');
  await expect(code).toHaveAttribute('height', '150');
  expect(await violations(page)).toEqual([]);
  const scanned = (await code.getAttribute('data-content')) ?? '';
  expect(scanned).toMatch(new RegExp(`^${server.url}/downloads/\\?type=1&version=3\\.4\\.0&url=`));

  const phone = await pageOf(chromium, PHONE);
  await phone.goto(scanned);
  await expect(phone.getByTestId('downloads-first')).toContainText(/Client for Android.*Version 3\.4\.0/);
  const [file] = await Promise.all([phone.waitForEvent('download'), phone.getByTestId('download-android').click()]);
  expect((await readFile(await file.path())).toString()).toBe('PK\x03\x04 android');
  expect(await violations(phone)).toEqual([]);
  await phone.context().close();

  await page.keyboard.press('Escape');
  await expect(page.getByTestId('download-menu')).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByTestId('menu-ios').click();
  await expect(page.getByTestId('scan-code-ios')).toHaveAttribute('data-content', IOS_LINK);
  await expect(dialog).toContainText('iPhone');
});

test('the downloads page says what has changed since the scan, and links no foreign address', async ({
  server,
  chromium,
}) => {
  const root = await clearPackages(server);
  const { android } = await publishPhones(root, '3.4.0');
  await publish(root, { type: 9, version: '1.9', link: 'https://downloads.example.org/uos' });
  await publish(root, { type: 10, version: '1.10', link: 'https://downloads.example.org/kylin' });
  const phone = await pageOf(chromium, PHONE);
  const first = phone.getByTestId('downloads-first');
  const open = (query: string) => phone.goto(`${server.url}/downloads?${query}`);
  await open('type=9');
  await expect(first).toContainText(/Kylin, ARM\).*Version 1\.10/);
  await expect(phone.getByTestId('downloads-other-device')).toBeVisible();
  await open('type=10');
  await expect(first).toContainText(/UOS, ARM\).*Version 1\.9/);
  await open('type=99');
  await expect(first).toContainText(/Android.*Version 3\.4\.0/);
  await open(`type=1&version=3.3&url=${encodeURIComponent('https://evil.example.org/rmeet.apk')}`);
  await expect(phone.getByTestId('downloads-changed')).toContainText('You scanned version 3.3');
  await expect(phone.getByTestId('download-android')).toHaveAttribute('href', android.url);
  await expect(phone.locator('a[href*="evil.example.org"]')).toHaveCount(0);
  await root.clientPackages.withdraw({ params: { id: android.id }, body: { withdrawn: true } });
  await open(`type=1&version=3.4.0&url=${encodeURIComponent(android.url)}`);
  await expect(phone.getByTestId('downloads-missing')).toContainText('There is no client for Android here');
  expect(await violations(phone)).toEqual([]);
  await phone.context().close();

  const iphone = await pageOf(chromium, IPHONE);
  await iphone.goto(`${server.url}/downloads`);
  await expect(iphone.getByTestId('download-ios')).toHaveAttribute('href', IOS_LINK);
  await iphone.context().close();
  const weChat = await pageOf(chromium, `${PHONE} MicroMessenger/8.0`);
  await weChat.goto(`${server.url}/downloads?type=1`);
  await expect(weChat.getByTestId('downloads-browser')).toBeVisible();
  await weChat.context().close();
});

test('on a phone the account menu leads to the packages', async ({ server, visit }) => {
  const root = await clearPackages(server);
  await publishPhones(root);
  const page = await visit('alice', '/', '/myMeeting', { locale: 'en-US', size: { width: 360, height: 740 } });
  await page.getByTestId('account-menu').click();
  await page.getByTestId('account-download').click();
  await expect(page.getByTestId('package-android')).toBeVisible();
});

test('the menu navigates to packages, and follows the list in the storage by the global event', async ({
  server,
  visit,
}) => {
  const root = await clearPackages(server);
  for (const [type, name] of [
    [3, 'windows'],
    [4, 'mac'],
    [5, 'rooms'],
    [6, 'roomsAndroid'],
    [9, 'uosArm'],
    [10, 'kylinArm'],
    [11, 'kylinX86'],
  ] as const)
    await publish(root, { type, version: '2.0', link: `https://downloads.example.org/${name}` });
  const page = await visit('alice', '/', '/myMeeting', { locale: 'en-US' });
  await expect(page.getByTestId('to-client-download')).toHaveAttribute('href', '#/clientDownload');
  await page.getByTestId('download-menu').click();
  const list = page.getByTestId('download-menu-list');
  await expect(list.getByRole('listitem')).toHaveCount(9);
  await expect(page.getByTestId('menu-rooms')).toHaveAttribute('href', 'https://downloads.example.org/rooms');
  const types = await page.evaluate(`JSON.parse(sessionStorage.getItem('clientInfoUrl')).map(({ type }) => type)`);
  expect(types).toEqual([3, 4, 5, 6, 9, 10, 11]);
  await page.evaluate(`
    sessionStorage.setItem('clientInfoUrl', '[{"type":3,"url":"https://downloads.example.org/other.exe"}]');
    window.dispatchEvent(new Event('clientInfoUrl'));`);
  await expect(list.getByRole('listitem')).toHaveCount(3);
  await expect(page.getByTestId('menu-windows')).toHaveAttribute('href', 'https://downloads.example.org/other.exe');
  await page.evaluate(`
    sessionStorage.setItem('clientInfoUrl', 'no list');
    window.dispatchEvent(new Event('clientInfoUrl'));`);
  await expect(list.getByRole('listitem')).toHaveCount(2);
  // Without a package for iPhones the dialog says so.
  await page.getByTestId('menu-ios').click();
  await expect(page.getByTestId('scan-dialog')).toContainText('not published yet');
});

test('the client shell gets the menu by its source and platform', async ({ server, chromium }) => {
  const root = await clearPackages(server);
  await publish(root, { type: 3, version: '2.0', link: 'https://downloads.example.org/windows' });
  const shellOf = async (userAgent: string, notes: Record<string, string>) => {
    const page = await pageOf(chromium, userAgent, { width: 1_280, height: 800 });
    await signInShell(page, server, 'alice', { version: '400', ...notes });
    return page;
  };
  const old = await shellOf(SHELL, {});
  await expect(old.getByTestId('to-client-download')).toHaveCount(0);
  await old.context().close();
  for (const [userAgent, platform, count] of [
    [SHELL, 'windows', 2],
    [SHELL, 'Mac', 3],
    ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/150 RmeetClient/3.1', 'linux', 3],
  ] as const) {
    const page = await shellOf(userAgent, { source: 'client', platform });
    await page.getByTestId('download-menu').click();
    await expect(page.getByTestId('download-menu-list').getByRole('listitem')).toHaveCount(count);
    await expect(page.getByTestId('menu-android')).toBeVisible();
    await page.context().close();
  }
});

for (const locale of LOOKS) {
  test(`looks right in ${locale}: both pages, menu, dialog, empty, failing, long notes`, async ({ server, visit }) => {
    const root = await clearPackages(server);
    const page = await visit('alice', '/', '/myMeeting', { locale });
    await page.goto(`${server.url}/#/clientDownload`);
    await page.getByTestId('state-empty').waitFor();
    await looksRight(page, 'clientDownload empty');
    await publishPhones(root);
    const notes = `${LONG_NAME}\n`.repeat(8);
    await publish(
      root,
      { type: 3, version: '123456.123456.123456.1', minimalVersion: '3', notes },
      new File(['MZ'], 'a.exe'),
    );
    for (const type of [4, 5, 6, 9, 10, 11, 14, 21, 22])
      await publish(root, { type, version: '3.4', link: `https://downloads.example.org/${LONG_NAME}/${type}` });
    for (const size of [
      { width: 1_440, height: 900 },
      { width: 1_024, height: 768 },
      { width: 360, height: 740 },
    ]) {
      await page.setViewportSize(size);
      await page.goto(`${server.url}/#/clientDownload`);
      await page.reload();
      await page.getByTestId('package-windows').waitFor();
      await looksRight(page, 'clientDownload');
      await page.goto(`${server.url}/downloads?type=3&version=3.1`);
      await page.getByTestId('downloads-first').waitFor();
      await looksRight(page, 'downloads');
      await page.goto(`${server.url}/#/myMeeting`);
      await page.getByTestId('account-menu').waitFor();
      await expect(page.getByTestId('to-client-download')).toBeVisible({ visible: size.width > 480 });
      await looksRight(page, 'header with download');
    }
    await page.setViewportSize({ width: 1_440, height: 900 });
    await page.getByTestId('download-menu').click();
    await page.getByTestId('menu-windows').waitFor();
    await looksRight(page, 'download menu');
    await page.getByTestId('menu-android').click();
    await page.getByTestId('scan-code-android').waitFor();
    await looksRight(page, 'scan dialog');
    await page.keyboard.press('Escape');
    await failing(page, '/api/api/v1/client-packages');
    await page.goto(`${server.url}/downloads`);
    await page.getByTestId('state-error').waitFor();
    await looksRight(page, 'downloads failing');
  });
}
