import type { Page } from '@playwright/test';
import type { Api, RunningServer } from '@rmeet/testkit';
import { expect, LOCALES, looksRight, test } from '../pages.ts';
import { choose, roomsOf } from './support.ts';

const LANGUAGE = LOCALES[0] ?? 'zh-CN';
const DAY = 86_400_000;
const words = (zh: string, en: string) => (LANGUAGE === 'zh-CN' ? zh : en);
const rowsOf = (page: Page, subject: string) => page.getByTestId('meeting-row').filter({ hasText: subject });
/** Whole days ahead, at 10:00 by the clock of this machine, which is the browser's and the rooms'. */
const ahead = (days: number) => `${new Date(Date.now() + days * DAY).toISOString().slice(0, 10)}T10:00:00.000Z`;

test('a rule is shown in words, meetings whose room is taken are skipped, the others are booked', async ({
  server,
  visit,
}) => {
  const [room] = await roomsOf(await server.api.as('admin'), 'House of series', ['Series room']);
  const bob = await server.api.as('bob');
  await bob.meetings.createNetwork({
    body: { subject: 'In the way', startTime: ahead(4), duration: 60, password: '4821', roomIds: [room?.id ?? ''] },
  });

  const query = new URLSearchParams({ book: '1', roomIds: room?.id ?? '', startTime: ahead(3), duration: '60' });
  const page = await visit('chair', '/', `/myMeeting?${query.toString()}`, { locale: LANGUAGE });
  await page.getByTestId('meeting-subject').fill('Morning series');
  await choose(page, 'meeting-repeat', words('每天', 'Every day'));
  await page.getByTestId('repeat-count').fill('4');
  await expect(page.getByTestId('repeat-sentence')).toHaveText(
    words('每天 10:00，共 4 次', 'Every day at 10:00, 4 times'),
  );
  await expect(page.getByTestId('repeat-occurrence')).toHaveCount(4);
  await expect(page.getByTestId('repeat-occurrence').nth(1)).toContainText('Bob');
  await looksRight(page, 'preview');
  await page.getByTestId('meeting-submit').click();
  // Nothing is booked while a room is occupied.
  await expect(
    page
      .locator('.form-field')
      .filter({ has: page.getByTestId('meeting-rooms') })
      .getByRole('alert'),
  ).toBeVisible();
  await page.getByTestId('repeat-leave-out-all').click();
  await expect(page.getByTestId('repeat-occurrence').nth(1)).toHaveAttribute('data-out', 'true');
  await page.getByTestId('meeting-submit').click();
  await expect(page.getByTestId('meeting-subject')).toHaveCount(0);
  const { records } = await (await server.api.as('chair')).meetings.list({ query: { keyword: 'Morning series' } });
  expect(records.map(({ startTime }) => startTime).toSorted()).toEqual([ahead(3), ahead(5), ahead(6)]);
});

test('a change applies to one meeting, to it and those after it, or to all; so does cancelling', async ({
  server,
  visit,
}) => {
  const carol = await server.api.as('carol');
  await carol.meetings.createNetwork({
    body: {
      subject: 'Choir',
      startTime: ahead(2),
      duration: 60,
      password: '4821',
      timeZone: 'UTC',
      recurrence: { rule: 'FREQ=DAILY;COUNT=4' },
    },
  });
  const page = await visit('carol', '/', '/myMeeting?scope=upcoming&q=Choir', { locale: LANGUAGE });
  await expect(rowsOf(page, 'Choir').getByTestId('badge-series')).toHaveCount(4);
  const change = async (at: number, subject: string, scope: string) => {
    await rowsOf(page, 'Choir').nth(at).getByTestId('meeting-edit').click();
    await page.getByTestId('meeting-subject').fill(subject);
    await page.getByTestId('meeting-submit').click();
    await page.getByTestId(`question-${scope}`).click();
    await looksRight(page, `asking for ${scope}`);
    await page.getByTestId('question-ok').click();
    await expect(page.getByTestId('meeting-subject')).toHaveCount(0);
  };
  await change(1, 'Choir, second', 'one');
  await expect(page.getByTestId('meeting-name')).toHaveText(['Choir', 'Choir, second', 'Choir', 'Choir']);
  await change(2, 'Choir, later', 'following');
  await expect(page.getByTestId('meeting-name')).toHaveText(['Choir', 'Choir, second', 'Choir, later', 'Choir, later']);

  const cancel = async (at: number, scope: string) => {
    await rowsOf(page, 'Choir').nth(at).getByTestId('meeting-cancel').click();
    await page.getByTestId(`question-${scope}`).click();
    await page.getByTestId('question-ok').click();
  };
  await cancel(0, 'one');
  await expect(page.getByTestId('meeting-name')).toHaveText(['Choir, second', 'Choir, later', 'Choir, later']);
  // The meetings after a change are a separate series since then.
  await cancel(1, 'all');
  await expect(page.getByTestId('meeting-name')).toHaveText(['Choir, second']);
});

test('cancelling the question changes nothing', { tag: '@more' }, async ({ server, visit }) => {
  const bob = await server.api.as('bob');
  await bob.meetings.createNetwork({
    body: {
      subject: 'Orchestra',
      startTime: ahead(2),
      duration: 60,
      password: '4821',
      recurrence: { rule: 'FREQ=WEEKLY;COUNT=3' },
    },
  });
  const page = await visit('bob', '/', '/myMeeting?scope=upcoming&q=Orchestra', { locale: LANGUAGE });
  await rowsOf(page, 'Orchestra').first().getByTestId('meeting-cancel').click();
  await page.getByTestId('question-cancel').click();
  await expect(page.getByTestId('question')).toHaveCount(0);
  await rowsOf(page, 'Orchestra').first().getByTestId('meeting-name').click();
  await expect(page.getByTestId('meeting-detail')).toContainText(words('共 3 次', '3 times'));
  expect((await (await server.api.as('bob')).meetings.list({ query: { keyword: 'Orchestra' } })).records).toHaveLength(
    3,
  );
});

/** A daily series of five; the second meeting was individually moved to noon, the third cancelled. */
async function seminarOf(api: Api, subject: string): Promise<void> {
  const body = { subject, duration: 60, password: '4821', timeZone: 'UTC' };
  await api.meetings.createNetwork({
    body: { ...body, startTime: ahead(3), recurrence: { rule: 'FREQ=DAILY;COUNT=5' } },
  });
  const { records } = await api.meetings.list({ query: { keyword: subject } });
  const [, second, third] = records;
  await api.meetings.update({
    params: { id: second?.meetId ?? '' },
    body: { ...body, startTime: ahead(4).replace('T10', 'T12'), version: second?.version ?? 0 },
  });
  await api.meetings.cancel({ params: { id: third?.meetId ?? '' }, query: {} });
}
/** Signs in again, which ends the page's session: only the newest session of an account is valid. */
const listOf = async (server: RunningServer, account: string, subject: string) =>
  (await (await server.api.as(account)).meetings.list({ query: { keyword: subject } })).records;
const startsOf = async (...of: Parameters<typeof listOf>) => (await listOf(...of)).map(({ startTime }) => startTime);
const fatesOf = (page: Page) =>
  page.getByTestId('repeat-occurrence').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-fate')));

test(
  'a new rule is chosen while the page shows what happens to each meeting',
  { tag: '@more' },
  async ({ server, visit }) => {
    await seminarOf(await server.api.as('alice'), 'Seminar of rules');
    const page = await visit('alice', '/', '/myMeeting?scope=upcoming&q=Seminar of rules', { locale: LANGUAGE });
    await rowsOf(page, 'Seminar of rules').first().getByTestId('meeting-edit').click();
    await choose(page, 'meeting-repeat', words('每两周', 'Every 2 weeks'));
    // All of them remain: none has been held yet.
    await expect(page.getByTestId('repeat-count')).toHaveValue('5');
    await expect(page.getByTestId('repeat-fates')).toHaveText(
      words('新增 4 场，不变 1 场，取消 3 场', '4 new, 1 unchanged, 3 cancelled'),
    );
    expect(await fatesOf(page)).toEqual(['stays', 'givenUp', 'givenUp', 'givenUp', 'made']);
    await choose(page, 'meeting-repeat', words('每天', 'Every day'));
    await page.getByTestId('repeat-count').fill('6');
    await expect(page.getByTestId('repeat-fates')).toHaveText(
      words('新增 1 场，改时间 1 场，不变 3 场', '1 new, 1 moved, 3 unchanged'),
    );
    expect(await fatesOf(page)).toEqual(['stays', 'moved', 'staysOut', 'stays', 'stays']);
    await looksRight(page, 'another rule');
    await page.getByTestId('meeting-submit').click();
    await expect(page.getByTestId('meeting-subject')).toHaveCount(0);
    expect(await startsOf(server, 'alice', 'Seminar of rules')).toEqual([3, 4, 6, 7, 8].map(ahead));
  },
);

test(
  'a rule can change from one meeting on, and an edit that does not touch it keeps it',
  { tag: '@more' },
  async ({ server, visit }) => {
    await (
      await server.api.as('chair')
    ).meetings.createNetwork({
      body: {
        subject: 'Seminar goes on',
        startTime: ahead(3),
        duration: 60,
        password: '4821',
        timeZone: 'UTC',
        recurrence: { rule: 'FREQ=DAILY;COUNT=4' },
      },
    });
    const page = await visit('chair', '/', '/myMeeting?scope=upcoming&q=Seminar goes on', { locale: LANGUAGE });
    await rowsOf(page, 'Seminar goes on').nth(2).getByTestId('meeting-edit').click();
    await choose(page, 'meeting-repeat', words('自定义', 'Custom'));
    await expect(page.getByTestId('repeat-count')).toHaveValue('2');
    await page.getByTestId('repeat-scope-all').click();
    await expect(page.getByTestId('repeat-count')).toHaveValue('4');
    await page.getByTestId('repeat-scope-following').click();
    await page.getByTestId('repeat-interval').fill('2');
    await expect(page.getByTestId('repeat-fates')).toHaveText(
      words('新增 1 场，不变 1 场，取消 1 场', '1 new, 1 unchanged, 1 cancelled'),
    );
    await page.getByTestId('meeting-submit').click();
    await expect(page.getByTestId('meeting-subject')).toHaveCount(0);
    // The choice is undone: the rule stays unchanged, and the user is asked which meetings are meant.
    await rowsOf(page, 'Seminar goes on').first().getByTestId('meeting-edit').click();
    await choose(page, 'meeting-repeat', words('每天', 'Every day'));
    await choose(page, 'meeting-repeat', words('保持不变', 'Keep the rule'));
    await page.getByTestId('meeting-submit').click();
    await page.getByTestId('question-ok').click();
    await expect(page.getByTestId('meeting-subject')).toHaveCount(0);
    expect(await startsOf(server, 'chair', 'Seminar goes on')).toEqual([3, 4, 5, 7].map(ahead));
  },
);

test('a single meeting becomes a series', { tag: '@more' }, async ({ server, visit }) => {
  const carol = await server.api.as('carol');
  const single = await carol.meetings.createNetwork({
    body: { subject: 'No longer alone', startTime: ahead(5), duration: 60, password: '4821', timeZone: 'UTC' },
  });
  const page = await visit('carol', '/', '/myMeeting?scope=upcoming&q=No longer alone', { locale: LANGUAGE });
  await rowsOf(page, 'No longer alone').getByTestId('meeting-edit').click();
  await choose(page, 'meeting-repeat', words('每天', 'Every day'));
  await page.getByTestId('repeat-count').fill('3');
  await expect(page.getByTestId('repeat-fates')).toHaveText(words('新增 2 场，不变 1 场', '2 new, 1 unchanged'));
  await looksRight(page, 'a meeting becomes a series');
  await page.getByTestId('meeting-submit').click();
  await expect(rowsOf(page, 'No longer alone').getByTestId('badge-series')).toHaveCount(3);
  expect(
    (await listOf(server, 'carol', 'No longer alone')).map(({ meetId, numericId }) => [
      meetId === single.meetId,
      numericId,
    ]),
  ).toEqual([true, false, false].map((isFirst) => [isFirst, single.numericId]));
});

test('moving a meeting of a series in the calendar asks which meetings to move', async ({ server, visit }) => {
  await (
    await server.api.as('bob')
  ).meetings.createNetwork({
    body: {
      subject: 'Series on the move',
      startTime: ahead(6),
      duration: 60,
      password: '4821',
      timeZone: 'UTC',
      recurrence: { rule: 'FREQ=DAILY;COUNT=3' },
    },
  });
  const page = await visit('bob', '/', `/myMeeting?view=day&date=${ahead(7).slice(0, 10)}&q=Series on the move`, {
    locale: LANGUAGE,
    size: { width: 1440, height: 900 },
  });
  const entry = page.getByTestId('calendar-entry').filter({ hasText: 'Series on the move' });
  const moveBy = async (quarters: number) => {
    await entry.focus();
    await page.keyboard.press('m');
    for (let moved = 0; moved < quarters; moved += 1) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
  };
  await moveBy(2);
  await expect(page.getByTestId('question')).toBeVisible();
  await expect(entry).toContainText('10:30–11:30');
  await looksRight(page, 'which are to move');
  await page.getByTestId('question-cancel').click();
  await expect(entry).toContainText('10:00–11:00');
  await moveBy(2);
  await page.getByTestId('question-following').click();
  await page.getByTestId('question-ok').click();
  await expect(page.getByTestId('toast-success')).toContainText('Series on the move');
  // Individual times of other meetings would not be restored.
  await expect(page.getByTestId('toast-action')).toHaveCount(0);
  await expect(entry).toContainText('10:30–11:30');
  await moveBy(4);
  await page.getByTestId('question-ok').click();
  await expect(page.getByTestId('toast-action')).toBeVisible();
  expect((await startsOf(server, 'bob', 'Series on the move')).map((start) => start.slice(11, 16))).toEqual([
    '10:00',
    '11:30',
    '10:30',
  ]);
});
