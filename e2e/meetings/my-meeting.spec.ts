import { chooseFound } from '../admin-pages.ts';
import { newUser } from '../auth/support.ts';
import { expect, LOCALES, test } from '../pages.ts';
import { bookMeeting } from '../support.ts';

const LANGUAGE = LOCALES[0] ?? 'zh-CN';

test('the entry has a dot while a meeting is on today, as the server counts', async ({ server, visit }) => {
  const dotty = await newUser(server, 'dotty');
  const page = await visit('dotty', '/', '/myMeeting', { locale: LANGUAGE });
  const dot = page.getByTestId('nav-MyMeeting').getByTestId('nav-dot');
  await page.getByTestId('state-empty').waitFor();
  await expect(dot).toHaveCount(0);
  // A meeting they are invited to: booking in their name would end their sign-in here.
  const chair = await server.api.as('chair');
  const { meetId } = await bookMeeting(chair, 'Makes a dot', { participants: [{ kind: 'user', userId: dotty.id }] });
  await expect(dot.first()).toBeVisible();
  await chair.meetings.cancel({ params: { id: meetId }, query: {} });
  await expect(dot).toHaveCount(0);
});

test('the details name the media resource that another user assigned', async ({ server, visit }) => {
  const chair = await server.api.as('chair');
  const { meetId } = await bookMeeting(chair, 'Put on a resource');
  const page = await visit('chair', '/', `/myMeeting?open=${meetId}`, { locale: LANGUAGE });
  const detail = page.getByTestId('meeting-detail');
  await expect(detail).toContainText('Put on a resource');
  await expect(detail).not.toContainText('Assigned capacity');
  const admin = await server.api.as('admin');
  const { id } = await admin.resources.create({
    body: { name: 'Assigned capacity', ports: 4, assignedTo: { everybody: true } },
  });
  await admin.resources.assign({ params: { id: meetId }, body: { resource: id } });
  await expect(detail).toContainText('Assigned capacity');
  await admin.meetings.cancel({ params: { id: meetId }, query: {} });
  await admin.resources.remove({ params: { id } });
});

test('two choices made before the page is redrawn are both kept', { tag: '@more' }, async ({ visit }) => {
  const page = await visit('bob', '/', '/myMeeting?view=list', { locale: LANGUAGE });
  await page.getByTestId('scope-today').waitFor();
  await page.evaluate(
    `for (const one of ['scope-upcoming', 'meeting-new']) ` +
      `document.querySelector('[data-testid="' + one + '"]').click();`,
  );
  await expect(page.getByTestId('meeting-subject')).toBeVisible();
  await expect(page.getByTestId('scope-upcoming')).toHaveAttribute('aria-pressed', 'true');
});

test(
  'the form shows how many can be invited, by the limits of type, caller and resource',
  { tag: '@more' },
  async ({ server, visit }) => {
    const admin = await server.api.as('admin');
    const { id } = await admin.resources.create({
      body: { name: 'Seven ports', ports: 7, assignedTo: { everybody: true } },
    });
    const carol = await server.api.as('carol');
    const { people } = await carol.resources.inviteLimit({ query: {} });
    const { limit } = await carol.booking.participantLimit({ params: { a: 'NETWORK_MEETING', b: '-' } });
    const page = await visit('carol', '/', '/myMeeting', { locale: LANGUAGE });
    await page.getByTestId('meeting-new').click();
    const field = page.getByTestId('booking').locator('.people');
    await expect(field).toContainText(String(Math.min(people, limit - 1)));
    await chooseFound(page, 'meeting-resource', 'Seven ports');
    await expect(field).toContainText(/(?<!\d)6(?!\d)/);
    await admin.resources.remove({ params: { id } });
  },
);

test(
  'users who may change a meeting assign another media resource in its details',
  { tag: '@more' },
  async ({ server, visit }) => {
    const admin = await server.api.as('admin');
    const { id } = await admin.resources.create({
      body: { name: 'Moved to', ports: 9, assignedTo: { everybody: true } },
    });
    const { meetId } = await bookMeeting(await server.api.as('alice'), 'Moves to a resource');
    const page = await visit('alice', '/', `/myMeeting?open=${meetId}`, { locale: LANGUAGE });
    await chooseFound(page, 'detail-resource', 'Moved to');
    await expect(page.getByTestId('toast-success')).toBeVisible();
    await expect(page.getByTestId('detail-resource')).toContainText('Moved to');
    expect((await admin.meetings.detail({ params: { id: meetId } })).resource).toEqual({ id, name: 'Moved to' });
    await admin.meetings.cancel({ params: { id: meetId }, query: {} });
    await admin.resources.remove({ params: { id } });
  },
);

test(
  'an edit shows at once why the meeting cannot take place at the chosen time',
  { tag: '@more' },
  async ({ server, visit }) => {
    const admin = await server.api.as('admin');
    const {
      records: [room],
    } = await admin.rooms.list({ query: {} });
    if (!room) throw new Error('there is no room');
    const startTime = new Date(Date.now() + 40 * 86_400_000);
    startTime.setUTCHours(2, 0, 0, 0);
    const later = new Date(startTime.getTime() + 3_600_000).toISOString();
    const bob = await server.api.as('bob');
    const body = { duration: 60, password: '4821', participants: [], roomIds: [room.id] };
    const { meetId } = await bob.meetings.createNetwork({
      body: { ...body, subject: 'Wants to be longer', startTime: startTime.toISOString() },
    });
    await admin.meetings.createNetwork({ body: { ...body, subject: 'Has the room next', startTime: later } });
    const page = await visit('bob', '/', `/myMeeting?edit=${meetId}`, { locale: LANGUAGE });
    await page.getByTestId('meeting-duration').fill('90');
    await expect(page.getByTestId('change-notice')).toContainText(room.name);
    await page.getByTestId('meeting-duration').fill('45');
    await expect(page.getByTestId('change-notice')).toHaveCount(0);
  },
);
