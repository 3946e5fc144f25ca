import ExcelJS from 'exceljs';
import { chooseFound, openAdminPage, rowOf } from '../admin-pages.ts';
import { expect, LOCALES, LOOKS, looksRight, tabTo, test } from '../pages.ts';
import { formGone } from '../support.ts';

const TERMINALS = { app: '/manage/', account: 'admin', path: '/terminals' } as const;
const [locale = 'zh-CN'] = LOCALES;
const MIME = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** A worksheet as a user has it on disk. */
async function sheetOf(rows: string[][]) {
  const book = new ExcelJS.Workbook();
  book.addWorksheet('Terminals').addRows([['name', 'address', 'kind', 'room'], ...rows]);
  return { name: 'terminals.xlsx', mimeType: MIME, buffer: Buffer.from(await book.xlsx.writeBuffer()) };
}

test('a terminal is registered in a room, found by it and deleted with another', async ({ server, open }) => {
  const api = await server.api.as('admin');
  const {
    records: [room],
  } = await api.rooms.list({ query: { keyword: '201 会议室' } });
  if (!room) throw new Error('there is no room');
  const page = await open('chair', { locale });
  await openAdminPage(page, server, TERMINALS);
  await tabTo(page, 'terminal-new');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('field-name')).toBeFocused();
  await page.keyboard.type('Wall screen');
  await tabTo(page, 'field-address');
  await page.keyboard.type('wall screen');
  await page.getByTestId('form-submit').click();
  await expect(page.getByTestId('field-address')).toBeFocused();
  await page.getByTestId('field-address').fill('wall@screens.example.org');
  await chooseFound(page, 'terminal-room', room.name);
  await page.getByTestId('form-submit').click();
  await formGone(page);
  await expect(rowOf(page, 'terminals', 'Wall screen')).toContainText(`${room.building.name} / ${room.name}`);

  // Its address is unique.
  await page.getByTestId('terminal-new').click();
  await page.getByTestId('field-name').fill('Second screen');
  await page.getByTestId('field-address').fill('WALL@screens.example.org');
  await page.getByTestId('form-submit').click();
  await expect(page.getByTestId('terminal-drawer').getByRole('alert')).toContainText('Wall screen');
  await page.getByTestId('field-address').fill('second@screens.example.org');
  await page.getByTestId('form-submit').click();
  await expect(rowOf(page, 'terminals', 'Second screen')).toBeVisible();

  await chooseFound(page, 'filter-room', room.name);
  await expect(rowOf(page, 'terminals', 'Second screen')).toHaveCount(0);
  await expect(rowOf(page, 'terminals', 'Wall screen')).toBeVisible();
  await page.goto(`${server.url}/manage/#/terminals?q=screens.example.org&room=none`);
  await expect(rowOf(page, 'terminals', 'Wall screen')).toHaveCount(0);
  await expect(rowOf(page, 'terminals', 'Second screen')).toContainText('--');
  await expect(page.getByTestId('filter-room')).not.toContainText('none');
  await page.goto(`${server.url}/manage/#/terminals?q=screens.example.org`);
  await expect(page.getByTestId('terminals-row')).toHaveCount(2);
  await page.getByRole('checkbox').first().check();
  await page.getByTestId('bulk-remove').click();
  await page.getByTestId('question-ok').click();
  await page.getByTestId('state-empty').waitFor();
});

test('a terminal is changed, and exported in the format of the import', async ({ server, visit }) => {
  await (
    await server.api.as('admin')
  ).terminals.create({ body: { name: 'Cart screen', address: 'cart@carts.example.org', kind: 'sip' } });
  const page = await visit('admin', '/manage/', '/terminals?q=carts.example.org', { locale });
  await rowOf(page, 'terminals', 'Cart screen').getByTestId('row-edit').click();
  await page.getByTestId('field-name').fill('Cart screen of ward 3');
  await page.getByTestId('form-submit').click();
  await expect(rowOf(page, 'terminals', 'Cart screen of ward 3')).toBeVisible();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('export').click()]);
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(await download.path());
  expect(JSON.stringify(book.worksheets[0]?.getSheetValues())).toContain('Cart screen of ward 3');
});

test('a sheet with errors changes nothing; corrected, it is imported', async ({ server, open }) => {
  const page = await open('chair', { locale });
  await openAdminPage(page, server, TERMINALS);
  await page.getByTestId('terminal-import').click();
  await page
    .getByTestId('import-file')
    .setInputFiles({ name: 'terminals.csv', mimeType: 'text/csv', buffer: Buffer.from('name,address') });
  await expect(page.getByTestId('import-fault')).toContainText('terminals.csv');

  await page.getByTestId('import-file').setInputFiles(
    await sheetOf([
      ['Ward phone', '+8621555001', 'phone', ''],
      ['', '+8621555002', 'fax', 'Nowhere'],
    ]),
  );
  await expect(page.getByTestId('import-fault-row')).toHaveCount(3);
  await expect(page.getByTestId('import-fault-row').filter({ hasText: 'fax' })).toContainText('3');
  await expect(page.getByTestId('import-verdict')).toBeFocused();
  await expect(page.getByTestId('import-store')).toHaveCount(0);

  const mended = await sheetOf([
    ['Ward phone', '+8621555001', 'phone', ''],
    ['Second phone', '+8621555002', 'phone', ''],
  ]);
  await page.getByTestId('import-file').setInputFiles(mended);
  await expect(page.getByTestId('import-added')).toHaveText('2');
  await expect(page.getByTestId('import-fault-row')).toHaveCount(0);
  await tabTo(page, 'import-store');
  await page.keyboard.press('Enter');
  await page.getByTestId('import-close').click();
  await expect(rowOf(page, 'terminals', '+862155500')).toHaveCount(2);

  // A second import has nothing to do.
  await page.getByTestId('terminal-import').click();
  await page.getByTestId('import-file').setInputFiles(mended);
  await expect(page.getByTestId('import-unchanged')).toHaveText('2');
  await expect(page.getByTestId('import-store')).toHaveCount(0);
});

test(
  'a check that takes too long is given up, and the file can be chosen again',
  { tag: '@more' },
  async ({ server, open }) => {
    const page = await open('chair', { locale });
    await openAdminPage(page, server, TERMINALS);
    // Never answered.
    await page.route('**/terminal-registry/import', () => undefined);
    await page.getByTestId('terminal-import').click();
    const sheet = await sheetOf([['Hall phone', '+8621556009', 'phone', '']]);
    await page.getByTestId('import-file').setInputFiles(sheet);
    await expect(page.getByRole('progressbar')).toBeVisible();
    await page.getByTestId('import-cancel').click();
    await expect(page.getByRole('progressbar')).toHaveCount(0);
    await page.unroute('**/terminal-registry/import');
    await page.getByTestId('import-file').setInputFiles(sheet);
    await expect(page.getByTestId('import-added')).toHaveText('1');
  },
);

for (const language of LOOKS) {
  test(`terminals and their import look right (${language})`, async ({ visit }) => {
    const page = await visit('admin', '/manage/', '/terminals', {
      locale: language,
      size: { width: 390, height: 844 },
    });
    await page.getByTestId('export').waitFor();
    await looksRight(page, 'list');
    await page.getByTestId('terminal-new').click();
    await page.getByTestId('form-submit').click();
    await page.locator('[aria-invalid="true"]').first().waitFor();
    await looksRight(page, 'form with errors');
    await page.getByTestId('form-dismiss').click();
    await page.getByTestId('terminal-drawer').waitFor({ state: 'hidden' });
    await page.getByTestId('terminal-import').click();
    await page.getByTestId('import-choose').waitFor();
    await looksRight(page, 'import');
    await page.getByTestId('import-file').setInputFiles(await sheetOf([['', 'x'.repeat(300), 'fax', 'Nowhere']]));
    await page.getByTestId('import-fault-row').first().waitFor();
    await looksRight(page, 'faults');
  });
}
