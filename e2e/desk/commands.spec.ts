import { closePage, openPage } from '@rmeet/testkit';
import type { Page } from '@playwright/test';
import { levelOf } from '../conferences/support.ts';
import { signInByToken } from '../pages.ts';
import { expect, hearsPeople, seesPeople, test, type Attendee } from './support.ts';

/** The number of lines of a person's picture as received by a page; 0 while there is none. */
const linesOf = (page: Page, { termId }: Attendee): Promise<number> =>
  page.evaluate<number>(`document.querySelector('[data-testid="tile-${termId}"] video')?.videoHeight ?? 0`);

test(
  'the menu of a terminal lowers its volume for the others, and limits its picture',
  { tag: '@more' },
  async ({ gather, openDesk }) => {
    const meeting = await gather();
    const [alice, bob] = [await meeting.enter('alice'), await meeting.enter('bob', { layers: true })];
    const desk = await openDesk(meeting);
    await hearsPeople(alice.page, ['bob']);
    await seesPeople(alice.page, ['bob']);
    const before = await levelOf(alice.page, 'bob');
    await expect.poll(() => linesOf(alice.page, bob), { timeout: 20_000 }).toBeGreaterThan(180);

    await desk.getByTestId(`desk-more-${bob.termId}`).click();
    await desk.getByTestId('desk-menu-volume').fill('10');
    await expect.poll(() => levelOf(alice.page, 'bob'), { timeout: 20_000 }).toBeLessThan(before - 15);
    await desk.getByTestId('desk-menu-limit').selectOption('180');
    await expect.poll(() => linesOf(alice.page, bob), { timeout: 20_000 }).toBe(180);
    await desk.getByTestId(`desk-more-${bob.termId}`).click();
    await desk.getByTestId('desk-menu-limit').selectOption('0');
    await expect.poll(() => linesOf(alice.page, bob), { timeout: 20_000 }).toBeGreaterThan(180);
  },
);

test(
  'the desk hears the conference when it listens, and nothing otherwise',
  { tag: '@more' },
  async ({ gather, openDesk }) => {
    const meeting = await gather();
    await meeting.enter('bob');
    const desk = await openDesk(meeting);
    await desk.getByTestId('desk-listen').click();
    await hearsPeople(desk, ['bob']);
    await desk.getByTestId('desk-listen').click();
    await hearsPeople(desk, []);
  },
);

test('the desk calls a missing person, and extends the meeting', async ({ gather, openDesk, server, chromium }) => {
  const [invited] = await (await server.api.as('bob')).meetings.invitees({ query: { keyword: 'alice' } });
  const meeting = await gather({
    subject: 'Short meeting',
    duration: 5,
    minutesFromNow: 0,
    participants: [{ kind: 'user', userId: invited?.userId ?? '' }],
  });
  const bob = await meeting.enter('bob');
  const alice = await openPage(chromium, { locale: 'en-US' });
  await signInByToken(alice, server, 'alice');
  await alice.goto(`${server.url}/#/myMeeting`);
  await alice.getByTestId('account-menu').waitFor();

  const desk = await openDesk(meeting);
  await expect(desk.getByTestId(`desk-term-${bob.termId}`)).toBeVisible();
  await desk.getByTestId('desk-tab-absent').click();
  const missing = desk.getByTestId(/^desk-absent-/).filter({ hasText: 'Alice' });
  await missing.getByTestId(/^desk-call-/).click();
  await expect(alice.getByTestId('ring')).toContainText('Short meeting');
  await expect(missing).toContainText('Ringing');
  await alice.getByTestId('ring-join').click();
  await expect(alice).toHaveURL(/\/join/);
  await closePage(alice);

  await expect(desk.locator('.desk-time-left')).toBeVisible();
  await desk.getByTestId('desk-extend').click();
  await desk.getByTestId('desk-extend-30').click();
  await expect(desk.locator('.desk-time-left')).toBeHidden();
  const { startTime, duration } = await meeting.host.meetings.detail({ params: { id: meeting.meetId } });
  expect(Date.parse(startTime) + duration * 60_000 - Date.now()).toBeGreaterThan(30 * 60_000);
  // Otherwise it keeps ringing on pages that later scenarios open for her.
  await meeting.host.conferences.end({ params: { meetId: meeting.meetId } });
});
