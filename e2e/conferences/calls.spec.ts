import { closePage, openPage, until, type Api } from '@rmeet/testkit';
import type { Page } from '@playwright/test';
import { signInByToken } from '../pages.ts';
import { bookMeeting, expect, test as base, violations } from './support.ts';

const LONG_SUBJECT = '心内科与胸外科联合疑难病例讨论会'.repeat(5);

interface Running {
  meetId: string;
  number: string;
  host: Api;
  /** The states of absentees, by name. */
  states: () => Promise<Record<string, string>>;
  callAll: () => Promise<unknown>;
}

interface Fixtures {
  /** A running meeting of `chair` with these accounts invited. */
  run: (subject: string, ...accounts: string[]) => Promise<Running>;
  /** Opens a page of a signed-in account. */
  visit: (
    account: string,
    options?: { locale?: 'zh-CN' | 'en-US'; size?: { width: number; height: number } },
  ) => Promise<Page>;
}

const test = base.extend<Fixtures>({
  run: async ({ server }, use) => {
    const host = await server.api.as('chair');
    const ids: string[] = [];
    await use(async (subject, ...accounts) => {
      const people = await Promise.all(
        accounts.map(async (keyword) =>
          (await host.meetings.invitees({ query: { keyword } })).find(({ account }) => account === keyword),
        ),
      );
      const { meetId, numericId: number } = await bookMeeting(host, subject, {
        participants: people.map((person) => ({ kind: 'user', userId: person?.userId ?? '' })),
      });
      ids.push(meetId);
      await host.meetings.start({ params: { id: meetId }, body: { early: true } });
      const states = async (): Promise<Record<string, string>> =>
        Object.fromEntries(
          (await host.conferences.state({ params: { meetId } })).invitees.map(({ name, state }) => [name, state]),
        );
      return {
        meetId,
        number,
        host,
        states,
        callAll: () => host.conferences.callAll({ params: { res: 'rz' }, body: { meetId } }),
      };
    });
    for (const meetId of ids)
      if ((await host.meetings.detail({ params: { id: meetId } })).status === 'ONLINE')
        await host.conferences.end({ params: { meetId } });
  },
  visit: async ({ chromium, server }, use) => {
    const pages: Page[] = [];
    await use(async (account, options = {}) => {
      const page = await openPage(chromium, { locale: 'en-US', ...options });
      pages.push(page);
      await signInByToken(page, server, account);
      await page.goto(`${server.url}/#/myMeeting`);
      await page.getByTestId('account-menu').waitFor();
      return page;
    });
    for (const page of pages) await closePage(page);
  },
});

test('a called person reads who calls them into which meeting, and declines', async ({ run, visit }) => {
  const { callAll, states } = await run('Ward round', 'alice', 'bob');
  const alice = await visit('alice');
  const ring = alice.getByTestId('ring');
  await callAll();
  await expect(ring).toContainText('Chair is calling you into a meeting');
  await expect(ring).toContainText('Ward round');
  await expect(ring.getByTestId('ring-seconds')).toHaveText(/^(60|5\d) seconds left$/);
  expect((await states())['Alice']).toBe('ringing');

  await test.step('keys pressed on the page neither join nor decline, and the page stays usable', async () => {
    await expect(ring.getByRole('heading')).toBeFocused();
    await alice.keyboard.press('Enter');
    await alice.keyboard.press('Space');
    await expect(ring).toBeVisible();
    expect(await violations(alice)).toEqual([]);
  });
  await test.step('after declining it is over, and the desk shows that', async () => {
    await ring.getByTestId('ring-decline').click();
    await expect(ring).toBeHidden();
    await until(
      'the desk knows',
      async () => (await states())['Alice'] === 'declined' || Promise.reject(new Error('not yet')),
    );
  });
});

test('one click joins; people in the meeting are not called into it, and its end ends all rings', async ({
  run,
  visit,
}) => {
  const { number, meetId, host, callAll } = await run('Ward round', 'alice', 'bob');
  const [alice, bob] = [await visit('alice'), await visit('bob')];
  await callAll();
  await alice.getByTestId('ring-join').click();
  await expect(alice).toHaveURL(new RegExp(`#/join\\?number=${number}$`));
  await alice.getByTestId('join-submit').click();
  await alice.getByTestId('toolbar-leave').waitFor();
  await expect(bob.getByTestId('ring')).toBeVisible();
  await host.conferences.end({ params: { meetId } });
  await expect(bob.getByTestId('ring')).toBeHidden();
  await expect(alice.getByTestId('ring')).toBeHidden();
});

test('a page that is opened or reloaded during a ring rings, too', { tag: '@more' }, async ({ run, visit }) => {
  const { callAll } = await run('Ward round', 'bob');
  await callAll();
  const bob = await visit('bob');
  await expect(bob.getByTestId('ring')).toContainText('Ward round');
  await bob.reload();
  await expect(bob.getByTestId('ring')).toBeVisible();
});

test('calls queue up; a call put aside continues at the caller', { tag: '@more' }, async ({ run, visit }) => {
  const [first, second] = [await run('Ward round', 'carol'), await run('Case conference', 'carol')];
  const carol = await visit('carol');
  await first.callAll();
  const ring = carol.getByTestId('ring');
  await expect(ring).toContainText('Ward round');
  await second.callAll();
  await expect(ring).toContainText('1 more call');
  await carol.keyboard.press('Escape');
  await expect(ring).toContainText('Case conference');
  await ring.getByTestId('ring-later').click();
  await expect(ring).toBeHidden();
  expect([await first.states(), await second.states()]).toMatchObject([{ Carol: 'ringing' }, { Carol: 'ringing' }]);
});

test.describe(() => {
  // Chromium's headless shell shows no notifications.
  test.use({ light: false });

  test(
    'a hidden page rings by its title, and by a notification if those are allowed',
    { tag: '@more' },
    async ({ run, visit }) => {
      const { callAll } = await run('Ward round', 'carol');
      const carol = await visit('carol');
      const title = 'My meetings · Rmeet';
      await expect.poll(() => carol.title()).toBe(title);
      await carol.context().grantPermissions(['notifications']);
      await carol.evaluate(`
      Object.defineProperty(document, 'hidden', { get: () => true });
      const notes = [];
      Object.assign(window, { notes });
      const Original = Notification;
      window.Notification = class extends Original {
        constructor(title, options) { super(title, options); notes.push({ title, ...options, isOpen: true }); }
        close() { notes.forEach((note) => { note.isOpen = false; }); super.close(); }
      };
    `);
      await callAll();
      await expect.poll(() => carol.title(), { intervals: [150] }).toBe('Call: Ward round');
      await expect.poll(() => carol.title(), { intervals: [150] }).toBe(title);
      expect(await carol.evaluate('notes')).toMatchObject([
        { title: 'Call: Ward round', body: 'Chair is calling you into a meeting', isOpen: true },
      ]);
      await carol.getByTestId('ring-decline').click();
      await expect.poll(() => carol.evaluate('notes')).toMatchObject([{ isOpen: false }]);
      await expect.poll(() => carol.title(), { intervals: [150] }).toBe(title);
    },
  );
});

test(
  'a call in another meeting warns of leaving it; the ring stays silent once its sound was turned off',
  { tag: '@more' },
  async ({ run, visit }) => {
    const [here, there] = [await run('Ward round', 'bob'), await run('Case conference', 'bob')];
    const bob = await visit('bob', { locale: 'zh-CN' });
    await bob.goto(bob.url().replace(/#.*/, `#/join?number=${here.number}`));
    await bob.getByTestId('join-submit').click();
    await bob.getByTestId('toolbar-leave').waitFor();
    await there.callAll();
    const ring = bob.getByTestId('ring');
    await expect(ring).toContainText('加入后，您将离开当前会议。');
    await ring.getByTestId('ring-mute').click();
    await expect(ring.getByTestId('ring-mute')).toHaveText('打开铃声');
    await ring.getByTestId('ring-join').click();
    await expect(bob).toHaveURL(new RegExp(`number=${there.number}`));
    await bob.getByTestId('join-submit').click();
    await bob.getByTestId('toolbar-leave').waitFor();
    await until(
      'they are in the other meeting',
      async () => (await there.states())['Bob'] === undefined || Promise.reject(new Error('not yet')),
    );
    expect(await bob.evaluate('localStorage.getItem("ringMuted")')).toBe('1');
  },
);

test('it fits phones and reads well in Chinese', async ({ run, visit }) => {
  const { callAll } = await run(LONG_SUBJECT, 'alice');
  const alice = await visit('alice', { locale: 'zh-CN', size: { width: 360, height: 640 } });
  await callAll();
  const ring = alice.getByTestId('ring');
  await expect(ring).toContainText('Chair 正在呼叫您参加会议');
  for (const name of ['ring-join', 'ring-decline', 'ring-mute', 'ring-later'])
    await expect(ring.getByTestId(name)).toBeInViewport({ ratio: 1 });
  expect(await alice.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  expect(await violations(alice)).toEqual([]);
});
