import { readFileSync } from 'node:fs';
import ExcelJS from 'exceljs';
import { rowOf, signInProven } from '../admin-pages.ts';
import { expect, LOCALES, LOOKS, looksRight, tabTo, test } from '../pages.ts';

const [locale = 'zh-CN'] = LOCALES;
const USERS = '/users';
const csv = (text: string, name = 'people.csv') => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

test('a sheet is checked by row, imported without its wrong rows, and its passwords are downloaded once', async ({
  server,
  visit,
}) => {
  // An export needs it.
  await signInProven(server, 'admin');
  const page = await visit('admin', '/manage/', USERS, { locale });
  await page.getByTestId('users-import').click();
  await page.getByTestId('import-file').setInputFiles(csv('', 'people.txt'));
  await expect(page.getByTestId('import-fault')).toContainText('people.txt');
  await page.getByTestId('import-file').setInputFiles(csv('account,name\n"open'));
  await expect(page.getByTestId('import-fault')).toContainText('CSV');

  const text = 'account,name,department,roles\nimport.1,Import One,信息科,\nimport.2,,信息科,Nobody\nalice,Alice,,\n';
  await page.getByTestId('import-file').setInputFiles(csv(text));
  await expect(page.getByTestId('import-toCreate')).toHaveText('1');
  await expect(page.getByTestId('import-toChange')).toHaveText('1');
  await expect(page.getByTestId('import-wrong')).toHaveText('1');
  // Wrong rows come first.
  await expect(page.getByTestId('task-row')).toHaveCount(1);
  await expect(page.getByTestId('task-row')).toContainText('Nobody');
  await expect(page.getByTestId('import-verdict')).toBeFocused();
  const [report] = await Promise.all([page.waitForEvent('download'), page.getByTestId('task-report').click()]);
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(await report.path());
  expect(JSON.stringify(book.worksheets[0]?.getSheetValues())).toContain('import.2');

  // Without the row of Alice, whom others need.
  await page.getByTestId('import-file').setInputFiles(csv('account,name,department\nimport.1,Import One,信息科\n'));
  await expect(page.getByTestId('import-wrong')).toHaveText('0');
  await expect(page.getByTestId('access-lacks')).toBeVisible();
  await tabTo(page, 'import-store');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('import-created')).toHaveText('1');
  const [passwords] = await Promise.all([page.waitForEvent('download'), page.getByTestId('import-passwords').click()]);
  expect(readFileSync(await passwords.path(), 'utf8')).toMatch(/import\.1,Import One,\w{4}-\w{4}-\w{4}/);
  await expect(page.getByTestId('import-passwords')).toHaveCount(0);
  await page.getByTestId('import-close').click();
  await page.getByTestId('list-search').fill('import.1');
  await expect(page).toHaveURL(/q=import\.1/);
  await expect(page.getByTestId('users-row')).toHaveCount(1);
  await expect(rowOf(page, 'users', 'Import One')).toContainText('信息科');

  // An export of it is imported again without changes.
  const [exported] = await Promise.all([page.waitForEvent('download'), page.getByTestId('export-csv').click()]);
  await page.getByTestId('users-import').click();
  await page
    .getByTestId('import-file')
    .setInputFiles(csv(readFileSync(await exported.path(), 'utf8'), exported.suggestedFilename()));
  await expect(page.getByTestId('import-same')).toHaveText('1');
  await expect(page.getByTestId('import-store')).toHaveCount(0);
});

test('many users are changed at once, all that match the filter, and failures are listed', async ({
  server,
  visit,
}) => {
  const api = await server.api.as('admin');
  for (let one = 1; one <= 11; one += 1)
    await api.users.create({ body: { account: `crowd.${one}`, name: `Crowd ${one}`, department: '人群' } });
  const page = await visit('admin', '/manage/', '/users?q=crowd.&size=10', { locale });
  await page.getByTestId('users-row').first().waitFor();
  await page.getByRole('checkbox').first().check();
  await page.getByTestId('bulk-all').click();
  await page.getByTestId('bulk-more').click();
  await page.getByTestId('bulk-move').click();
  await expect(page.getByTestId('change-text')).toContainText('11');
  await page.getByTestId('user-department').locator('input').fill('新人群/一组');
  await page.getByTestId('change-start').click();
  await expect(page.getByTestId('change-drawer')).toHaveCount(0);
  await expect
    .poll(async () => (await api.users.list({ query: { department: '新人群' } })).total, { timeout: 15_000 })
    .toBe(11);
  // Some of them are deleted meanwhile.
  await page.getByRole('checkbox').nth(1).check();
  await page.getByRole('checkbox').nth(2).check();
  const { records } = await api.users.list({ query: { keyword: 'crowd.', size: 10 } });
  await api.users.remove({ query: { id: records[0]?.id ?? '' } });
  await page.getByTestId('bulk-more').click();
  await page.getByTestId('bulk-remove').click();
  await page.getByTestId('change-start').click();
  await expect(page.getByTestId('users-row')).toHaveCount(9);
});

test('a deleted user whose name is taken is brought back under another, and another is deleted for good', async ({
  server,
  visit,
}) => {
  const api = await server.api.as('admin');
  const { user } = await api.users.create({ body: { account: 'again', name: 'First Again' } });
  await api.users.remove({ query: { id: user.id } });
  await api.users.create({ body: { account: 'again', name: 'Second Again' } });
  const page = await visit('admin', '/manage/', '/users?q=again', { locale });
  await page.getByTestId('users-deleted').click();
  await page.getByTestId('row-restore').click();
  await page.getByTestId('question-ok').click();
  await expect(page.getByTestId('restore-account')).toBeFocused();
  await page.keyboard.type('alice');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('restore-dialog')).toContainText('alice');
  await page.getByTestId('restore-account').fill('again.first');
  await page.getByTestId('restore-submit').click();
  await expect(page.getByTestId('restore-dialog')).toHaveCount(0);
  await page.getByTestId('users-deleted').click();
  await expect(rowOf(page, 'users', 'again.first')).toBeVisible();

  await api.users.remove({ query: { id: user.id } });
  await page.getByTestId('users-deleted').click();
  await page.reload();
  await rowOf(page, 'users', 'First Again').getByTestId('row-more').click();
  await page.getByTestId('row-purge').click();
  await page.getByTestId('question-ok').click();
  await page.getByTestId('state-empty').waitFor();
});

for (const language of LOOKS) {
  test(`the import and changes of many look right (${language})`, async ({ server, visit }) => {
    const api = await server.api.as('admin');
    await api.users.create({ body: { account: `look.${language}`, name: 'Look' } });
    for (const size of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      const page = await visit('admin', '/manage/', `/users?q=look.${language}`, { locale: language, size });
      await page.getByTestId('users-row').first().waitFor();
      await page.getByRole('checkbox').last().check();
      await looksRight(page, 'bulk');
      await page.getByTestId('bulk-more').click();
      await page.getByTestId('bulk-addRole').click();
      await page.getByTestId('change-start').click();
      await page.getByTestId('change-fault').waitFor();
      await looksRight(page, 'change');
      await page.getByTestId('change-cancel').click();
      await page.getByTestId('users-import').click();
      await page.getByTestId('import-choose').waitFor();
      await looksRight(page, 'import');
      const wrong = `account,name,phone,roles\n${'x'.repeat(80)},${'Long'.repeat(30)},abc,Nobody\nfine.one,Fine,,\n`;
      await page.getByTestId('import-file').setInputFiles(csv(wrong));
      await page.getByTestId('task-row').first().waitFor();
      await looksRight(page, 'import checked');
    }
  });
}
