import { EARLY_JOIN_MINUTES } from '@rmeet/contract';
import { expect, LOCALES, test } from '../pages.ts';
import { mayBook } from '../meetings/support.ts';

const locale = LOCALES[0] ?? 'zh-CN';

test('a local meeting is checked in to its room from its details', async ({ server, visit }) => {
  const admin = await server.api.as('admin');
  const building = await admin.rooms.createBuilding({ body: { name: 'House of presence', timeZone: 'UTC' } });
  const room = await admin.rooms.create({
    body: { name: 'Green sofa', buildingId: building.id, floor: '1', capacity: 6, releaseMinutes: 20 },
  });
  await mayBook(server, 'carol', ['sys:local']);
  const carol = await server.api.as('carol');
  const { meetId } = await carol.meetings.createLocal({
    body: { subject: 'In the flesh', startTime: new Date().toISOString(), duration: 30, roomIds: [room.id] },
  });
  const page = await visit('carol', '/', `/myMeeting?open=${meetId}`, { locale });
  await page.getByTestId('detail-room').getByTestId('room-check-in').click();
  await expect(page.getByTestId('room-check-in')).toHaveCount(0);
  const saved = await (await server.api.as('carol')).meetings.detail({ params: { id: meetId } });
  expect(saved.rooms).toMatchObject([{ checkedIn: true }]);
});

test('before check-in is open the page shows from when it is, without a button', async ({ server, visit }) => {
  const admin = await server.api.as('admin');
  const building = await admin.rooms.createBuilding({ body: { name: 'House of patience', timeZone: 'UTC' } });
  const room = await admin.rooms.create({
    body: { name: 'Blue sofa', buildingId: building.id, floor: '1', capacity: 6, releaseMinutes: 20 },
  });
  await mayBook(server, 'bob', ['sys:local']);
  const bob = await server.api.as('bob');
  const start = Date.now() + 60_000;
  const { meetId } = await bob.meetings.createLocal({
    body: { subject: 'Later', startTime: new Date(start).toISOString(), duration: 30, roomIds: [room.id] },
  });
  const page = await visit('bob', '/', '/myMeeting', { locale });
  const opens = start - EARLY_JOIN_MINUTES * 60_000;
  // The server already allows check-in; by the page's clock it is too early.
  await page.clock.setFixedTime(opens - 60_000);
  await page.goto(`${server.url}/#/myMeeting?open=${meetId}`);
  await expect(page.getByTestId('room-check-in-from')).toContainText(new Date(opens).toISOString().slice(11, 16));
  await expect(page.getByTestId('room-check-in')).toHaveCount(0);

  await page.clock.setFixedTime(opens);
  await page.reload();
  await page.getByTestId('room-check-in').click();
  await expect(page.getByTestId('detail-room')).not.toContainText(/Check in$|签到$/);
  // The button loses its text when it is pressed, before the server has answered.
  await expect
    .poll(async () => (await bob.meetings.detail({ params: { id: meetId } })).rooms)
    .toMatchObject([{ checkedIn: true }]);
});
