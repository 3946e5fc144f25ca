import { EARLY_JOIN_MINUTES, type BookingBody } from '@rmeet/contract';
import { newUser } from '../auth/support.ts';
import { expect, LOCALES, LONG_NAME, LOOKS, looksRight, test } from '../pages.ts';
import { bookMeeting } from '../support.ts';
import { countEffort, mayBook, roomsOf } from './support.ts';

const LANGUAGE = LOCALES[0] ?? 'zh-CN';
const DAY = 86_400_000;
const MINUTE = 60_000;
const words = (zh: string, en: string) => (LANGUAGE === 'zh-CN' ? zh : en);
/** Whole days ahead, at 10:00 by the clock of this machine, which is the browser's. */
const ahead = (days: number) => `${new Date(Date.now() + days * DAY).toISOString().slice(0, 10)}T10:00:00.000Z`;
const booking = (subject: string, startTime: string): BookingBody => ({
  subject,
  startTime,
  duration: 30,
  password: '4821',
});

test('one click on the next meeting leads its host to the join card, and one more joins', async ({ server, visit }) => {
  await newUser(server, 'early-bird');
  const host = await server.api.as('early-bird');
  await bookMeeting(host, 'Later on', { minutesFromNow: 3 * 24 * 60 });
  await bookMeeting(host, 'Comes first', { minutesFromNow: 5 });
  const page = await visit('early-bird', '/', '/myMeeting', { locale: LANGUAGE });
  const card = page.getByTestId('next-meeting');
  await expect(card).toContainText('Comes first');
  const effort = await countEffort(page);
  await card.getByTestId('meeting-start').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Comes first');
  expect(await effort()).toEqual({ clicks: 1, fields: 0 });
  await page.getByTestId('join-submit').click();
  await page.getByTestId('toolbar-leave').waitFor();

  // Running, it is joined, and has a desk; the gear and the play mark are gone from my meetings.
  await page.goto(`${server.url}/#/myMeeting`);
  await expect(card.getByTestId('meeting-join')).toHaveText(words('入会', 'Join'));
  await expect(card.getByTestId('meeting-desk')).toHaveText(words('会控台', 'Control desk'));
});

test('others join when they may, and before that see from when', async ({ server, visit }) => {
  const { id } = await newUser(server, 'punctual');
  const participants = [{ kind: 'user' as const, userId: id }];
  const chair = await server.api.as('chair');
  const { startTime } = await bookMeeting(chair, 'Not yet', { minutesFromNow: 120, participants });
  const page = await visit('punctual', '/', '/myMeeting', { locale: LANGUAGE });
  const card = page.getByTestId('next-meeting');
  const opens = new Date(Date.parse(startTime) - EARLY_JOIN_MINUTES * MINUTE).toISOString().slice(11, 16);
  await expect(card.getByTestId('next-later')).toContainText(opens);
  await expect(page.getByTestId('meeting-join')).toHaveCount(0);

  await bookMeeting(chair, 'Soon', { minutesFromNow: 5, participants });
  await expect(card).toContainText('Soon');
  await card.getByTestId('meeting-join').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Soon');
});

test('a series is one row that opens to its later meetings; the table is one click away', async ({ server, visit }) => {
  await newUser(server, 'weekly');
  const host = await server.api.as('weekly');
  await host.meetings.createNetwork({
    body: { ...booking('Stand-up', ahead(1)), recurrence: { rule: 'FREQ=DAILY;COUNT=4' } },
  });
  await host.meetings.createNetwork({ body: booking('Just once', ahead(2)) });
  const page = await visit('weekly', '/', '/myMeeting', { locale: LANGUAGE });
  const rows = page.getByTestId('meeting-row');
  await expect(rows).toHaveCount(2);
  await expect(page.getByTestId('agenda-day').first()).toContainText(words('今天', 'Today'));
  await expect(page.getByTestId('agenda-day').nth(1)).toContainText(words('明天', 'Tomorrow'));
  await page.getByTestId('series-terms').click();
  await expect(page.getByTestId('series-term')).toHaveCount(3);
  await page.getByTestId('series-term').last().click();
  await expect(page.getByTestId('meeting-detail')).toContainText(ahead(4).slice(0, 10));

  await page.goto(`${server.url}/#/myMeeting`);
  await page.getByTestId('view-list').click();
  await expect(page).toHaveURL(/view=list/);
  await page.getByTestId('scope-upcoming').click();
  await expect(rows).toHaveCount(5);
  for (const [zh, en] of [
    ['序号', 'No.'],
    ['会议类型', 'Type'],
    ['会议名称', 'Name'],
    ['会议号', 'Number'],
    ['会议密码', 'Password'],
    ['开始时间', 'Start'],
    ['会议时长', 'Duration'],
    ['会议室', 'Room'],
  ] as const)
    await expect(page.getByRole('columnheader', { name: words(zh, en) }).first()).toBeVisible();
  await page.getByTestId('scope-today').click();
  // Without any filter the table stays, after a reload, too.
  await page.reload();
  await expect(page.getByTestId('scope-today')).toBeVisible();
  await page.getByTestId('view-agenda').click();
  await expect(rows).toHaveCount(2);
});

test('the card of the next meeting checks in to its room', async ({ server, visit }) => {
  const [room] = await roomsOf(await server.api.as('admin'), 'House of the card', ['Card room']);
  await newUser(server, 'roomy');
  await mayBook(server, 'roomy', ['sys:local']);
  const host = await server.api.as('roomy');
  const local = (subject: string, startTime: string) =>
    host.meetings.createLocal({ body: { subject, startTime, duration: 30, roomIds: [room?.id ?? ''] } });
  await local('At the table tomorrow', ahead(1));
  const page = await visit('roomy', '/', '/myMeeting', { locale: LANGUAGE });
  await expect(page.getByTestId('room-check-in-from')).toHaveText(
    words('明天 09:45 起可签到', 'Check-in opens tomorrow, 09:45'),
  );
  const { meetId } = await local('At the table', new Date().toISOString());
  await page.getByTestId('next-meeting').getByTestId('room-check-in').click();
  await expect(page.getByTestId('next-meeting')).toContainText(words('已签到', 'Checked in'));
  const { rooms } = await host.meetings.detail({ params: { id: meetId } });
  expect(rooms).toMatchObject([{ checkedIn: true }]);
});

test('my meetings are fetched once, not again at rest, and after a failure on request', async ({ server, visit }) => {
  await newUser(server, 'restful');
  const page = await visit('restful', '/', '/userInfo', { locale: LANGUAGE });
  let fails = true;
  const asked: string[] = [];
  await page.route('**/meetings/list?**', (route) => {
    asked.push(route.request().url());
    return fails
      ? route.fulfill({ status: 400, json: { status: 400, data: null, statusCode: 'X' } })
      : route.continue();
  });
  await page.goto(`${server.url}/#/myMeeting`);
  await page.getByTestId('state-error').waitFor();
  fails = false;
  asked.length = 0;
  // In virtual time the answer to a ping comes too late: push connects again, and the list is fetched after that.
  let sockets = 0;
  page.on('websocket', () => (sockets += 1));
  await page.clock.install();
  await page.getByTestId('state-retry').click();
  await expect(page.getByTestId('state-empty')).toContainText(words('接下来没有会议', 'No meetings ahead'));
  await page.clock.runFor(60_000);
  expect(asked.length).toBeLessThanOrEqual(2 + sockets);
});

for (const locale of LOOKS) {
  for (const size of [
    { width: 1440, height: 900 },
    { width: 1024, height: 768 },
    { width: 390, height: 844 },
  ]) {
    test(`the agenda looks right in ${locale}, ${size.width} wide: empty, long names, forty a day`, async ({
      server,
      visit,
    }) => {
      const name = `looks-${locale}-${size.width}`.toLowerCase();
      const { id } = await newUser(server, name);
      const page = await visit(name, '/', '/myMeeting', { locale, size });
      await page.getByTestId('state-empty').waitFor();
      await looksRight(page, 'agenda empty');
      const participants = [{ kind: 'user' as const, userId: id }];
      const chair = await server.api.as('chair');
      const host = await server.api.as(name);
      await bookMeeting(host, `Now ${LONG_NAME}`, { minutesFromNow: 5, participants });
      for (let at = 0; at < 40; at += 1)
        await chair.meetings.createNetwork({
          body: { ...booking(at === 3 ? LONG_NAME : `Ward round ${at}`, ahead(1)), participants },
        });
      await chair.meetings.createNetwork({
        body: { ...booking('Stand-up', ahead(2)), participants, recurrence: { rule: 'FREQ=WEEKLY;COUNT=9' } },
      });
      await page.reload();
      await page.getByTestId('series-terms').click();
      await expect(page.getByTestId('meeting-row')).toHaveCount(42);
      await looksRight(page, 'agenda full');
      await page.getByTestId('meeting-more').first().click();
      await looksRight(page, 'agenda menu');
      await page.keyboard.press('Escape');
      await page.getByTestId('view-list').click();
      await page.getByTestId('password-show').first().waitFor();
      await looksRight(page, 'table');
    });
  }
}
