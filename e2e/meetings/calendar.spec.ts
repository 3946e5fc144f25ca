import type { Meeting } from '@rmeet/contract';
import { expect, LOCALES, LOOKS, looksRight, test } from '../pages.ts';
import type { Api } from '@rmeet/testkit';
import type { Locator, Page } from '@playwright/test';

const LANGUAGE = LOCALES[0] ?? 'zh-CN';
const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const HOUR = 3_600_000;

/** A day some days ahead, at an hour of this machine's clock, which is also the browser's. */
function ahead(days: number, hour: number, minute = 0): Date {
  const day = new Date();
  day.setDate(day.getDate() + days);
  day.setHours(hour, minute, 0, 0);
  return day;
}

function dayOf(time: Date): string {
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}

async function book(api: Api, subject: string, start: Date, duration = 60): Promise<Meeting> {
  return api.meetings.createNetwork({ body: { subject, startTime: start.toISOString(), duration, password: '4821' } });
}

const entryOf = (page: Page, subject: string): Locator =>
  page.getByTestId('calendar-entry').filter({ hasText: subject });

/** Drags an element by mouse from one of its points, by this number of pixels. */
async function drag(page: Page, from: Locator, by: { x?: number; y?: number }, isEdge = false): Promise<void> {
  await from.scrollIntoViewIfNeeded();
  const box = await from.boundingBox();
  if (!box) throw new Error('nothing to drag');
  const [x, y] = [box.x + box.width / 2, isEdge ? box.y + box.height - 3 : box.y + 8];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + (by.x ?? 0) / 2, y + (by.y ?? 0) / 2, { steps: 4 });
  await page.mouse.move(x + (by.x ?? 0), y + (by.y ?? 0), { steps: 4 });
  await page.mouse.up();
}

/** Height of half an hour in pixels. */
const ROW = 24;

test('a meeting is dragged to another time, extended, and put back', async ({ server, visit }) => {
  const start = ahead(2, 10);
  const { meetId } = await book(await server.api.as('alice'), 'Drag me', start);
  const page = await visit('alice', '/', `/myMeeting?view=day&date=${dayOf(start)}`, { locale: LANGUAGE, size: WIDE });
  const entry = entryOf(page, 'Drag me');

  await drag(page, entry, { y: 3 * ROW });
  await expect(entry).toContainText('11:30–12:30');
  await expect(page.getByTestId('toast-success')).toContainText('Drag me');
  await drag(page, entry, { y: ROW / 2 }, true);
  await expect(entry).toContainText('11:30–12:45');
  // Undoes the newest move: the duration is as before.
  await page.getByTestId('toast-action').click();
  await expect(entry).toContainText('11:30–12:30');
  // A drag does not count as a click.
  await expect(page.getByTestId('meeting-detail')).toHaveCount(0);
  await entry.click();
  await expect(page.getByTestId('meeting-detail')).toBeVisible();
  // The page shows it before the server has accepted it. Queried as another user: signing in as alice would end the
  // page's session.
  const admin = await server.api.as('admin');
  const stored = () => admin.meetings.detail({ params: { id: meetId } });
  await expect
    .poll(stored)
    .toMatchObject({ startTime: new Date(start.getTime() + 1.5 * HOUR).toISOString(), duration: 60, password: '4821' });
});

test('a move that the server refuses is undone with the reason', { tag: '@more' }, async ({ server, visit }) => {
  const admin = await server.api.as('admin');
  const building = await admin.rooms.createBuilding({ body: { name: 'Calendar house', timeZone: 'UTC' } });
  const room = await admin.rooms.create({
    body: { name: 'Calendar hall', buildingId: building.id, floor: '1', capacity: 8 },
  });
  const start = ahead(3, 10);
  const body = { duration: 60, password: '4821', roomIds: [room.id] };
  const chair = await server.api.as('chair');
  await chair.meetings.createNetwork({
    body: { ...body, subject: 'In the way', startTime: ahead(3, 11).toISOString() },
  });
  const bob = await server.api.as('bob');
  await bob.meetings.createNetwork({ body: { ...body, subject: 'Not here', startTime: start.toISOString() } });
  const page = await visit('bob', '/', `/myMeeting?view=day&date=${dayOf(start)}`, { locale: LANGUAGE, size: WIDE });
  await drag(page, entryOf(page, 'Not here'), { y: ROW });
  await expect(page.getByTestId('toast-error')).toContainText('Calendar hall');
  await expect(entryOf(page, 'Not here')).toContainText('10:00–11:00');
});

test('free time is booked by a click, or by dragging over it', async ({ visit }) => {
  const start = ahead(4, 9);
  const page = await visit('carol', '/', `/myMeeting?view=day&date=${dayOf(start)}`, { locale: LANGUAGE, size: WIDE });
  const day = page.getByTestId('calendar-day');
  const box = await day.boundingBox();
  if (!box) throw new Error('no day');
  const nine = { x: box.x + box.width - 20, y: box.y + 18 * ROW + 6 };
  await page.mouse.click(nine.x, nine.y);
  await expect(page.getByTestId('meeting-duration')).toHaveValue('60');
  await page.getByTestId('meeting-dismiss').click();
  await expect(page.getByTestId('meeting-duration')).toHaveCount(0);

  await page.mouse.move(nine.x, nine.y);
  await page.mouse.down();
  await page.mouse.move(nine.x, nine.y + 3 * ROW, { steps: 6 });
  await page.mouse.up();
  await expect(page.getByTestId('meeting-duration')).toHaveValue('105');
  await page.getByTestId('meeting-subject').fill('Drawn');
  await page.getByTestId('meeting-submit').click();
  // The calendar stays at the meeting.
  await expect(entryOf(page, 'Drawn')).toContainText('09:00–10:45');
});

test('everything works by keyboard: select a meeting, move it, undo that, book', async ({ server, visit }) => {
  const start = ahead(5, 14);
  const { meetId } = await book(await server.api.as('alice'), 'By keys', start);
  const page = await visit('alice', '/', `/myMeeting?view=day&date=${dayOf(start)}`, { locale: LANGUAGE, size: WIDE });
  const entry = entryOf(page, 'By keys');
  await entry.waitFor();
  await page.getByTestId('calendar-slot').focus();
  // One half hour per press, from 8:00 to the meeting at 14:00.
  for (let presses = 0; presses < 12; presses += 1) await page.keyboard.press('ArrowDown');
  await expect(entry).toBeFocused();
  await page.keyboard.press('m');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(page.getByTestId('calendar-announced')).toContainText('14:15–15:30');
  await page.keyboard.press('Escape');
  await expect(entry).toContainText('14:00–15:00');
  await page.keyboard.press('m');
  await page.keyboard.press('ArrowUp');
  // Beyond the visible range: the calendar follows.
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(new RegExp(dayOf(ahead(6, 14))));
  await expect(entry).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('toast-success')).toContainText('By keys');
  expect(await (await server.api.as('alice')).meetings.detail({ params: { id: meetId } })).toMatchObject({
    startTime: ahead(6, 13, 45).toISOString(),
  });
});

test('the month moves meetings by days, and hides those that do not fit behind a number', async ({ server, visit }) => {
  // A Wednesday of the next month, so that the next day is beside it.
  const day = ahead(0, 8);
  day.setMonth(day.getMonth() + 1, 6);
  day.setDate(6 + ((10 - day.getDay()) % 7));
  const chair = await server.api.as('chair');
  for (const [index, name] of ['one', 'two', 'three', 'four', 'five'].entries())
    await book(chair, `Month ${name}`, new Date(day.getTime() + index * HOUR), 30);
  const page = await visit('chair', '/', `/myMeeting?view=month&date=${dayOf(day)}&q=Month`, {
    locale: LANGUAGE,
    size: WIDE,
  });
  const cell = page.locator(`[data-testid="calendar-day"][data-day="${dayOf(day)}"]`);
  await expect(cell.getByTestId('calendar-entry')).toHaveCount(3);
  await expect(cell.getByTestId('calendar-more')).toContainText('2');
  const next = dayOf(new Date(day.getTime() + 24 * HOUR));
  const [from, to] = await Promise.all([
    entryOf(page, 'Month one').boundingBox(),
    page.locator(`[data-testid="calendar-day"][data-day="${next}"]`).boundingBox(),
  ]);
  if (!from || !to) throw new Error('nothing to drag');
  await drag(page, entryOf(page, 'Month one'), { x: to.x - from.x + 20, y: to.y - from.y + 40 });
  await expect(
    page.locator(`[data-testid="calendar-day"][data-day="${next}"]`).getByTestId('calendar-entry'),
  ).toContainText('08:00');
  await expect(cell.getByTestId('calendar-entry')).toHaveCount(4);
});

test(
  'meetings of others cannot move, span midnight on both days, and show when they run',
  { tag: '@more' },
  async ({ server, visit }) => {
    const start = ahead(9, 23);
    const [bob, carol] = [await server.api.as('bob'), await server.api.as('carol')];
    const { userId } = (
      await carol.meetings.createNetwork({
        body: { subject: 'Whose', startTime: start.toISOString(), duration: 30, password: '4821' },
      })
    ).host;
    await bob.meetings.createNetwork({
      body: {
        subject: 'Over night',
        startTime: start.toISOString(),
        duration: 120,
        password: '4821',
        participants: [{ kind: 'user', userId }],
      },
    });
    const page = await visit('carol', '/', `/myMeeting?view=week&date=${dayOf(start)}`, {
      locale: LANGUAGE,
      size: WIDE,
    });
    const entry = entryOf(page, 'Over night').first();
    await expect(entry).toHaveAttribute('data-movable', 'false');
    await drag(page, entry, { y: -4 * ROW });
    await expect(page.getByTestId('toast-success')).toHaveCount(0);
    const after = dayOf(ahead(10, 0));
    await page.goto(page.url().replace('view=week', 'view=day').replace(dayOf(start), after));
    await expect(entryOf(page, 'Over night')).toBeVisible();

    // A running meeting is announced by push.
    const runs = await bob.meetings.createNetwork({
      body: {
        subject: 'Runs soon',
        startTime: new Date(Date.now() + 60_000).toISOString(),
        duration: 60,
        password: '4821',
        participants: [{ kind: 'user', userId }],
      },
    });
    await page.getByTestId('calendar-today').click();
    await entryOf(page, 'Runs soon').first().waitFor();
    await bob.meetings.start({ params: { id: runs.meetId }, body: { early: true } });
    await expect(entryOf(page, 'Runs soon').first()).toHaveAttribute('data-status', 'ONLINE');
  },
);

for (const locale of LOOKS) {
  test(`the calendar looks right in ${locale}`, async ({ server, visit }) => {
    const chair = await server.api.as('chair');
    const start = ahead(11, 9);
    const subject = `Looks ${locale}`;
    for (const [index, length] of [30, 60, 15, 600].entries())
      await book(
        chair,
        `${subject} ${index} ${'Verylongname'.repeat(4)}`,
        new Date(start.getTime() + index * 600_000),
        length,
      );
    for (const view of ['day', 'week', 'month']) {
      const page = await visit(
        'chair',
        '/',
        `/myMeeting?view=${view}&date=${dayOf(start)}&q=${encodeURIComponent(subject)}`,
        { locale, size: WIDE },
      );
      await page.getByTestId('calendar-entry').first().waitFor();
      await looksRight(page, `${view} ${locale}`);
    }
    for (const view of ['day', 'month']) {
      const page = await visit(
        'chair',
        '/',
        `/myMeeting?view=${view}&date=${dayOf(start)}&q=${encodeURIComponent(subject)}`,
        { locale, size: PHONE },
      );
      await page.getByTestId('calendar-entry').first().waitFor();
      await looksRight(page, `${view} ${locale} phone`);
    }
    const empty = await visit('chair', '/', `/myMeeting?view=week&date=${dayOf(start)}&q=nothingatall`, {
      locale,
      size: WIDE,
    });
    await expect(empty.getByTestId('calendar-note')).not.toBeEmpty();
    await looksRight(empty, `empty ${locale}`);
  });
}
