import type { Page } from '@playwright/test';
import { expect, LOCALES, looksRight, test } from '../pages.ts';
import { choose, roomsOf } from './support.ts';

const LANGUAGE = LOCALES[0] ?? 'zh-CN';
const DAY = 86_400_000;
const words = (zh: string, en: string) => (LANGUAGE === 'zh-CN' ? zh : en);
const rowsOf = (page: Page, subject: string) => page.getByTestId('meeting-row').filter({ hasText: subject });
/** Whole days ahead, at ten by the clock of this machine, which is the browser's and the rooms'. */
const ahead = (days: number) => `${new Date(Date.now() + days * DAY).toISOString().slice(0, 10)}T10:00:00.000Z`;

test('a rule is told in words, meetings whose room is taken are left out, the others are booked', async ({ server, visit }) => {
  const [room] = await roomsOf(await server.api.as('admin'), 'House of series', ['Series room']);
  const bob = await server.api.as('bob');
  await bob.meetings.createNetwork({ body: { subject: 'In the way', startTime: ahead(4), duration: 60, password: '4821', roomIds: [room?.id ?? ''] } });

  const query = new URLSearchParams({ book: '1', roomIds: room?.id ?? '', startTime: ahead(3), duration: '60' });
  const page = await visit('chair', '/', `/myMeeting?${query.toString()}`, { locale: LANGUAGE });
  await page.getByTestId('meeting-subject').fill('Morning series');
  await choose(page, 'meeting-repeat', words('每天', 'Every day'));
  await page.getByTestId('repeat-count').fill('4');
  await expect(page.getByTestId('repeat-sentence')).toHaveText(words('每天 10:00，共 4 次', 'Every day at 10:00, 4 times'));
  await expect(page.getByTestId('repeat-occurrence')).toHaveCount(4);
  await expect(page.getByTestId('repeat-occurrence').nth(1)).toContainText('Bob');
  await looksRight(page, 'preview');
  await page.getByTestId('meeting-submit').click();
  // Nothing is booked while a room is taken.
  await expect(page.locator('.form-field').filter({ has: page.getByTestId('meeting-rooms') }).getByRole('alert')).toBeVisible();
  await page.getByTestId('repeat-leave-out-all').click();
  await expect(page.getByTestId('repeat-occurrence').nth(1)).toHaveAttribute('data-out', 'true');
  await page.getByTestId('meeting-submit').click();
  await expect(page.getByTestId('meeting-subject')).toHaveCount(0);
  const { records } = await (await server.api.as('chair')).meetings.list({ query: { keyword: 'Morning series' } });
  expect(records.map(({ startTime }) => startTime).toSorted()).toEqual([ahead(3), ahead(5), ahead(6)]);
});

test('a change is for one meeting, for it and those after it, or for all; so is cancelling', async ({ server, visit }) => {
  const carol = await server.api.as('carol');
  await carol.meetings.createNetwork({ body: { subject: 'Choir', startTime: ahead(2), duration: 60, password: '4821', timeZone: 'UTC', recurrence: { rule: 'FREQ=DAILY;COUNT=4' } } });
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
  // What follows a change is a series of its own since then.
  await cancel(1, 'all');
  await expect(page.getByTestId('meeting-name')).toHaveText(['Choir, second']);
});

test('thinking better of it changes nothing', async ({ server, visit }) => {
  const bob = await server.api.as('bob');
  await bob.meetings.createNetwork({ body: { subject: 'Orchestra', startTime: ahead(2), duration: 60, password: '4821', recurrence: { rule: 'FREQ=WEEKLY;COUNT=3' } } });
  const page = await visit('bob', '/', '/myMeeting?scope=upcoming&q=Orchestra', { locale: LANGUAGE });
  await rowsOf(page, 'Orchestra').first().getByTestId('meeting-cancel').click();
  await page.getByTestId('question-cancel').click();
  await expect(page.getByTestId('question')).toHaveCount(0);
  await rowsOf(page, 'Orchestra').first().getByTestId('meeting-name').click();
  await expect(page.getByTestId('meeting-detail')).toContainText(words('共 3 次', '3 times'));
  expect((await (await server.api.as('bob')).meetings.list({ query: { keyword: 'Orchestra' } })).records).toHaveLength(3);
});
