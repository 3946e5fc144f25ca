import { LOOKS, signInByToken } from '../pages.ts';
import { bookMeeting, expect, join, test, violations } from '../support.ts';

for (const locale of LOOKS) {
  test.describe(locale, () => {
    test('login, with and without an error', async ({ server, open }) => {
      const page = await open('alice', { locale });
      await page.goto(`${server.url}/#/login`);
      await page.getByTestId('login-submit').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.getByTestId('login-account').fill(`nobody-${locale}`);
      await page.getByTestId('login-password').fill('wrong');
      await page.getByTestId('login-submit').click();
      await page.getByTestId('login-error').waitFor();
      expect(await violations(page)).toEqual([]);
    });

    test('my meetings: agenda, empty table, details, booking', async ({ server, open }) => {
      const page = await open('alice', { locale });
      await signInByToken(page, server, 'alice');
      await page.goto(server.url);
      // Meetings that ended today are folded.
      const name = page.getByTestId('meeting-name').filter({ visible: true }).first();
      await name.waitFor();
      expect(await violations(page), 'agenda').toEqual([]);
      await name.click();
      await page.getByTestId('meeting-detail').waitFor();
      expect(await violations(page), 'details').toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByTestId('meeting-new').click();
      await page.getByTestId('meeting-subject').waitFor();
      expect(await violations(page), 'booking').toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByTestId('view-list').click();
      await page.getByTestId('meeting-search').fill('no meeting is called this');
      await page.getByTestId('state-empty').waitFor();
      expect(await violations(page), 'empty list').toEqual([]);
    });

    test('join, then the meeting room with its panels', async ({ server, open }) => {
      const { numericId: number, password } = await bookMeeting(await server.api.as('carol'), 'Accessible');
      const page = await open('carol', { locale });
      await page.goto(`${server.url}/#/join?number=${number}`);
      await page.getByTestId('join-submit').waitFor();
      expect(await violations(page), 'join').toEqual([]);
      // The host has the option to end the meeting for all.
      await signInByToken(page, server, 'carol');
      await page.goto(server.url);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await join(page, server, { number, password });
      await page.getByTestId('toolbar-leave').waitFor();
      expect(await violations(page), 'room').toEqual([]);
      await page.getByTestId('toolbar-people').click();
      await page.getByTestId('people-panel').waitFor();
      expect(await violations(page), 'people').toEqual([]);
      await page.getByTestId('toolbar-chat').click();
      await page.getByTestId('chat-panel').waitFor();
      expect(await violations(page), 'chat').toEqual([]);
      await page.getByTestId('toolbar-share').click();
      await page.getByTestId('share-bar').waitFor();
      await page.getByTestId('toolbar-view').click();
      await page.getByTestId('view-menu').waitFor();
      expect(await violations(page), 'sharing, and choosing a view').toEqual([]);
      await page.getByTestId('toolbar-leave').click();
      await page.getByTestId('leave-dialog').waitFor();
      expect(await violations(page), 'leaving').toEqual([]);
      await page.getByTestId('leave-end-all').click();
      await page.getByTestId('call-ended').waitFor();
      expect(await violations(page), 'ended').toEqual([]);
    });

    test('not found', async ({ server, open }) => {
      const page = await open('carol', { locale });
      await page.goto(`${server.url}/#/404`);
      await page.getByRole('heading').first().waitFor();
      expect(await violations(page)).toEqual([]);
    });
  });
}

for (const still of [true, false]) {
  test(
    `with ${still ? 'reduced motion' : 'animations'}, menus, choices and forms open and close alike`,
    { tag: '@more' },
    async ({ server, open }) => {
      const page = await open('chair', { still });
      await signInByToken(page, server, 'admin');
      await page.goto(`${server.url}/manage/#/users`);
      await page.getByTestId('row-more').nth(1).click();
      await expect(page.getByTestId('row-reset')).toBeInViewport();
      await page.keyboard.press('Escape');
      await expect(page.getByTestId('row-reset')).toBeHidden();
      await page.getByTestId('user-new').click();
      await expect(page.getByTestId('form-submit')).toBeInViewport();
      await expect(page.getByTestId('field-account')).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(page.getByTestId('form-submit')).toBeHidden();
    },
  );
}
