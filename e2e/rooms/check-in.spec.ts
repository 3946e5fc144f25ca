import { expect, LOCALES, test } from '../pages.ts';
import { mayBook } from '../meetings/support.ts';

const locale = LOCALES[0] ?? 'zh-CN';

test('somebody checks in to the room of a local meeting from its details', async ({ server, visit }) => {
  const admin = await server.api.as('admin');
  const building = await admin.rooms.createBuilding({ body: { name: 'House of presence', timeZone: 'UTC' } });
  const room = await admin.rooms.create({ body: { name: 'Green sofa', buildingId: building.id, floor: '1', capacity: 6, releaseMinutes: 20 } });
  await mayBook(server, 'carol', ['sys:local']);
  const carol = await server.api.as('carol');
  const { meetId } = await carol.meetings.createLocal({ body: { subject: 'In the flesh', startTime: new Date().toISOString(), duration: 30, roomIds: [room.id] } });
  const page = await visit('carol', '/', `/myMeeting?open=${meetId}`, { locale });
  await page.getByTestId('detail-room').getByTestId('room-check-in').click();
  await expect(page.getByTestId('room-check-in')).toHaveCount(0);
  const saved = await (await server.api.as('carol')).meetings.detail({ params: { id: meetId } });
  expect(saved.rooms).toMatchObject([{ checkedIn: true }]);
});
