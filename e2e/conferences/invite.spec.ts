import { closePage, openPage } from '@rmeet/testkit';
import type { Page } from '@playwright/test';
import { signInByToken } from '../pages.ts';
import { chooseInHostMenu, expect, test as base, violations } from './support.ts';

const PHONE = { width: 390, height: 844 };

interface Fixtures {
  /** Opens a page of a signed-in account. */
  visit: (account: string) => Promise<Page>;
}

const test = base.extend<Fixtures>({
  visit: async ({ chromium, server }, use) => {
    const pages: Page[] = [];
    await use(async (account) => {
      const page = await openPage(chromium, { locale: 'en-US' });
      pages.push(page);
      await signInByToken(page, server, account);
      await page.goto(`${server.url}/#/myMeeting`);
      await page.getByTestId('account-menu').waitFor();
      return page;
    });
    for (const page of pages) await closePage(page);
  },
});

test('the host finds a colleague, rings her, stops it, rings again, and she joins', async ({ gather, visit }) => {
  const meeting = await gather({ subject: 'Ward round' });
  const alice = await visit('alice');
  const { page } = await meeting.enter('chair');
  await page.getByTestId('toolbar-invite').click();
  const dialog = page.getByTestId('invite-dialog');
  await expect(dialog.getByTestId('inviting-search')).toBeFocused();
  await page.keyboard.type('ali');
  const row = dialog.getByTestId('inviting-alice');
  await row.getByTestId('inviting-call').click();
  await expect(alice.getByTestId('ring')).toContainText('Ward round');
  await expect(row.getByTestId('inviting-state')).toHaveText('Ringing…');
  await expect(dialog.getByTestId('inviting-search')).toBeFocused();

  await test.step('in the list of the invited the ring is stopped and repeated', async () => {
    await dialog.getByTestId('inviting-search').fill('');
    const invited = dialog.getByTestId('inviting-expected').getByRole('listitem').filter({ hasText: 'Alice' });
    await invited.getByTestId('inviting-cancel').click();
    await expect(alice.getByTestId('ring')).toBeHidden();
    await expect(invited.getByTestId('inviting-state')).toHaveText('Not here');
    expect(await violations(page)).toEqual([]);
    await invited.getByTestId('inviting-call').click();
    await alice.getByTestId('ring-join').click();
    await alice.getByTestId('join-submit').click();
    await alice.getByTestId('toolbar-leave').waitFor();
    await expect(invited.getByTestId('inviting-state')).toHaveText('Joined');
  });
  await test.step('a server without mail says so, and the text to copy says all', async () => {
    await dialog.getByTestId('inviting-search').fill('guest@example.org');
    await expect(dialog.getByTestId('inviting-address')).toContainText('This server cannot send email.');
    await dialog.getByTestId('invite-show').click();
    const text = dialog.getByTestId('invite-text');
    for (const part of [
      'Chair invites you',
      'Subject: Ward round',
      'When: ',
      '(UTC)',
      'Meeting number: ',
      'Join: http',
    ])
      await expect(text).toContainText(part);
    await expect(text).toContainText(meeting.password);
  });
});

test('on a phone the chair prepares a vote, opens it, follows it and shows the result', async ({ gather }) => {
  const meeting = await gather();
  const [chair, alice] = [await meeting.enter('chair', { size: PHONE }), await meeting.enter('alice')];
  const { page } = chair;
  await page.getByTestId('host-menu').click();
  const sheet = page.getByTestId('host-menu-menu');
  const { x, width, y, height } = (await sheet.boundingBox()) ?? { x: 0, width: 0, y: 0, height: 0 };
  expect([x, width, Math.round(y + height)]).toEqual([0, PHONE.width, PHONE.height]);
  await sheet.getByTestId('host-end').scrollIntoViewIfNeeded();
  await expect(sheet.getByTestId('host-end')).toBeInViewport({ ratio: 1 });
  await sheet.getByTestId('host-vote').click();

  const control = page.getByTestId('vote-control');
  await control.getByTestId('vote-question').fill('Adopt the minutes?');
  await control.getByTestId('vote-prepare').click();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await chooseInHostMenu(page, 'host-vote');
  await control.getByTestId('vote-start-0').click();

  await alice.page.getByTestId('vote-option-1').check();
  await alice.page.getByTestId('vote-submit').click();
  await expect(control.getByTestId('vote-progress')).toHaveText('Ballots: 1, people inside: 2');
  await control.getByTestId('vote-end').click();
  await expect(control.getByTestId('vote-counts')).toContainText('No: 1 (100%)');
  await expect(alice.page.getByTestId('vote-result-1')).toContainText('1 (100%)');
  await control.getByTestId('vote-dismiss').click();
  await expect(control.getByTestId('vote-prepared')).toHaveCount(0);
  await page.keyboard.press('Escape');

  await test.step('the title shows what the meeting is', async () => {
    await page.getByTestId('room-title').click();
    const details = page.getByTestId('meeting-details');
    await expect(details.getByTestId('details-password')).toHaveText(meeting.password);
    await expect(details.getByTestId('details-number')).toHaveText(meeting.number.replace(/(\d{3})(?=\d)/g, '$1 '));
    await page.keyboard.press('Escape');
    await expect(details).toBeHidden();
    await expect(page.getByTestId('room-title')).toBeFocused();
  });
});
