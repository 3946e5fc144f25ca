import type { Page } from '@playwright/test';
import type { Room } from '@rmeet/contract';
import type { RunningServer } from '@rmeet/testkit';
import { expect, failing, LOCALES, LOOKS, LONG_NAME, looksRight, tabTo, test, tryAgain } from '../pages.ts';

/** Hours ahead of the browser's clock, so that a time zone error becomes visible. */
const ZONE = 'Asia/Shanghai';
const locale = LOCALES[0] ?? 'zh-CN';
/** A day beyond every scenario's clock, in the building's calendar. */
function dayAhead(days: number): string {
  return new Intl.DateTimeFormat('sv', { timeZone: ZONE }).format(Date.now() + days * 86_400_000);
}

/**
 * A separate room for a scenario, in a building of its own. It is open at any time, so that the board shows 8:00 to
 * 20:00.
 */
async function addRoom(
  server: RunningServer,
  name: string,
  part: Partial<Pick<Room, 'floor' | 'equipment' | 'opening' | 'note'>> = {},
): Promise<Room> {
  const admin = await server.api.as('admin');
  const building = await admin.rooms.createBuilding({ body: { name: `${name} house`, timeZone: ZONE } });
  return admin.rooms.create({
    body: { name, buildingId: building.id, floor: '3', capacity: 12, equipment: ['display', 'camera'], ...part },
  });
}

const boardOf = ({ building }: Room, day: string) => `/occupyRoom?building=${building.id}&day=${day}`;
const rowOf = (page: Page, name: string) => page.getByTestId('occupy-room').filter({ hasText: name });

/** The position of a time of day on a room's timeline, in page pixels, once its free time is loaded. */
async function pointAt(page: Page, name: string, hour: number): Promise<{ x: number; y: number }> {
  await rowOf(page, name).locator('[data-loading="false"]').waitFor();
  const box = await rowOf(page, name).getByTestId('occupy-track').boundingBox();
  if (!box) throw new Error('the time line is not there');
  return { x: box.x + (box.width * (hour - 8)) / 12, y: box.y + box.height / 2 };
}

test('a room is booked from the board by two clicks, and others see its holder at once', async ({ server, visit }) => {
  const room = await addRoom(server, 'Library');
  const day = dayAhead(3);
  const bob = await visit('bob', '/', boardOf(room, day), { locale });
  await rowOf(bob, 'Library').getByTestId('occupy-track').waitFor();
  const page = await visit('alice', '/', boardOf(room, day), { locale });
  await rowOf(page, 'Library').getByTestId('occupy-track').waitFor();
  await expect(page.getByTestId('occupy-zone')).toContainText('GMT+8');

  let clicks = 0;
  const { x, y } = await pointAt(page, 'Library', 10.2);
  await page.mouse.click(x, y);
  clicks += 1;
  // 10:00 there is filled in, and the URL no longer contains it.
  await expect(page.getByTestId('meeting-rooms')).toContainText('Library');
  await expect(page.getByTestId('meeting-duration')).toHaveValue('30');
  await expect(page).toHaveURL(/occupyRoom\?.*edit=new$/);
  await expect(page).not.toHaveURL(/roomIds/);
  await page.getByTestId('meeting-subject').fill('Round in the library');
  await page.getByTestId('meeting-submit').click();
  clicks += 1;
  expect(clicks).toBeLessThanOrEqual(2);
  // The board stays, with the meeting on it; the meeting opens beside it.
  await rowOf(page, 'Library')
    .getByTestId('occupy-booking')
    .filter({ hasText: 'Round in the library' })
    .getByRole('button')
    .click();
  await expect(page.getByTestId('meeting-detail')).toContainText('Round in the library');
  await expect(page).toHaveURL(new RegExp(`occupyRoom\\?.*day=${day}.*open=`));

  const alice = await server.api.as('alice');
  const {
    records: [meeting],
  } = await alice.meetings.list({ query: { keyword: 'Round in the library' } });
  if (!meeting) throw new Error('the meeting is not listed');
  expect(meeting.startTime).toBe(new Date(`${day}T10:00:00+08:00`).toISOString());
  expect(meeting.rooms).toMatchObject([{ id: room.id, name: 'Library', floor: '3' }]);

  // Bob's board updates by itself: it shows the host, but not the subject.
  const booking = rowOf(bob, 'Library').getByTestId('occupy-booking');
  await expect(booking).toContainText(meeting.host.name);
  await expect(booking).not.toContainText('Round in the library');
  await expect(booking.getByRole('button')).toHaveCount(0);
  // A click on a booking does not book anything.
  const there = await pointAt(bob, 'Library', 10.2);
  await bob.mouse.click(there.x, there.y);
  await expect(bob).toHaveURL(/occupyRoom/);

  // Tries to book the same time: the form immediately shows whose booking it is, and the server rejects it at the
  // field.
  await bob.goto(`${server.url}/#/myMeeting?book=1&roomIds=${room.id}&startTime=${meeting.startTime}&duration=30`);
  const field = bob.locator('.form-field').filter({ has: bob.getByTestId('meeting-rooms') });
  await expect(field.getByRole('alert')).toContainText(meeting.host.name);
  await bob.getByTestId('meeting-subject').fill('Mine too');
  await bob.getByTestId('meeting-submit').click();
  await expect(field.getByRole('alert')).toContainText(meeting.host.name);
  await expect(field.locator('[aria-invalid="true"]').first()).toBeFocused();
  expect((await (await server.api.as('bob')).meetings.list({ query: { keyword: 'Mine too' } })).total).toBe(0);
});

test(
  'a longer time is dragged, and an own meeting opens from the board',
  { tag: '@more' },
  async ({ server, visit }) => {
    const room = await addRoom(server, 'Studio');
    const page = await visit('carol', '/', boardOf(room, dayAhead(4)), { locale });
    await rowOf(page, 'Studio').getByTestId('occupy-track').waitFor();
    const from = await pointAt(page, 'Studio', 13.1);
    const until = await pointAt(page, 'Studio', 15.4);
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(until.x, until.y, { steps: 5 });
    await page.mouse.up();
    await expect(page.getByTestId('meeting-duration')).toHaveValue('150');
    await page.getByTestId('meeting-subject').fill('Studio recording');
    await page.getByTestId('meeting-submit').click();
    await rowOf(page, 'Studio').getByTestId('occupy-booking').getByRole('button').click();
    await expect(page.getByTestId('meeting-detail')).toContainText('Studio recording');
    await expect(page.getByTestId('detail-room')).toContainText('Studio');
    await expect(page.getByTestId('invitation-text')).toContainText('Studio house');
  },
);

test('a room is booked by keyboard alone, and each place says room, time and state', async ({ server, visit }) => {
  const room = await addRoom(server, 'Silent room');
  const day = dayAhead(5);
  const chair = await server.api.as('chair');
  const { host } = await chair.meetings.createNetwork({
    body: { subject: 'Before', startTime: `${day}T09:00:00+08:00`, duration: 30, password: '4821', roomIds: [room.id] },
  });
  const page = await visit('alice', '/', boardOf(room, day), { locale });
  const place = rowOf(page, 'Silent room').getByTestId('occupy-track');
  await expect(rowOf(page, 'Silent room').getByTestId('occupy-booking')).toHaveCount(1);
  await tabTo(page, 'occupy-track');
  await expect(place).toBeFocused();
  await expect(place).toHaveAttribute('aria-label', /Silent room/);
  await expect(place).toHaveAttribute('aria-valuetext', /08:00–08:30/);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(place).toHaveAttribute('aria-valuetext', new RegExp(`09:00–09:30.*${host.name}`));
  // Enter on a booking of another user does nothing.
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+ArrowRight');
  await expect(place).toHaveAttribute('aria-valuetext', /09:30–10:30/);
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('meeting-subject')).toBeFocused();
  await page.keyboard.type('Quiet hour');
  await expect(page.getByTestId('meeting-duration')).toHaveValue('60');
  await tabTo(page, 'meeting-submit');
  await page.keyboard.press('Enter');
  await expect(rowOf(page, 'Silent room').getByTestId('occupy-booking').filter({ hasText: 'Quiet hour' })).toHaveCount(
    1,
  );
});

test('past times look past, and not taken', { tag: '@more' }, async ({ server, visit }) => {
  const room = await addRoom(server, 'Old room');
  const day = dayAhead(9);
  await (
    await server.api.as('chair')
  ).meetings.createNetwork({
    body: { subject: 'Early', startTime: `${day}T09:00:00+08:00`, duration: 30, password: '4821', roomIds: [room.id] },
  });
  const page = await visit('bob', '/', '/myMeeting', { locale });
  await page.clock.setFixedTime(`${day}T12:00:00+08:00`);
  await page.goto(`${server.url}/#${boardOf(room, day)}`);
  const row = rowOf(page, 'Old room');
  await expect(row.getByTestId('occupy-booking')).toHaveAttribute('data-past', 'true');
  const looks = (selector: string) =>
    page.evaluate<string>(
      '(({ backgroundImage, backgroundColor }) => backgroundImage + ' +
        `backgroundColor)(getComputedStyle(document.querySelector('${selector}')))`,
    );
  const past = await looks('.occupy-past.occupy-shade');
  expect(past).toBe(await looks('.occupy-legend .occupy-past'));
  for (const other of ['taken', 'closed', 'free'])
    expect(past, other).not.toBe(await looks(`.occupy-legend .occupy-${other}`));
  // Past time is not offered to anyone.
  const morning = await pointAt(page, 'Old room', 10.2);
  await page.mouse.click(morning.x, morning.y);
  await expect(row.getByTestId('occupy-track')).toBeFocused();
  await expect(page.getByTestId('booking')).toHaveCount(0);
});

test('day, floor and filters are in the address', { tag: '@more' }, async ({ server, visit }) => {
  const room = await addRoom(server, 'Attic', { floor: '9' });
  const page = await visit('bob', '/', boardOf(room, dayAhead(1)), { locale });
  await rowOf(page, 'Attic').waitFor();
  await page.getByTestId('occupy-next').click();
  await expect(page).toHaveURL(new RegExp(`day=${dayAhead(2)}`));
  await page.getByTestId('occupy-floor').selectOption('9');
  await page.getByTestId('occupy-seats').selectOption('12');
  await page.reload();
  await rowOf(page, 'Attic').waitFor();
  await expect(page.getByTestId('occupy-seats')).toHaveValue('12');
  await page.getByTestId('occupy-seats').selectOption('20');
  await page.getByTestId('state-empty').waitFor();
  await page.getByTestId('occupy-clear').click();
  await rowOf(page, 'Attic').waitFor();
  await page.getByTestId('occupy-today').click();
  await expect(page).not.toHaveURL(/day=/);
});

test('on a phone free times are listed, and one of them is booked', async ({ server, visit }) => {
  const room = await addRoom(server, 'Phone booth', {
    opening: { days: [0, 1, 2, 3, 4, 5, 6], from: '08:00', until: '18:00' },
  });
  const page = await visit('bob', '/', boardOf(room, dayAhead(6)), { locale, size: { width: 390, height: 844 } });
  await rowOf(page, 'Phone booth').getByTestId('occupy-free').click();
  await expect(page.getByTestId('meeting-rooms')).toContainText('Phone booth');
  await expect(page.getByTestId('meeting-duration')).toHaveValue('60');
});

for (const look of LOOKS) {
  test(`looks right in every state (${look})`, async ({ server, visit }) => {
    const name = `${look} ${LONG_NAME}`.slice(0, 50);
    const room = await addRoom(server, name, {
      equipment: [
        'display',
        'projector',
        'camera',
        'microphone',
        'phone',
        'whiteboard',
        'interpretation',
        'wheelchair',
      ],
      note: LONG_NAME,
    });
    const day = dayAhead(7);
    const alice = await server.api.as('alice');
    await alice.meetings.createNetwork({
      body: {
        subject: LONG_NAME,
        startTime: `${day}T09:00:00+08:00`,
        duration: 30,
        password: '4821',
        roomIds: [room.id],
      },
    });
    const page = await visit('alice', '/', boardOf(room, day), { locale: look });
    await page.getByTestId('occupy-booking').waitFor();
    await page.getByTestId('occupy-track').focus();
    await looksRight(page, 'board');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByTestId('occupy-free').first().waitFor();
    await looksRight(page, 'phone');
    await page.setViewportSize({ width: 1280, height: 800 });

    const mend = await failing(page, '/api/api/v1/rooms/occupancy/room');
    await page.getByTestId('occupy-next').click();
    await page.getByTestId('state-error').waitFor();
    await looksRight(page, 'error');
    await tryAgain(page, mend, page.getByTestId('occupy-grid'));

    await page.route('**/rooms/query-rooms/floors*', (route) =>
      route.fulfill({ json: { status: true, data: [], statusCode: 'OK', message: '' } }),
    );
    await page.reload();
    await page.getByTestId('state-empty').waitFor();
    await looksRight(page, 'no rooms');
  });
}
