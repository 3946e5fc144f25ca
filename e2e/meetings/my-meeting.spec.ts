import { newUser } from '../auth/support.ts';
import { expect, LOCALES, test } from '../pages.ts';
import { bookMeeting } from '../support.ts';

const LANGUAGE = LOCALES[0] ?? 'zh-CN';

test('the entry has a dot while something is on today, by what the server counts', async ({ server, visit }) => {
  const dotty = await newUser(server, 'dotty');
  const page = await visit('dotty', '/', '/myMeeting', { locale: LANGUAGE });
  const dot = page.getByTestId('nav-MyMeeting').getByTestId('nav-dot');
  await page.getByTestId('state-empty').waitFor();
  await expect(dot).toHaveCount(0);
  // One they are invited to: booking in their name would end their sign-in here.
  const chair = await server.api.as('chair');
  const { meetId } = await bookMeeting(chair, 'Makes a dot', { participants: [{ kind: 'user', userId: dotty.id }] });
  await expect(dot.first()).toBeVisible();
  await chair.meetings.cancel({ params: { id: meetId }, query: {} });
  await expect(dot).toHaveCount(0);
});

test('a meeting put on a media resource by somebody else names it in its details', async ({ server, visit }) => {
  const chair = await server.api.as('chair');
  const { meetId } = await bookMeeting(chair, 'Put on a resource');
  const page = await visit('chair', '/', `/myMeeting?open=${meetId}`, { locale: LANGUAGE });
  const detail = page.getByTestId('meeting-detail');
  await expect(detail).toContainText('Put on a resource');
  await expect(detail).not.toContainText('Assigned capacity');
  const admin = await server.api.as('admin');
  const { id } = await admin.resources.create({ body: { name: 'Assigned capacity', ports: 4, assignedTo: { everybody: true } } });
  await admin.resources.assign({ params: { id: meetId }, body: { resource: id } });
  await expect(detail).toContainText('Assigned capacity');
  await admin.meetings.cancel({ params: { id: meetId }, query: {} });
  await admin.resources.remove({ params: { id } });
});

test('of two things chosen before the page is drawn again, neither is lost', async ({ visit }) => {
  const page = await visit('bob', '/', '/myMeeting', { locale: LANGUAGE });
  await page.getByTestId('scope-today').waitFor();
  await page.evaluate(`for (const one of ['scope-upcoming', 'meeting-new']) document.querySelector('[data-testid="' + one + '"]').click();`);
  await expect(page.getByTestId('meeting-subject')).toBeVisible();
  await expect(page.getByTestId('scope-upcoming')).toHaveAttribute('aria-pressed', 'true');
});
