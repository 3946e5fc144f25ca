import { closePage } from '@rmeet/testkit';
import { expect, looksRight, LOOKS, signInByToken, test } from '../pages.ts';
import { bookLive, goOnAir, SIZES, watchAsGuest } from './support.ts';

test('a guest opens a public broadcast at /live/{id}, gives a name to write, likes it, and sees its states', async ({
  server,
  chromium,
}) => {
  const { id, act } = await goOnAir(server, 'alice', 'Open to all', {
    live: { access: 'public', announcement: 'Slides at noon' },
  });
  const guest = await watchAsGuest(chromium, server, id);
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('Open to all');
  await expect(guest.getByTestId('broadcast-state')).toHaveText('On air');
  await expect(guest.getByTestId('watch-announcement')).toContainText('Slides at noon');
  await guest.getByTestId('watch-text').fill('Good morning');
  await guest.keyboard.press('Enter');
  await guest.getByTestId('watch-say-name').fill('Carla');
  await guest.keyboard.press('Enter');
  const message = guest.getByTestId('watch-message');
  await expect(message).toContainText('Carla');
  await expect(message).toContainText('Good morning');
  await guest.getByTestId('watch-like').click();
  await guest.getByTestId('watch-like').click();
  await expect(guest.getByTestId('watch-likes')).toHaveText('2');
  const alice = await server.api.as('alice');
  await expect.poll(async () => (await alice.broadcasts.detail({ params: { id } })).likes, { timeout: 15_000 }).toBe(2);
  await expect(guest.getByTestId('watch-viewers')).toContainText('1 watching');

  // A reload is no other viewer: the name stays.
  await guest.reload();
  await guest.getByTestId('watch-text').fill('Back again');
  await guest.keyboard.press('Enter');
  await expect(message.last()).toContainText('Carla');

  await act('PAUSE');
  await expect(guest.getByTestId('watch-cover')).toContainText('paused');
  await act('END');
  await expect(guest.getByTestId('watch-cover')).toContainText('The broadcast has ended');
  await expect(guest.getByTestId('watch-closed')).toContainText('the chat is closed');
  await closePage(guest);
});

test('before the start there is a countdown, and one call in three seconds', async ({ server, chromium }) => {
  const { meetId } = await bookLive(server, 'alice', 'Counted down', {
    live: { access: 'public' },
    minutesFromNow: 90,
  });
  const guest = await watchAsGuest(chromium, server, meetId);
  await expect(guest.getByTestId('watch-countdown')).toContainText('01');
  await expect(guest.getByTestId('watch-cover')).toContainText('Host: Alice');
  const times: number[] = [];
  guest.on('request', (request) => {
    if (request.url().endsWith('/live/watch/state')) times.push(Date.now());
  });
  await expect.poll(() => times.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(4);
  for (const [at, time] of times.entries()) if (at > 0) expect(time - (times[at - 1] ?? 0)).toBeGreaterThan(2_500);
  await closePage(guest);
});

test('a password is asked for, and a name where it is shown over the picture', async ({ server, chromium }) => {
  const { meetId } = await bookLive(server, 'alice', 'By password', {
    live: { access: 'password', password: 'viewers-3', watermark: true },
  });
  const guest = await watchAsGuest(chromium, server, meetId);
  await guest.getByTestId('watch-password').fill('wrong');
  await guest.keyboard.press('Enter');
  await expect(guest.getByTestId('watch-form')).toContainText('The password is wrong.');
  await guest.getByTestId('watch-password').fill('viewers-3');
  await guest.keyboard.press('Enter');
  await guest.getByTestId('watch-name').fill('Carla');
  await guest.keyboard.press('Enter');
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('By password');
  await guest.reload();
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('By password');
  await closePage(guest);
});

test('a broadcast of the organisation wants a sign-in, which leads back to it', async ({ server, chromium }) => {
  const { meetId } = await bookLive(server, 'alice', 'For the organisation', { live: { access: 'organisation' } });
  const page = await watchAsGuest(chromium, server, meetId);
  await page.getByTestId('watch-to-login').press('Enter');
  await page.getByTestId('login-account').fill('bob');
  await page.getByTestId('login-password').fill('Rmeet-demo-1');
  await page.getByTestId('login-submit').press('Enter');
  await expect(page).toHaveURL(new RegExp(`#/live/${meetId}`));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('For the organisation');
  await closePage(page);
});

test('people on the list of viewers may watch, others see why they may not', async ({ server, chromium }) => {
  const admin = await server.api.as('admin');
  const { records } = await admin.users.list({ query: { keyword: 'bob' } });
  const bob = records.find(({ account }) => account === 'bob')?.id ?? '';
  const { meetId } = await bookLive(server, 'alice', 'For named people', {
    live: { access: 'whiteList', whiteList: [bob] },
  });
  for (const [account, seen] of [
    ['bob', 'For named people'],
    ['carol', 'You cannot watch this broadcast'],
  ] as const) {
    const page = await watchAsGuest(chromium, server, meetId);
    await page.getByTestId('watch-sign-in').waitFor();
    await signInByToken(page, server, account);
    await page.goto(`${server.url}/?again#/live/${meetId}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(seen);
    await closePage(page);
  }
});

test('an address without a broadcast says so', async ({ server, chromium }) => {
  const page = await watchAsGuest(chromium, server, '0198f6a2-0000-7000-8000-000000000001');
  await page.getByTestId('watch-missing').waitFor();
  await closePage(page);
});

test('a moderator shows, deletes and answers messages, and stops an author', async ({ server, chromium, visit }) => {
  const { id, act } = await goOnAir(server, 'alice', 'Moderated', { live: { access: 'public', chat: 'held' } });
  const page = await visit('alice', '/', '/myMeeting', { locale: 'en-US' });
  const guest = await watchAsGuest(chromium, server, id);
  await guest.getByTestId('watch-text').fill('Is it allowed?');
  await guest.keyboard.press('Enter');
  await guest.getByTestId('watch-say-name').fill('Dora');
  await guest.keyboard.press('Enter');
  await expect(guest.getByTestId('watch-message')).toContainText('Waits for review');

  await page.goto(`${server.url}/#/live/${id}`);
  const held = page.getByTestId('watch-message');
  await expect(held).toContainText('Is it allowed?');
  await page.getByTestId('message-show').press('Enter');
  await expect(held).not.toContainText('Waits for review');
  await expect(guest.getByTestId('watch-message')).not.toContainText('Waits for review');

  await guest.getByTestId('watch-tab-question').click();
  await guest.getByTestId('watch-text').fill('When does it open?');
  await guest.keyboard.press('Enter');
  await page.getByTestId('watch-tab-question').press('Enter');
  await page.getByTestId('message-answer').press('Enter');
  await page.getByTestId('message-answer-text').fill('In March');
  await page.keyboard.press('Enter');
  await expect(guest.getByTestId('watch-answer')).toContainText('In March');

  await page.getByTestId('watch-tab-chat').press('Enter');
  await page.getByTestId('message-mute').press('Enter');
  await expect(guest.getByTestId('watch-closed')).toContainText('stopped you from writing');
  await page.getByTestId('message-unmute').press('Enter');
  await expect(guest.getByTestId('watch-text')).toBeVisible();
  await page.getByTestId('message-delete').press('Enter');
  await guest.getByTestId('watch-tab-chat').click();
  await expect(guest.getByTestId('watch-message')).toHaveCount(0);
  await closePage(guest);
  await act('END');
});

test('a lost connection is shown, and found again', async ({ server, chromium }) => {
  const { meetId } = await bookLive(server, 'alice', 'Lost and found', { live: { access: 'public' } });
  const guest = await watchAsGuest(chromium, server, meetId);
  await guest.getByRole('heading', { level: 1 }).waitFor();
  await guest.route('**/live/watch/state', (route) => route.abort());
  await guest.getByTestId('watch-lost').waitFor();
  await guest.unroute('**/live/watch/state');
  await expect(guest.getByTestId('watch-lost')).toHaveCount(0);
  await closePage(guest);
});

for (const locale of LOOKS)
  test(`the watch page looks right (${locale})`, async ({ server, chromium, visit }) => {
    const { id, act } = await goOnAir(server, 'alice', `Seen by viewers ${locale}`, {
      live: { access: 'public', chat: 'held', announcement: 'Slides are in the library of the organisation.' },
    });
    const guest = await watchAsGuest(chromium, server, id, { locale });
    await guest.getByTestId('watch-text').fill('Good morning to everybody who watches');
    await guest.keyboard.press('Enter');
    await guest.getByTestId('watch-say-name').waitFor();
    await looksRight(guest, 'watch name');
    await guest.getByTestId('watch-say-name').fill('Dora');
    await guest.keyboard.press('Enter');
    await guest.getByTestId('watch-message').waitFor();
    for (const [width, height] of SIZES) {
      await guest.setViewportSize({ width, height });
      await looksRight(guest, 'watch on air');
    }
    const page = await visit('alice', '/', '/myMeeting', { locale });
    await page.goto(`${server.url}/#/live/${id}`);
    await page.getByTestId('message-show').waitFor();
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      await looksRight(page, 'watch moderated');
    }
    await act('PAUSE');
    await guest.getByTestId('watch-cover').waitFor();
    await looksRight(guest, 'watch paused');
    await act('END');
    await guest.getByTestId('watch-closed').waitFor();
    await looksRight(guest, 'watch ended');
    await closePage(guest);
  });
