import { bookMeeting } from '../support.ts';
import { expect, test } from '../pages.ts';

test('the list keeps search, scope and sort in the URL', async ({ visit }) => {
  const page = await visit('alice', '/', '/myMeeting');
  await page.getByTestId('scope-all').click();
  await page.getByTestId('sort-subject').click();
  await page.getByTestId('meeting-search').fill('周例会');
  await expect(page.getByTestId('meeting-row').first()).toContainText('周例会');
  await expect(page).toHaveURL(/scope=all/);
  await expect(page).toHaveURL(/sort=subject/);
  const shown = await page.getByTestId('meeting-row').allInnerTexts();
  await page.reload();
  await expect(page.getByTestId('meeting-search')).toHaveValue('周例会');
  await expect(page.getByTestId('meeting-row')).toHaveCount(shown.length);
});

test('two edit one meeting: the second is told, and loses nothing typed', async ({ server, visit }) => {
  const page = await visit('chair', '/', '/myMeeting', { locale: 'en-US' });
  await page.getByTestId('meeting-new').click();
  await page.getByTestId('meeting-subject').fill('Budget');
  await page.getByTestId('meeting-submit').click();
  const row = page.getByTestId('meeting-row').filter({ hasText: 'Budget' });
  await row.getByTestId('meeting-edit').click();
  await page.getByTestId('meeting-subject').fill('Budget 2027');

  // The tenant's admin, who may edit every meeting, is faster.
  const admin = await server.api.as('admin');
  const { records } = await admin.meetings.list({ query: { keyword: 'Budget', tenantWide: 'true' } });
  const [meeting] = records;
  if (!meeting) throw new Error('the meeting is not listed');
  await admin.meetings.update({
    params: { id: meeting.meetId },
    body: { subject: 'Budget', agenda: 'Bring figures', startTime: meeting.startTime, duration: meeting.duration, password: meeting.password, version: meeting.version },
  });

  await page.getByTestId('meeting-submit').click();
  await expect(page.getByText('Someone else has changed this meeting').first()).toBeVisible();
  await expect(page.getByTestId('meeting-subject')).toHaveValue('Budget 2027');
});

test('a meeting that starts at odd seconds can be edited', async ({ server, visit }) => {
  const carol = await server.api.as('carol');
  const startTime = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 97_123).toISOString();
  await carol.meetings.createNetwork({ body: { subject: 'Odd seconds', startTime, duration: 60, password: '4821' } });
  const page = await visit('carol', '/', '/myMeeting');
  await page.getByTestId('meeting-row').filter({ hasText: 'Odd seconds' }).getByTestId('meeting-edit').click();
  await expect(page.getByTestId('meeting-subject')).toHaveValue('Odd seconds');
  await page.getByTestId('meeting-subject').fill('Even seconds');
  await page.getByTestId('meeting-submit').click();
  await expect(page.getByTestId('meeting-row').filter({ hasText: 'Even seconds' })).toBeVisible();
});

test('a meeting is cancelled after asking', async ({ visit }) => {
  const page = await visit('bob', '/', '/myMeeting');
  await page.getByTestId('meeting-new').click();
  await page.getByTestId('meeting-subject').fill('Mistake');
  await page.getByTestId('meeting-submit').click();
  await page.getByTestId('meeting-row').filter({ hasText: 'Mistake' }).getByTestId('meeting-cancel').click();
  await page.getByTestId('question-ok').click();
  await expect(page.getByTestId('meeting-row').filter({ hasText: 'Mistake' })).toHaveCount(0);
});

test('a list opened elsewhere follows without a reload', async ({ server, visit }) => {
  const page = await visit('admin', '/manage/', '/myMeeting?scope=today');
  await page.getByTestId('scope-today').waitFor();
  const subject = 'Appears by itself';
  await bookMeeting(await server.api.as('carol'), subject);
  await expect(page.getByTestId('meeting-row').filter({ hasText: subject })).toBeVisible();
});
