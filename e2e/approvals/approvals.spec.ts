import type { Api } from '@rmeet/testkit';
import { expect, LOCALES, LOOKS, LONG_NAME, looksRight, tabTo, test } from '../pages.ts';

const [locale = 'zh-CN'] = LOCALES;
const NONE = { all: false, types: [], vip: false, longerThan: null, morePeopleThan: null };

/** Requires approval for long meetings, which no other scenario books. */
async function wantApproval(api: Api): Promise<void> {
  await api.approvals.updateRules({
    body: { ...NONE, longerThan: 300, version: (await api.approvals.rules()).version },
  });
}

const bookLong = (api: Api, subject: string, minutesFromNow = 90) =>
  api.meetings.createNetwork({
    body: {
      subject,
      agenda: 'Why it takes so long',
      startTime: new Date(Date.now() + minutesFromNow * 60_000).toISOString(),
      duration: 310,
      password: '4821',
    },
  });

/** Restores the setting, because servers are shared. */
test.afterEach(async ({ server }) => {
  const api = await server.api.as('admin');
  await api.approvals.updateRules({ body: { ...NONE, version: (await api.approvals.rules()).version } });
  const { records } = await api.meetings.list({
    query: { keyword: 'takes approval', tenantWide: 'true', status: 'SCHEDULE' },
  });
  for (const { meetId } of records) await api.meetings.cancel({ params: { id: meetId }, query: {} });
});

test('an administrator sets approval rules, an approver decides by keyboard, and the host sees it', async ({
  server,
  visit,
}) => {
  const settings = await visit('admin', '/manage/', '/tenantSettings', { locale });
  await settings.getByTestId('rule-longer').fill('300');
  await settings.getByTestId('rules-save').click();
  await expect(settings.getByTestId('rules-undo')).toBeDisabled();

  const alice = await server.api.as('alice');
  const [first, second] = [
    await bookLong(alice, 'First takes approval'),
    await bookLong(alice, 'Second takes approval', 500),
  ];
  const queue = await visit('chair', '/', '/approvals', { locale });
  const rows = queue.getByTestId('approval-row').filter({ hasText: 'takes approval' });
  await expect(rows).toHaveCount(2);
  await expect(queue.getByTestId('nav-Approvals').getByTestId('nav-dot').first()).toBeVisible();
  await tabTo(queue, 'approval-approve');
  await queue.keyboard.press('Enter');
  await expect(rows.filter({ hasText: 'First' }).getByTestId('approval-state')).toHaveAttribute(
    'data-state',
    'approved',
  );
  // The focus moves to the next waiting request.
  await expect(queue.locator(`#approval-${second.meetId}`)).toBeFocused();

  await tabTo(queue, 'approval-refuse');
  await queue.keyboard.press('Enter');
  await expect(queue.getByTestId('approval-note')).toBeFocused();
  await queue.keyboard.type('Too long for a Monday');
  await queue.getByTestId('decide-refuse').click();
  await expect(rows.filter({ hasText: 'Second' }).getByTestId('approval-state')).toHaveAttribute(
    'data-state',
    'refused',
  );
  await expect(rows.filter({ hasText: 'Second' })).toContainText('Too long for a Monday');
  await rows.filter({ hasText: 'Second' }).getByTestId('approval-open').click();
  await expect(queue.getByTestId('approval-drawer')).toContainText('Why it takes so long');

  expect(await alice.meetings.detail({ params: { id: first.meetId } })).toMatchObject({ approval: 'approved' });
  const mine = await visit('alice', '/', '/myMeeting?scope=all&q=Second%20takes%20approval', { locale });
  await expect(mine.getByTestId('badge-refused').first()).toBeVisible();
});

const bookSeries = (api: Api, subject: string, minutesFromNow = 90) =>
  api.meetings.createNetwork({
    body: {
      subject,
      startTime: new Date(Date.now() + minutesFromNow * 60_000).toISOString(),
      duration: 310,
      password: '4821',
      recurrence: { rule: 'FREQ=DAILY;COUNT=3' },
    },
  });

test(
  'approvers find a series by the bell and decide it at once, and the bell notifies the host',
  { tag: '@more' },
  async ({ server, visit }) => {
    await wantApproval(await server.api.as('admin'));
    const alice = await server.api.as('alice');
    const made = await bookSeries(alice, 'Series takes approval');
    const queue = await visit('chair', '/', '/myMeeting', { locale });
    await queue.getByTestId('notice-bell').click();
    await queue
      .getByTestId('notice-row')
      .filter({ hasText: 'Series takes approval' })
      .getByTestId('notice-open')
      .click();
    const row = queue.getByTestId('approval-row').filter({ hasText: 'Series takes approval' });
    await expect(row).toHaveCount(1);
    await expect(row.getByTestId('approval-series')).toBeVisible();
    await expect(row).toContainText(locale === 'en-US' ? '3 meetings' : '3 次会议');
    await row.getByTestId('approval-open').click();
    await queue.getByTestId('approval-note').fill('Three are enough');
    await queue.getByTestId('decide-approve').click();
    await expect(queue.getByTestId('toast-success')).toContainText('3');
    await expect(row.getByTestId('approval-state')).toHaveAttribute('data-state', 'approved');
    const { records } = await alice.meetings.list({ query: { keyword: 'Series takes approval' } });
    expect(records.map(({ approval }) => approval)).toEqual(['approved', 'approved', 'approved']);

    const mine = await visit('alice', '/', '/myMeeting', { locale });
    await mine.getByTestId('notice-bell').click();
    const told = mine
      .getByTestId('notice-row')
      .filter({ hasText: 'Series takes approval' })
      .filter({ hasText: 'Three are enough' });
    await told.getByTestId('notice-open').click();
    await expect(mine.getByTestId('meeting-detail')).toContainText('Series takes approval');
    expect(mine.url()).toContain(made.meetId);
  },
);

test('of two approvers the later one sees that the request is decided', { tag: '@more' }, async ({ server, visit }) => {
  await wantApproval(await server.api.as('admin'));
  const { meetId } = await bookLong(await server.api.as('alice'), 'Third takes approval');
  const queue = await visit('chair', '/', '/approvals?state=waiting', { locale });
  const row = queue.getByTestId('approval-row').filter({ hasText: 'Third' });
  await row.waitFor();
  // Another user decides first, and the page has not been notified yet.
  await queue.route('**/approvals/*', async (route) => {
    const { authorization = '' } = route.request().headers();
    await fetch(`${server.url}/api/api/v1/meetings/approvals/${meetId}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: '{"approve":true}',
    });
    await route.continue();
  });
  await row.getByTestId('approval-approve').click();
  await expect(queue.getByTestId('toast-error').or(queue.getByTestId('toast-warning'))).toBeVisible();
  await expect(row).toHaveCount(0);
});

for (const language of LOOKS) {
  test(`the queue and its rules look right (${language})`, async ({ server, visit }) => {
    const admin = await server.api.as('admin');
    await wantApproval(admin);
    const alice = await server.api.as('alice');
    await bookLong(alice, `${LONG_NAME} takes approval`);
    await bookLong(alice, 'Fourth takes approval', 600);
    await bookSeries(alice, 'Fifth takes approval', 700);
    for (const size of [
      { width: 390, height: 844 },
      { width: 1280, height: 800 },
    ]) {
      const page = await visit('chair', '/', '/approvals', { locale: language, size });
      await page.getByTestId('approval-row').first().waitFor();
      await looksRight(page, 'queue');
      await page.getByTestId('approval-open').first().click();
      await page.getByTestId('approval-note').waitFor();
      await looksRight(page, 'details');
      await page.goto(`${server.url}/#/approvals?q=Fifth`);
      await page.getByTestId('approval-series').waitFor();
      await looksRight(page, 'a series');
      await page.getByTestId('approval-open').first().click();
      await page.getByTestId('approval-note').waitFor();
      await looksRight(page, 'details of a series');
      await page.goto(`${server.url}/#/approvals?q=nothing-like-this`);
      await page.getByTestId('state-empty').waitFor();
      await looksRight(page, 'nothing found');
    }
    const settings = await visit('admin', '/manage/', '/tenantSettings', {
      locale: language,
      size: { width: 390, height: 844 },
    });
    await settings.getByTestId('rule-longer').waitFor();
    await settings.getByTestId('rule-longer').fill('9999');
    await settings.getByTestId('rules-save').click();
    await settings.getByTestId('approval-rules').getByRole('alert').waitFor();
    await looksRight(settings, 'rules with an error');
  });
}
