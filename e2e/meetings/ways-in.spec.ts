import { closePage, openPage } from '@rmeet/testkit';
import type { Page } from '@playwright/test';
import { expect, LOCALES, test } from '../pages.ts';
import { bookMeeting } from '../support.ts';

const SIZES = { 'zh-CN': { width: 1_440, height: 900 }, 'en-US': { width: 390, height: 844 } } as const;
const TOMORROW = 24 * 60;
const WORDS = {
  'zh-CN': { starts: /会议将于明天 \d\d:\d\d 开始/, enter: '仍要现在进入', back: '返回', signInAgain: '重新登录' },
  'en-US': {
    starts: /The meeting starts tomorrow, \d\d:\d\d/,
    enter: 'Enter now anyway',
    back: 'Back',
    signInAgain: 'Sign in again',
  },
} as const;

/** Checks that the join page asks for none of these. */
async function asksNothing(page: Page, subject?: string): Promise<void> {
  await page.getByTestId('join-submit').waitFor();
  for (const field of ['join-number', 'join-password', 'join-name'])
    await expect(page.getByTestId(field)).toHaveCount(0);
  if (subject !== undefined) {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(subject);
    await expect(page.getByTestId('join-meeting')).toBeVisible();
  }
}

const fits = (page: Page): Promise<boolean> => page.evaluate('document.documentElement.scrollWidth <= innerWidth');

async function enters(page: Page): Promise<void> {
  await page.getByTestId('join-submit').click();
  await page.getByTestId('toolbar-leave').waitFor();
}

/** Leaves the room, which continues for others. */
async function leaves(page: Page): Promise<void> {
  await page.getByTestId('toolbar-leave').click();
  await page.getByTestId('leave-only').click();
  await page.getByTestId('call-ended').waitFor();
}

async function signsIn(page: Page, account: string): Promise<void> {
  await page.getByTestId('login-account').fill(account);
  await page.getByTestId('login-password').fill('Rmeet-demo-1');
  await page.getByTestId('login-submit').click();
}

for (const locale of LOCALES) {
  const size = SIZES[locale];
  const words = WORDS[locale];

  test(`a host is asked for nothing on any way into a meeting, in ${locale}`, async ({ server, visit }) => {
    const subject = `Ways in ${locale}`;
    const { meetId, numericId, guestUrl } = await bookMeeting(await server.api.as('chair'), subject);
    const page = await visit('chair', '/', `/myMeeting?open=${meetId}`, { locale, size });
    await page.getByTestId('detail-join').click();
    await asksNothing(page, subject);
    for (const link of [
      `${server.url}/#/join?number=${numericId}`,
      guestUrl,
      `${server.url}/#/meetingControl?meetId=${meetId}`,
    ]) {
      await page.goto(link);
      if (link.includes('meetingControl')) await page.getByTestId('control-join').click();
      await asksNothing(page, subject);
    }
    expect(await fits(page)).toBe(true);
    await page.goto(`${server.url}/#/myMeeting?q=${encodeURIComponent(subject)}`);
    await page.getByTestId('meeting-row').filter({ hasText: subject }).getByTestId('meeting-start').click();
    await asksNothing(page, subject);
    await enters(page);
    await page.reload();
    await asksNothing(page, subject);
    await enters(page);
  });

  test(`a link opened signed out leads through the sign-in straight back to the meeting, in ${locale}`, async ({
    server,
    chromium,
  }) => {
    const subject = `Signed out ${locale}`;
    const { numericId } = await bookMeeting(await server.api.as('chair'), subject);
    const page = await openPage(chromium, { locale, size });
    try {
      await page.goto(`${server.url}/#/join?number=${numericId}`);
      for (const [field, count] of [
        ['join-number', 0],
        ['join-password', 1],
        ['join-name', 1],
      ] as const)
        await expect(page.getByTestId(field)).toHaveCount(count);
      expect(await fits(page)).toBe(true);
      await page.getByTestId('join-sign-in').click();
      await signsIn(page, 'chair');
      await asksNothing(page, subject);
      await enters(page);

      // The account signs in elsewhere; this page notices when it tries to rejoin.
      await server.api.as('chair');
      await leaves(page);
      await page.getByTestId('end-again').click();
      await page.getByRole('dialog').getByRole('button', { name: words.signInAgain }).click();
      await signsIn(page, 'chair');
      await asksNothing(page, subject);
      await enters(page);
    } finally {
      await closePage(page);
    }
  });

  test(`an uninvited colleague is asked only for the password, in ${locale}`, async ({ server, visit }) => {
    const { numericId, password, guestUrl } = await bookMeeting(await server.api.as('chair'), `Not invited ${locale}`);
    const page = await visit('carol', '/', '/myMeeting', { locale, size });
    await page.goto(guestUrl);
    await asksNothing(page);
    await page.goto(`${server.url}/#/join?number=${numericId}`);
    await page.getByTestId('join-password').waitFor();
    for (const field of ['join-number', 'join-name']) await expect(page.getByTestId(field)).toHaveCount(0);
    await page.getByTestId('join-password').fill(password);
    await enters(page);
    await page.getByTestId('toolbar-people').click();
    await expect(page.getByTestId('person').filter({ hasText: 'Carol' })).not.toContainText(
      locale === 'zh-CN' ? '访客' : 'Guest',
    );
  });

  test(`entering a meeting of tomorrow asks first, and keeps its booked times, in ${locale}`, async ({
    server,
    visit,
  }) => {
    const subject = `Tomorrow ${locale}`;
    const { meetId, numericId, startTime } = await bookMeeting(await server.api.as('chair'), subject, {
      minutesFromNow: TOMORROW,
    });
    const page = await visit('chair', '/', `/myMeeting?open=${meetId}`, { locale, size });
    await page.getByTestId('detail-start').click();
    const question = page.getByRole('dialog').filter({ hasText: words.starts });
    await question.getByRole('button', { name: words.back, exact: true }).click();
    await expect(page.getByTestId('detail-start')).toBeEnabled();

    await page.getByTestId('detail-join').click();
    await expect(page.getByTestId('join-early')).toContainText(words.starts);
    await asksNothing(page, subject);
    await expect(page.getByTestId('join-submit')).toHaveText(words.enter);
    expect(await fits(page)).toBe(true);
    await page.getByTestId('join-back').click();
    await page.getByTestId('account-menu').waitFor();

    await page.goto(`${server.url}/#/join?number=${numericId}`);
    await expect(page.getByTestId('join-submit')).toHaveText(words.enter);
    await enters(page);

    const admin = await server.api.as('admin');
    expect(await admin.meetings.detail({ params: { id: meetId } })).toMatchObject({
      startTime,
      duration: 60,
      status: 'ONLINE',
      can: { edit: true, cancel: true },
    });
    const { records } = await admin.meetings.list({
      query: { scope: 'upcoming', keyword: subject, tenantWide: 'true' },
    });
    expect(records.map((one) => one.meetId)).toEqual([meetId]);
    await admin.meetings.cancel({ params: { id: meetId }, query: {} });
    await expect(page.getByTestId('call-ended')).toHaveAttribute('data-end', 'cancelled');
  });
}
