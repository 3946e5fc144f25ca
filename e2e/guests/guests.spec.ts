import { closePage, openPage } from '@rmeet/testkit';
import type { Page } from '@playwright/test';
import { bookMeeting } from '../support.ts';
import { expect, LOOKS, LONG_NAME, looksRight, tabTo, test } from '../pages.ts';

/** The guest link shown in the meeting details. */
const linkOf = async (page: Page): Promise<string> => (await page.getByTestId('guest-url').textContent()) ?? '';

test('a guest link is created, used, renewed and removed by keyboard alone', async ({ server, chromium, visit }) => {
  const { meetId, subject } = await bookMeeting(await server.api.as('alice'), 'Guest round');
  const page = await visit('alice', '/', `/myMeeting?open=${meetId}`, { locale: 'en-US' });
  await page.getByTestId('guest-create').waitFor();
  await tabTo(page, 'guest-create');
  await page.keyboard.press('Enter');
  const first = await linkOf(page);
  expect(first).toContain('/#/join?guest=');
  await tabTo(page, 'guest-copy');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(first);

  const guest = await openPage(chromium, { locale: 'en-US' });
  await guest.goto(first);
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText(subject);
  await expect(guest.getByTestId('guest-meeting')).toContainText('Alice');
  await expect(guest.getByTestId('join-number')).toHaveCount(0);
  await expect(guest.getByTestId('join-password')).toHaveCount(0);
  await tabTo(guest, 'join-name');
  await guest.keyboard.type('Dana');
  await guest.keyboard.press('Enter');
  await guest.getByTestId('toolbar-leave').waitFor();
  // All of the link is secret, so the URL shows nothing of it; a reload still works.
  expect(guest.url()).not.toContain('guest=');
  await guest.reload();
  await expect(guest.getByTestId('join-name')).toHaveValue('Dana');

  await page.reload();
  await expect(page.getByTestId('guest-person').first()).toContainText('Dana');
  // The link itself is shown only once.
  await expect(page.getByTestId('guest-url')).toHaveCount(0);
  await tabTo(page, 'guest-renew');
  await page.keyboard.press('Enter');
  await tabTo(page, 'question-ok');
  await page.keyboard.press('Enter');
  await page.getByTestId('guest-url').waitFor();
  const second = await linkOf(page);
  expect(second).not.toBe(first);

  await guest.goto('about:blank');
  await guest.goto(first);
  await guest.getByTestId('guest-link-invalid').waitFor();
  await tabTo(page, 'guest-end');
  await page.keyboard.press('Enter');
  await tabTo(page, 'question-ok');
  await page.keyboard.press('Enter');
  await page.getByTestId('guest-create').waitFor();
  await guest.goto('about:blank');
  await guest.goto(second);
  await guest.getByTestId('guest-link-invalid').waitFor();
  await closePage(guest);
});

test('a mere participant sees no guest link', { tag: '@more' }, async ({ server, visit }) => {
  const alice = await server.api.as('alice');
  const [bob] = await alice.meetings.invitees({ query: { keyword: 'bob' } });
  const { meetId } = await alice.meetings.createNetwork({
    body: {
      subject: 'Members',
      startTime: new Date().toISOString(),
      duration: 60,
      password: '4821',
      participants: [{ kind: 'user', userId: bob?.userId ?? '' }],
    },
  });
  const page = await visit('bob', '/', `/myMeeting?open=${meetId}`);
  await page.getByTestId('meeting-detail').getByRole('heading', { name: 'Members' }).waitFor();
  await expect(page.getByTestId('guest-link')).toHaveCount(0);
});

for (const locale of LOOKS) {
  test(`looks right in ${locale}: details, the way in with a very long subject, a link that has ended`, async ({
    server,
    chromium,
    visit,
  }) => {
    const { meetId } = await bookMeeting(await server.api.as('alice'), LONG_NAME);
    const page = await visit('alice', '/', `/myMeeting?open=${meetId}`, { locale });
    await page.getByTestId('guest-create').click();
    await page.getByTestId('guest-url').waitFor();
    await looksRight(page, 'details');
    const guest = await openPage(chromium, { locale });
    await guest.goto(await linkOf(page));
    await guest.getByTestId('guest-meeting').waitFor();
    await looksRight(guest, 'the way in');
    await guest.goto('about:blank');
    await guest.goto(`${server.url}/#/join?guest=${'x'.repeat(32)}`);
    await guest.getByTestId('guest-link-invalid').waitFor();
    await looksRight(guest, 'a link that has ended');
    await closePage(guest);
  });
}
