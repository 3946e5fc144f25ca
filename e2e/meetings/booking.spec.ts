import { errorMessage } from '@rmeet/contract';
import { bookMeeting, formGone } from '../support.ts';
import { expect, LOCALES, test } from '../pages.ts';

test('the list keeps search, scope and sort in the URL', async ({ visit }) => {
  const page = await visit('alice', '/', '/myMeeting?view=list');
  await page.getByTestId('scope-all').click();
  await page.getByTestId('sort-subject').click();
  await page.getByTestId('meeting-search').fill('周例会');
  await expect(page.getByTestId('meeting-row').first()).toContainText('周例会');
  await expect(page).toHaveURL(/scope=all/);
  await expect(page).toHaveURL(/sort=subject/);
  const rows = page.getByTestId('meeting-row');
  // The previous rows stay until the answer arrives.
  await expect(rows.filter({ hasNotText: '周例会' })).toHaveCount(0);
  const shown = await rows.count();
  await page.reload();
  await expect(page.getByTestId('meeting-search')).toHaveValue('周例会');
  await expect(rows).toHaveCount(shown);
});

test('two people edit one meeting: the second sees a conflict and loses nothing typed', async ({ server, visit }) => {
  const page = await visit('chair', '/', '/myMeeting?q=Budget', { locale: 'en-US' });
  await page.getByTestId('meeting-new').click();
  await page.getByTestId('meeting-subject').fill('Budget');
  await page.getByTestId('meeting-submit').click();
  await formGone(page);
  const row = page.getByTestId('meeting-row').filter({ hasText: 'Budget' });
  await row.getByTestId('meeting-edit').click();
  await page.getByTestId('meeting-subject').fill('Budget 2027');

  // The tenant's administrator, who may edit every meeting, saves first.
  const admin = await server.api.as('admin');
  const { records } = await admin.meetings.list({ query: { keyword: 'Budget', tenantWide: 'true' } });
  const [meeting] = records;
  if (!meeting) throw new Error('the meeting is not listed');
  await admin.meetings.update({
    params: { id: meeting.meetId },
    body: {
      subject: 'Budget',
      agenda: 'Bring figures',
      startTime: meeting.startTime,
      duration: meeting.duration,
      password: meeting.password,
      version: meeting.version,
    },
  });

  await page.getByTestId('meeting-submit').click();
  await expect(page.getByText('Someone else has changed this meeting').first()).toBeVisible();
  await expect(page.getByTestId('meeting-subject')).toHaveValue('Budget 2027');
});

test('a meeting that starts at odd seconds can be edited', { tag: '@more' }, async ({ server, visit }) => {
  const carol = await server.api.as('carol');
  const startTime = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 97_123).toISOString();
  await carol.meetings.createNetwork({ body: { subject: 'Odd seconds', startTime, duration: 60, password: '4821' } });
  const page = await visit('carol', '/', '/myMeeting?q=seconds');
  await page.getByTestId('meeting-row').filter({ hasText: 'Odd seconds' }).getByTestId('meeting-edit').click();
  await expect(page.getByTestId('meeting-subject')).toHaveValue('Odd seconds');
  await page.getByTestId('meeting-subject').fill('Even seconds');
  await page.getByTestId('meeting-submit').click();
  await expect(page.getByTestId('meeting-row').filter({ hasText: 'Even seconds' })).toBeVisible();
});

test('a meeting is cancelled after asking', async ({ visit }) => {
  const page = await visit('bob', '/', '/myMeeting?q=Mistake');
  await page.getByTestId('meeting-new').click();
  await page.getByTestId('meeting-subject').fill('Mistake');
  await page.getByTestId('meeting-submit').click();
  await page.getByTestId('meeting-row').filter({ hasText: 'Mistake' }).getByTestId('meeting-cancel').click();
  await page.getByTestId('question-ok').click();
  await expect(page.getByTestId('meeting-row').filter({ hasText: 'Mistake' })).toHaveCount(0);
});

test('a list updates without a reload when another user books', async ({ server, visit }) => {
  const subject = 'Appears by itself';
  // Filtered by name: among all meetings of the organisation that day it may be on the second page.
  const page = await visit('admin', '/manage/', `/myMeeting?scope=today&q=${encodeURIComponent(subject)}`);
  await page.getByTestId('scope-today').waitFor();
  await bookMeeting(await server.api.as('carol'), subject);
  await expect(page.getByTestId('meeting-row').filter({ hasText: subject })).toBeVisible();
});

test(
  'a meeting keeps its room while it is edited, and shows at once that another time is taken',
  { tag: '@more' },
  async ({ server, visit }) => {
    const admin = await server.api.as('admin');
    const building = await admin.rooms.createBuilding({ body: { name: 'Picker house', timeZone: 'UTC' } });
    const room = await admin.rooms.create({
      body: { name: 'Round table', buildingId: building.id, floor: '2', capacity: 8 },
    });
    // Whole days ahead, so that no meeting is today and fields stay within one day of the browser's calendar.
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
    const body = {
      subject: 'Round one',
      startTime: `${day}T09:00:00Z`,
      duration: 60,
      password: '4821',
      roomIds: [room.id],
    };
    const bob = await server.api.as('bob');
    const { meetId } = await bob.meetings.createNetwork({ body });
    const chair = await server.api.as('chair');
    const other = await chair.meetings.createNetwork({
      body: { ...body, subject: 'Round two', startTime: `${day}T10:00:00Z` },
    });

    const page = await visit('bob', '/', `/myMeeting?scope=all&edit=${meetId}`, { locale: LOCALES[0] ?? 'zh-CN' });
    const field = page.locator('.form-field').filter({ has: page.getByTestId('meeting-rooms') });
    await expect(field).toContainText('Round table');
    // Its own booking is no conflict.
    await field.getByRole('combobox').click();
    await expect(
      page.getByTestId('meeting-room-option').filter({ hasText: 'Round table' }).locator('.booking-room-free'),
    ).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(field.getByRole('alert')).toHaveCount(0);

    // Half an hour longer, it overlaps the chair's booking.
    await page.getByTestId('meeting-duration').fill('90');
    await expect(field.getByRole('alert')).toContainText(other.host.name);
    await page.getByTestId('meeting-submit').click();
    // The server's message: until it arrives, the form is still being sent.
    const locale = (LOCALES[0] ?? 'zh-CN').startsWith('en') ? 'en' : 'zh';
    await expect(field.getByRole('alert')).toContainText(
      errorMessage('ROOM_TAKEN', locale, { room: 'Round table', host: other.host.name }),
    );
    await page.getByTestId('meeting-duration').fill('45');
    await expect(field.getByRole('alert')).toHaveCount(0);
    await page.getByTestId('meeting-submit').click();
    await expect(page.getByTestId('meeting-rooms')).toHaveCount(0);
    const saved = await (await server.api.as('bob')).meetings.detail({ params: { id: meetId } });
    expect(saved).toMatchObject({ duration: 45, rooms: [{ id: room.id }] });
  },
);

test('a person checks in to a room, and releases it', async ({ server, visit }) => {
  const admin = await server.api.as('admin');
  const building = await admin.rooms.createBuilding({ body: { name: 'Check house', timeZone: 'UTC' } });
  const rooms = await Promise.all(
    ['Near', 'Far'].map((name) =>
      admin.rooms.create({ body: { name, buildingId: building.id, floor: '1', capacity: 4 } }),
    ),
  );
  const carol = await server.api.as('carol');
  const { meetId } = await carol.meetings.createNetwork({
    body: {
      subject: 'In two rooms',
      startTime: new Date(Date.now() + 60_000).toISOString(),
      duration: 30,
      password: '4821',
      roomIds: rooms.map(({ id }) => id),
    },
  });
  const page = await visit('carol', '/', `/myMeeting?open=${meetId}`, { locale: LOCALES[0] ?? 'zh-CN' });
  const near = page.getByTestId('detail-room').filter({ hasText: 'Near' });
  await near.getByTestId('room-check-in').click();
  await expect(near.getByTestId('room-check-in')).toHaveCount(0);
  await page.getByTestId('detail-room').filter({ hasText: 'Far' }).getByTestId('room-release').click();
  await page.getByTestId('question-ok').click();
  await expect(page.getByTestId('detail-room')).toHaveCount(1);
  const { rooms: left } = await (await server.api.as('carol')).meetings.detail({ params: { id: meetId } });
  expect(left).toMatchObject([{ name: 'Near', checkedIn: true }]);
});
