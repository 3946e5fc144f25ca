import type { Page } from '@playwright/test';
import { closePage, openPage, type Api, type RunningServer } from '@rmeet/testkit';
import { signInByToken } from '../pages.ts';
import { bookMeeting, expect, signIn, test } from '../support.ts';

const newPage = (browser: Parameters<typeof openPage>[0]): Promise<Page> => openPage(browser, { locale: 'en-US' });

/** A running conference of alice. */
async function running(
  server: RunningServer,
  subject: string,
): Promise<{ alice: Api; meetId: string; numericId: string; termId: string }> {
  const alice = await server.api.as('alice');
  const { meetId, numericId } = await bookMeeting(alice, subject);
  const { termId } = await alice.conferences.join({ body: { numericId } });
  return { alice, meetId, numericId, termId };
}

const link = (alice: Api, meetId: string, part: 'chair' | 'viewer', timestamp?: number) =>
  alice.conferences.manageUrl({ params: { a: meetId, b: part }, query: timestamp === undefined ? {} : { timestamp } });
/** The desk passes stored in this tab. */
const passes = (page: Page): Promise<Record<string, { token: string; part: string }>> =>
  page.evaluate(
    () => JSON.parse(sessionStorage.getItem('deskPasses') ?? '{}') as Record<string, { token: string; part: string }>,
  );
const inAddress = (url: string): string => new URL(url).hash.slice(1);
const secretOf = (url: string): string => new URLSearchParams(inAddress(url).split('?')[1]).get('token') ?? '';

test('a link for the chair opens the desk without an account, and its secret leaves the address at once', async ({
  server,
  chromium,
}) => {
  const { alice, meetId, termId } = await running(server, 'Opened by a link');
  const { url } = await link(alice, meetId, 'chair');
  const page = await newPage(chromium);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(url);
  await page.getByTestId(`desk-term-${termId}`).waitFor();
  await expect(page.getByTestId('desk-acts')).toBeVisible();
  expect(inAddress(page.url())).toBe(`/meetingControl?meetId=${meetId}`);
  await page.goBack().catch(() => null);
  expect(page.url()).not.toContain(secretOf(url));
  await page.goto(`${server.url}/#/meetingControl?meetId=${meetId}`);
  await page.getByTestId('desk-acts').waitFor();

  const { token } = (await passes(page))[meetId] ?? { token: '' };
  expect(token).not.toBe('');
  // If exchanged twice, the second token would close the desk of the first and open a new one.
  expect(asked.filter((one) => one.includes('ticketToToken'))).toHaveLength(1);
  expect(asked.filter((one) => one.includes(token) || one.split('#')[0]?.includes(secretOf(url)))).toEqual([]);
  expect(
    await page.evaluate(() => [
      sessionStorage.getItem('token'),
      localStorage.getItem('token'),
      localStorage.getItem('deskPasses'),
    ]),
  ).toEqual([null, null, null]);

  // After a reload the tab still has its pass; the rest of the app stays closed.
  await page.reload();
  await page.getByTestId(`desk-term-${termId}`).waitFor();
  await page.goto(`${server.url}/#/myMeeting`);
  await page.getByTestId('login-account').waitFor();
  await closePage(page);
});

test('a link for a viewer opens a desk without any controls', async ({ server, chromium }) => {
  const { alice, meetId, termId } = await running(server, 'Looked at');
  const page = await newPage(chromium);
  await page.goto((await link(alice, meetId, 'viewer')).url);
  await page.getByTestId(`desk-term-${termId}`).waitFor();
  await expect(page.getByTestId('desk-viewer')).toBeVisible();
  await expect(page.getByTestId('desk-acts')).toHaveCount(0);
  await closePage(page);
});

test(
  'a link to the status wall opens the wall, on whichever page it is used',
  { tag: '@more' },
  async ({ server, chromium }) => {
    const { alice, meetId, numericId } = await running(server, 'On the wall');
    const { url } = await alice.conferences.monitorUrl({ query: { numericId } });
    for (const address of [url, url.replace('/terminalstatus', '/meetingControl')]) {
      const page = await newPage(chromium);
      await page.goto(address);
      await page.getByTestId('status-wall').waitFor();
      expect(inAddress(page.url())).toBe(`/terminalstatus?meetId=${meetId}`);
      await expect(page.getByTestId('status-wall')).toContainText('On the wall');
      await closePage(page);
    }
  },
);

test('an open desk closes when its link is revoked, and the link explains what to do', async ({ server, chromium }) => {
  const { alice, meetId } = await running(server, 'Revoked');
  const { id, url } = await link(alice, meetId, 'chair');
  const page = await newPage(chromium);
  await page.goto(url);
  await page.getByTestId('desk-acts').waitFor();
  await alice.conferences.revokeLink({ params: { meetId, id } });
  await expect(page.getByTestId('desk-acts')).toHaveCount(0);
  await expect(page.getByRole('main')).toContainText(/host/);
  expect(await passes(page)).toEqual({});

  const again = await newPage(chromium);
  await again.goto(url);
  await expect(again.getByRole('main')).toContainText(/host/);
  expect(inAddress(again.url())).toBe(`/meetingControl?meetId=${meetId}`);
  for (const one of [page, again]) await closePage(one);
});

test('an open desk closes when its time is up', { tag: '@more' }, async ({ server, chromium }) => {
  const { alice, meetId } = await running(server, 'Expired');
  const page = await newPage(chromium);
  await page.goto(server.url);
  // Before the redirect to the login page, the app may still treat the next URL as one it has to leave.
  await page.getByTestId('login-account').waitFor();
  const viewer = page.getByTestId('desk-viewer');
  const over = page.getByRole('main').getByText(/host/);
  // A link that expires in seconds, and one with more time if the page took longer to open.
  let wasOpen = false;
  for (let seconds = 8; !wasOpen && seconds <= 64; seconds *= 2) {
    await page.goto((await link(alice, meetId, 'viewer', Date.now() + seconds * 1_000)).url);
    await viewer.or(over).first().waitFor({ timeout: 40_000 });
    wasOpen = await viewer.isVisible();
  }
  expect(wasOpen).toBe(true);
  await expect(viewer).toHaveCount(0, { timeout: 70_000 });
  await expect(over).toBeVisible();
  await closePage(page);
});

test('a status wall that was opened before the meeting begins shows who joins', async ({ server, chromium }) => {
  const alice = await server.api.as('alice');
  const { numericId } = await bookMeeting(alice, 'Not begun yet');
  const page = await newPage(chromium);
  await page.goto((await alice.conferences.monitorUrl({ query: { numericId } })).url);
  await expect(page.getByRole('heading', { name: 'The conference has not begun' })).toBeVisible();
  const { termId } = await alice.conferences.join({ body: { numericId } });
  await expect(page.getByTestId(`status-term-${termId}`)).toBeVisible();
  await closePage(page);
});

test('an account with the right needs no link; others see the meeting or nothing of it', async ({
  server,
  chromium,
}) => {
  const { meetId, termId } = await running(server, 'Without a link');
  const host = await newPage(chromium);
  await signInByToken(host, server, 'alice');
  await host.goto(`${server.url}/#/meetingControl?meetId=${meetId}`);
  await host.getByTestId(`desk-term-${termId}`).waitFor();
  await expect(host.getByTestId('desk-acts')).toBeVisible();
  await host.goto(`${server.url}/#/terminalstatus?meetId=${meetId}`);
  await host.getByTestId('status-wall').waitFor();

  const stranger = await newPage(chromium);
  await signInByToken(stranger, server, 'carol');
  await stranger.goto(`${server.url}/#/meetingControl?meetId=${meetId}`);
  await expect(stranger.getByRole('main')).toBeVisible();
  await expect(stranger.getByTestId('desk')).toHaveCount(0);
  await expect(stranger.getByRole('main')).not.toContainText('Without a link');
  for (const one of [host, stranger]) await closePage(one);
});

test(
  'a link has priority over the account of the tab, and works with an expired sign-in',
  { tag: '@more' },
  async ({ server, chromium }) => {
    const { alice, meetId } = await running(server, 'DrawerState an account');
    const page = await newPage(chromium);
    await signIn(page, server, 'bob');
    await page.goto((await link(alice, meetId, 'viewer')).url);
    await page.getByTestId('desk-viewer').waitFor();
    expect((await passes(page))[meetId]).toMatchObject({ part: 'viewer' });
    await page.evaluate(() => {
      sessionStorage.setItem('token', 'old');
    });
    await page.reload();
    await page.getByTestId('desk-viewer').waitFor();
    await closePage(page);
  },
);

test(
  'a wall or a desk of no meeting, of another one or of an ended one says so and offers ways on',
  { tag: '@more' },
  async ({ server, chromium }) => {
    const alice = await server.api.as('alice');
    const { meetId, numericId } = await bookMeeting(alice, 'Soon over');
    const ways = (page: Page) => page.getByTestId(/^way-/);
    const out = await newPage(chromium);
    for (const address of ['/terminalstatus', '/terminalstatus?meetId=nonsense']) {
      await out.goto(`${server.url}/#${address}`);
      await expect(out.getByRole('heading', { level: 1 })).toHaveText('This address names no meeting');
      await expect(ways(out)).toHaveText(['Sign in', 'Join a meeting by number']);
    }
    await out.goto(`${server.url}/#/terminalstatus?meetId=${meetId}`);
    await expect(out.getByRole('heading', { level: 1 })).toHaveText('Sign in to open this');
    await out.getByTestId('way-sign-in').click();
    await out.getByTestId('login-account').waitFor();
    expect(inAddress(out.url())).toContain(encodeURIComponent(`/terminalstatus?meetId=${meetId}`));

    // For other users, as if it did not exist.
    const bob = await server.api.as('bob');
    const { meetId: foreign } = await bookMeeting(bob, 'Of others');
    const page = await newPage(chromium);
    await signInByToken(page, server, 'carol');
    for (const id of [foreign, '00000000-0000-4000-8000-000000000000']) {
      await page.goto(`${server.url}/#/terminalstatus?meetId=${id}`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('This cannot be opened');
      await expect(page.getByRole('main')).toContainText('There is no such meeting');
      await expect(ways(page)).toHaveText('My meetings');
    }
    await closePage(page);

    const host = await newPage(chromium);
    await signInByToken(host, server, 'alice');
    await host.goto(`${server.url}/#/terminalstatus?meetId=${meetId}`);
    await expect(host.getByRole('heading', { level: 1 })).toHaveText('The conference has not begun');
    const api = await hostApi(host, server);
    await api.conferences.join({ body: { numericId } });
    await host.getByTestId('status-wall').waitFor();
    const { url } = await link(api, meetId, 'viewer');
    await out.goto(url);
    await out.getByTestId('desk-viewer').waitFor();
    await api.conferences.end({ params: { meetId } });

    // Desks already open, and desks opened afterwards.
    await expect(host.getByRole('heading', { level: 1 })).toHaveText('The conference is over');
    await host.reload();
    await expect(host.getByRole('heading', { level: 1 })).toHaveText('The conference is over');
    await expect(out.getByRole('main')).toContainText('You can close this page');
    await out.reload();
    await expect(out.getByRole('main')).toContainText(/You can close this page|host/);
    await out.getByTestId('way-number').click();
    await out.getByTestId('join-number').waitFor();
    await host.getByTestId('way-details').click();
    await expect(host.getByTestId('meeting-detail')).toContainText('Soon over');
    await host.goto(`${server.url}/#/meetingControl?meetId=${meetId}`);
    await expect(host.getByTestId('meeting-control')).toContainText('This meeting has ended.');
    await host.getByTestId('way-details').click();
    await expect(host.getByTestId('meeting-detail')).toContainText('Soon over');
    for (const one of [host, out]) await closePage(one);
  },
);

/** API calls with the session of a signed-in page: a sign-in by API would end that session. */
async function hostApi(page: Page, server: RunningServer): Promise<Api> {
  return server.api.withToken((await page.evaluate(() => sessionStorage.getItem('token'))) ?? '');
}
