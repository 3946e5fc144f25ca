import { readFile } from 'node:fs/promises';
import type { RunningServer } from '@rmeet/testkit';
import { expect, failing, LOOKS, LONG_NAME, looksRight, tabTo, test } from '../pages.ts';
import { bookMeeting } from '../support.ts';

/** A past meeting of alice with her, bob and a guest; with `runs`, it is still running. */
async function hold(server: RunningServer, subject: string, { runs = false, name = 'Grace' } = {}) {
  const [alice, bob] = [await server.api.as('alice'), await server.api.as('bob')];
  const { meetId, numericId, password } = await bookMeeting(alice, subject, {
    participants: [{ kind: 'user', userId: bob.user.id }],
  });
  const host = await alice.conferences.join({ body: { numericId } });
  const member = await bob.conferences.join({ body: { numericId } });
  await server.api.conferences.join({ body: { numericId, password, name } });
  await server.api.withToken(member.sessionToken).conferences.leave({ params: { meetId } });
  await bob.conferences.join({ body: { numericId, deviceType: 4 } });
  if (!runs) await alice.conferences.end({ params: { meetId } });
  const {
    records: [held],
  } = await alice.history.list({ query: { keyword: subject } });
  if (!held) throw new Error('The meeting is not in the history.');
  // Through the terminal: a page that signs alice in ends her session here.
  return { id: held.id, end: () => server.api.withToken(host.sessionToken).conferences.end({ params: { meetId } }) };
}

const row = 'attendance-row';

test('a host finds a held meeting and sees who was in it when, by keyboard alone', async ({ server, visit }) => {
  await hold(server, 'Held for its host');
  const page = await visit('alice', '/', '/myMeeting', { locale: 'en-US' });
  await page.locator('aside').getByTestId('nav-MeetingHistory').focus();
  await page.keyboard.press('Enter');
  await page.getByTestId('list-search').fill('Held for its host');
  await expect(page.getByTestId('history-row')).toHaveCount(1);
  await expect(page).toHaveURL(/q=Held/);
  await tabTo(page, 'history-open');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Held for its host');
  await expect(page.getByTestId(row)).toHaveCount(3);
  await expect(page.getByTestId(row).first()).toContainText('(me)');
  await expect(page.getByTestId(row).nth(1)).toContainText('iPhone · meeting ended');
  await expect(page.getByTestId(row).nth(2)).toContainText('Grace');
  await expect(page.getByTestId('timeline-row')).toHaveCount(3);
  await expect(page.getByTestId('record-facts')).toContainText('Terminals: 3');
  // The page has no entry of its own; that of the recordings represents it.
  await expect(page.locator('aside').getByTestId('nav-RecordMeeting')).toHaveClass(/active/);
  await tabTo(page, 'record-back');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/meetingHistory/);
});

// endpoints.tsv: GET meetings/history/export/{id}.
test('a host exports the record of a held meeting as a workbook', async ({ server, visit }) => {
  const { id } = await hold(server, 'Held to be exported');
  const page = await visit('alice', '/', `/meeting-record-details/${id}`, { locale: 'en-US' });
  await page.getByTestId(row).first().waitFor();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByTestId('record-export').click()]);
  expect(file.suggestedFilename()).toMatch(/^Held to be exported \d{4}-\d\d-\d\d\.xlsx$/);
  // A workbook is a ZIP archive.
  expect((await readFile(await file.path())).subarray(0, 2).toString()).toBe('PK');
});

test('a participant sees who was there, and only their own times', async ({ server, visit }) => {
  const { id } = await hold(server, 'Held for members');
  const page = await visit('bob', '/', `/meeting-record-details/${id}`, { locale: 'en-US' });
  await expect(page.getByTestId('record-private')).toBeVisible();
  await expect(page.getByTestId(row)).toHaveCount(3);
  await expect(page.getByTestId('timeline-row')).toHaveCount(1);
  await expect(page.getByTestId(row).filter({ hasText: 'Grace' })).toContainText('--');
  await expect(page.getByTestId(row).filter({ hasText: '(me)' })).toContainText('left');
});

test('administrators see how much was met between two days', async ({ server, visit }) => {
  await hold(server, 'Held to be counted');
  const day = new Date().toISOString().slice(0, 10);
  const near = (days: number): string => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
  // Before the page: a later sign-in ends an earlier session.
  const admin = await server.api.as('admin');
  const { records } = await admin.history.all({
    query: {
      startDate: new Date(Date.now() - 2 * 86_400_000).toISOString(),
      endDate: new Date(Date.now() + 2 * 86_400_000).toISOString(),
    },
  });
  const page = await visit('admin', '/manage/', `/meetingHistory?from=${near(-1)}&to=${near(1)}`, { locale: 'en-US' });
  await expect(page.getByTestId('history-summary')).toContainText(`${records.length} meeting`);
});

test(
  'a running conference is marked and kept up to date, and other users find nothing',
  { tag: '@more' },
  async ({ server, visit }) => {
    const { id, end } = await hold(server, 'Held just now', { runs: true });
    const page = await visit('alice', '/', `/meeting-record-details/${id}`, { locale: 'en-US' });
    await expect(page.locator('.record-running')).toHaveText('Running');
    await expect(page.getByTestId(row).first()).toContainText('Inside');
    const other = await visit('carol', '/', `/meeting-record-details/${id}`, { locale: 'en-US' });
    await expect(other.getByTestId('state-empty')).toBeVisible();
    await end();
    await expect(page.locator('.record-running')).toHaveCount(0, { timeout: 15_000 });
    await expect(page.getByTestId(row).first()).toContainText('meeting ended');
  },
);

test('the manage app lists the meetings of the tenant, with filters in the address', async ({ server, visit }) => {
  await hold(server, 'Held for the tenant');
  const page = await visit('admin', '/manage/', '/meetingHistory?q=Held+for+the+tenant', { locale: 'en-US' });
  await expect(page.getByTestId('history-row')).toHaveCount(1);
  await page.getByTestId('history-type').selectOption('PHONE_MEETING');
  await page.getByTestId('state-empty').waitFor();
  await expect(page).toHaveURL(/type=PHONE_MEETING/);
  await page.reload();
  await page.getByTestId('state-empty').waitFor();
  await page.getByTestId('history-type').selectOption('');
  await expect(page.getByTestId('history-row')).toContainText('Alice');
});

for (const locale of LOOKS) {
  test(`looks right in ${locale}: list, record, on a phone, on paper, empty, failing, very long names`, async ({
    server,
    visit,
  }) => {
    const subject = `${locale} ${LONG_NAME}`;
    const { id } = await hold(server, subject, { name: LONG_NAME });
    const page = await visit('alice', '/', '/meetingHistory', { locale });
    await page.getByTestId('history-row').first().waitFor();
    await looksRight(page, 'list');
    await page.goto(`${server.url}/#/meeting-record-details/${id}`);
    await page.getByTestId(row).first().waitFor();
    await looksRight(page, 'record');
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByTestId('record-print')).toBeHidden();
    await expect(page.locator('aside').getByTestId('nav-MeetingHistory')).toBeHidden();
    await page.emulateMedia({ media: 'screen' });
    await page.setViewportSize({ width: 390, height: 780 });
    await looksRight(page, 'record on a phone');
    await page.goto(`${server.url}/#/meetingHistory`);
    await page.getByTestId('history-phone-row').first().waitFor();
    await looksRight(page, 'list on a phone');
    await page.getByTestId('list-search').fill('no meeting is called this');
    await page.getByTestId('state-empty').waitFor();
    await looksRight(page, 'empty');
    await failing(page, '/meetings/history');
    await page.reload();
    await page.getByTestId('state-error').waitFor();
    await looksRight(page, 'failing');
  });
}
