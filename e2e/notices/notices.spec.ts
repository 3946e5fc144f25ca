import type { Page } from '@playwright/test';
import { closePage, openPage, startMailServer, type MailServer, type RunningServer } from '@rmeet/testkit';
import { bookMeeting } from '../support.ts';
import {
  expect,
  failing,
  LOCALES,
  LOOKS,
  LONG_NAME,
  looksRight,
  retype,
  tabTo,
  test as base,
  tryAgain,
} from '../pages.ts';

const LANGUAGE = LOCALES[0] ?? 'zh-CN';
const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

/** A server that delivers its mail to a real mail server. */
const test = base.extend<object, { mail: MailServer }>({
  mail: [
    async ({}, use) => {
      const mail = await startMailServer();
      await use(mail);
      await mail.close();
    },
    { scope: 'worker' },
  ],
  serverSettings: async ({ mail }, use) =>
    use({ RMEET_SMTP_URL: `smtp://127.0.0.1:${mail.port}`, RMEET_MAIL_FROM: 'meetings@example.org' }),
});

/** Empties a person's notice centre; returns how to invite them. */
async function emptyCentre(server: RunningServer, account: string) {
  const { notices, user } = await server.api.as(account);
  await notices.markAllRead();
  await notices.clearRead();
  return { kind: 'user' as const, userId: user.id };
}

test('the bell counts by push; a notice leads to its meeting and is marked read', async ({ server, visit }) => {
  const alice = await server.api.as('alice');
  const { userId } = (await bookMeeting(alice, 'Who am I')).host;
  const page = await visit('alice', '/', '/myMeeting', { locale: LANGUAGE, size: WIDE });
  await page.getByTestId('notice-bell').waitFor();
  const chair = await server.api.as('chair');
  const subject = `Told of it ${LONG_NAME}`;
  await chair.meetings.createNetwork({
    body: {
      subject,
      startTime: new Date(Date.now() + 7_200_000).toISOString(),
      duration: 30,
      password: '4821',
      participants: [{ kind: 'user', userId }],
    },
  });
  await expect(page.getByTestId('notice-unread')).toHaveText('1');
  await page.getByTestId('notice-bell').click();
  await expect(page.getByTestId('notice-row')).toContainText(subject);
  await page.getByTestId('notice-open').click();
  await expect(page.getByTestId('meeting-detail')).toContainText(subject);
  await expect(page.getByTestId('notice-unread')).toHaveCount(0);
});

test(
  'notices that arrive while the page is still connecting are counted, too',
  { tag: '@more' },
  async ({ server, chromium }) => {
    const carol = await emptyCentre(server, 'carol');
    const me = await server.api.as('carol');
    const page = await openPage(chromium, { locale: LANGUAGE, size: WIDE });
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.routeWebSocket('**/api/**', (socket) =>
      socket.connectToServer().onMessage((message) => void held.then(() => socket.send(message))),
    );
    await page.context().setStorageState({
      cookies: [],
      origins: [{ origin: server.url, localStorage: [{ name: 'token', value: me.token }] }],
    });
    const counted = page.waitForResponse((response) => new URL(response.url()).pathname.endsWith('/notices'));
    await page.goto(`${server.url}/#/myMeeting`);
    await counted;
    await bookMeeting(await server.api.as('chair'), 'Told too early', { participants: [carol] });
    await expect.poll(async () => (await me.notices.list({ query: {} })).unread).toBe(1);
    letGo();
    await expect(page.getByTestId('notice-unread')).toHaveText('1');
    await closePage(page);
  },
);

test(
  'the badge is up to date on every page, and while the page is hidden',
  { tag: '@more' },
  async ({ server, visit }) => {
    const carol = await emptyCentre(server, 'carol');
    const page = await visit('carol', '/', '/userInfo', { locale: LANGUAGE, size: WIDE });
    await page.getByTestId('notice-bell').waitFor();
    const chair = await server.api.as('chair');
    await bookMeeting(chair, 'Told on another page', { participants: [carol] });
    await expect(page.getByTestId('notice-unread')).toHaveText('1');
    await page.evaluate(`(() => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' });
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
    document.dispatchEvent(new Event('visibilitychange'));
  })()`);
    await bookMeeting(chair, 'Told while hidden', { participants: [carol] });
    await expect(page.getByTestId('notice-unread')).toHaveText('2');
  },
);

test(
  'more notices are loaded on request, and a badge counts to 99 at most',
  { tag: '@more' },
  async ({ server, visit }) => {
    const carol = await emptyCentre(server, 'carol');
    const chair = await server.api.as('chair');
    for (let n = 0; n < 100; n += 20)
      await Promise.all(
        Array.from({ length: 20 }, (_, i) => bookMeeting(chair, `Many ${n + i}`, { participants: [carol] })),
      );
    const page = await visit('carol', '/', '/myMeeting', { locale: LANGUAGE, size: PHONE });
    await expect(page.getByTestId('notice-unread')).toHaveText('99+');
    await page.getByTestId('notice-bell').click();
    const rows = page.getByTestId('notice-row');
    await expect(rows).toHaveCount(20);
    for (const shown of [40, 60, 80, 100]) {
      await page.getByTestId('notice-more').click();
      await expect(rows).toHaveCount(shown);
    }
    await expect(page.getByTestId('notice-more')).toHaveCount(0);
    await page.getByTestId('notice-all-read').click();
    await expect(page.getByTestId('notice-unread')).toHaveCount(0);
    // Read notices are loaded page by page, too.
    await expect(page.locator('[data-testid="notice-row"][data-unread="false"]')).toHaveCount(20);
    await expect(page.getByTestId('notice-more')).toBeVisible();
  },
);

test('notices are deleted by keys, one and all read ones, here and in the other windows', async ({ server, visit }) => {
  const carol = await emptyCentre(server, 'carol');
  const chair = await server.api.as('chair');
  for (const name of ['first', 'second', 'third', 'fourth'])
    await bookMeeting(chair, `Cleared ${name}`, { participants: [carol] });
  const page = await visit('carol', '/', '/myMeeting', { locale: LANGUAGE, size: WIDE });
  const other = await page.context().newPage();
  await other.goto(`${server.url}/#/myMeeting`);
  await other.getByTestId('notice-bell').click();
  await expect(other.getByTestId('notice-row')).toHaveCount(4);
  await page.getByTestId('notice-bell').click();
  const rowOf = (on: Page, name: string) => on.getByTestId('notice-row').filter({ hasText: `Cleared ${name}` });
  await rowOf(page, 'fourth').getByTestId('notice-clear').focus();
  await page.keyboard.press('Enter');
  for (const on of [page, other]) await expect(rowOf(on, 'fourth')).toHaveCount(0);
  // Keyboard users continue from there.
  await expect(rowOf(page, 'third').getByTestId('notice-open')).toBeFocused();
  for (const name of ['third', 'second']) {
    await rowOf(page, name).getByTestId('notice-mark').click();
    // It moves to those that are read, and the rows below move up.
    await expect(rowOf(page, name)).toHaveAttribute('data-unread', 'false');
  }
  await page.getByTestId('notice-clear-read').click();
  await page.getByTestId('question-cancel').click();
  await expect(page.getByTestId('notice-row')).toHaveCount(3);
  await page.getByTestId('notice-clear-read').click();
  await page.getByTestId('question-ok').click();
  for (const on of [page, other]) {
    await expect(on.getByTestId('notice-row')).toHaveCount(1);
    await expect(rowOf(on, 'first')).toHaveAttribute('data-unread', 'true');
  }
  await expect(page.getByTestId('notice-unread')).toHaveText('1');
  await rowOf(page, 'first').getByTestId('notice-clear').click();
  await expect(page.getByTestId('state-empty')).toBeVisible();
  await expect(page.getByTestId('notice-unread')).toHaveCount(0);
});

test('all are marked read by keyboard, and a failure to load is shown', async ({ server, visit }) => {
  const { userId } = (await bookMeeting(await server.api.as('bob'), 'Who is bob')).host;
  const chair = await server.api.as('chair');
  for (const name of ['first', 'second'])
    await bookMeeting(chair, `Bob's ${name}`, { participants: [{ kind: 'user', userId }] });
  const page = await visit('bob', '/', '/myMeeting', { locale: LANGUAGE, size: WIDE });
  await expect(page.getByTestId('notice-unread')).toHaveText('2');
  await tabTo(page, 'notice-bell');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-testid="notice-row"][data-unread="true"]')).toHaveCount(2);
  await tabTo(page, 'notice-all-read');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('notice-unread')).toHaveCount(0);
  await expect(page.locator('[data-testid="notice-row"][data-unread="false"]')).toHaveCount(2);
  await page.getByTestId('notice-unread-only').check();
  await expect(page.getByTestId('state-empty')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('notice-drawer')).toHaveCount(0);
  await page.reload();
  await page.getByTestId('notice-bell').waitFor();
  const mend = await failing(page, '/api/api/v1/notices');
  await page.getByTestId('notice-bell').click();
  await expect(page.getByTestId('state-error')).toBeVisible();
  await tryAgain(page, mend, page.getByTestId('notice-row').first());
  await expect(page.getByTestId('notice-row')).toHaveCount(2);
});

test(
  'the host sees how each recipient was reached, and sends again after a question',
  { tag: '@more' },
  async ({ server, mail, visit }) => {
    const carol = await server.api.as('carol');
    // The first recipient is rejected permanently.
    mail.refusals.push(550);
    const meeting = await bookMeeting(carol, 'Reaching people', {
      minutesFromNow: 120,
      participants: [
        { kind: 'mail', email: 'one@example.org' },
        { kind: 'mail', email: 'two@example.org' },
      ],
    });
    const page = await visit('carol', '/', `/myMeeting?open=${meeting.meetId}`, { locale: LANGUAGE, size: WIDE });
    const withStatus = (status: string) =>
      page
        .getByTestId('notice-recipient')
        .filter({ has: page.locator(`[data-testid="notice-status"][data-status="${status}"]`) });
    await expect(withStatus('SUCCESS').filter({ hasText: '@example.org' })).toHaveCount(1, { timeout: 30_000 });
    await expect(withStatus('FAIL').locator('strong')).not.toBeEmpty();
    await withStatus('FAIL').scrollIntoViewIfNeeded();
    await looksRight(page, 'recipients');
    const told = () =>
      mail.received.filter(({ subject }) => subject.includes('Reaching people')).flatMap(({ to }) => to);
    await page.getByTestId('notice-resend').click();
    await page.getByTestId('question-cancel').click();
    const before = told().length;
    await page.getByTestId('notice-resend').click();
    await page.getByTestId('question-ok').click();
    await expect(page.getByTestId('toast-success')).toBeVisible();
    await expect(withStatus('SUCCESS').filter({ hasText: '@example.org' })).toHaveCount(2, { timeout: 30_000 });
    expect(told().slice(before)).toEqual(expect.arrayContaining(['one@example.org', 'two@example.org']));
  },
);

test('a text is written with placeholders, previewed, protected when left, and reset', async ({ visit }) => {
  const page = await visit('admin', '/manage/', '/noticeTexts?open=invitation.sms.en', {
    locale: LANGUAGE,
    size: WIDE,
  });
  const text = page.getByTestId('notice-text-text');
  await text.click();
  await retype(page, 'Come to ');
  await page.getByTestId('notice-chip-subject').click();
  await expect(text).toHaveValue('Come to {subject}');
  await expect(page.getByTestId('notice-preview')).toContainText('Come to ');
  await expect(page.getByTestId('notice-preview')).not.toContainText('{subject}');
  await page.getByTestId('form-dismiss').click();
  await page.getByTestId('question-cancel').click();
  await text.press('End');
  await page.keyboard.type(' {nobody}');
  await page.getByTestId('form-submit').click();
  await expect(page.getByTestId('notice-text-drawer').getByRole('alert')).toContainText('{nobody}');
  for (let presses = 0; presses < ' {nobody}'.length; presses += 1) await text.press('Backspace');
  await page.getByTestId('form-submit').click();
  await expect(page.getByTestId('notice-text-drawer')).toHaveCount(0);
  const row = page.getByTestId('notice-text').filter({ hasText: 'Come to {subject}' });
  await row.getByTestId('notice-text-edit').click();
  await page.getByTestId('notice-text-reset').click();
  await page.getByTestId('question-ok').click();
  await expect(row).toHaveCount(0);
});

test('unsaved settings are restored when the page is opened again', async ({ visit }) => {
  const page = await visit('admin', '/manage/', '/noticeTexts', { locale: LANGUAGE, size: WIDE });
  const reminder = page.getByTestId('notice-reminder');
  const before = await reminder.inputValue();
  await reminder.selectOption('5');
  await page.locator('nav a[href$="#/users"]').first().click();
  await expect(page).toHaveURL(/#\/users/);
  await page.goBack();
  await expect(reminder).toHaveValue('5');
  await page.getByTestId('settings-undo').click();
  await page.locator('nav a[href$="#/users"]').first().click();
  await page.goBack();
  await expect(reminder).toHaveValue(before);
});

test('the reminder and the gateway are set, and a test message shows its result', async ({ server, visit }) => {
  const page = await visit('admin', '/manage/', '/noticeTexts', { locale: LANGUAGE, size: WIDE });
  await page.getByTestId('notice-reminder').selectOption('30');
  await page.getByTestId('notice-gateway').click();
  await page.getByTestId('settings-save').click();
  // The URL is missing.
  await expect(page.getByTestId('gateway-url')).toHaveAttribute('aria-invalid', 'true');
  await page.getByTestId('gateway-url').fill('https://127.0.0.1:1/sms');
  await page.getByTestId('gateway-secret').fill('k7Wm2xQe');
  await page.getByTestId('settings-save').click();
  await expect(page.getByTestId('toast-success').or(page.locator('.form-field-error')).first()).toBeVisible();
  const stored = await (await server.api.as('admin')).notices.settings();
  // A gateway on this machine itself may be forbidden; the error is then shown at its URL field.
  if (stored.gateway === null) expect(stored.reminderMinutes).not.toBe(30);
  else expect(stored).toMatchObject({ reminderMinutes: 30, gateway: { hasSecret: true } });

  await page.getByTestId('gateway-service').selectOption('aliyun');
  await page.getByTestId('settings-save').click();
  await expect(page.getByTestId('gateway-accessKey')).toBeFocused();
  await page.getByTestId('gateway-accessKey').fill('LTAI5t');
  await page.getByTestId('gateway-signName').fill('某某医院');
  await page.getByTestId('gateway-codeTemplate').fill('SMS_123456789');
  await page.getByTestId('gateway-secret').fill('k7Wm2xQe');
  await page.getByTestId('settings-save').click();
  await expect(page.getByTestId('settings-undo')).toBeDisabled();
  expect(await (await server.api.as('admin')).notices.settings()).toMatchObject({
    gateway: { provider: { kind: 'aliyun', accessKey: 'LTAI5t', textTemplate: '' }, hasSecret: true },
  });
});

for (const locale of LOOKS) {
  test(`templates look right in ${locale}`, async ({ visit }) => {
    const page = await visit('admin', '/manage/', '/noticeTexts', { locale, size: WIDE });
    await page.getByTestId('notice-text').first().waitFor();
    await page.getByTestId('notice-gateway').waitFor();
    await looksRight(page, `templates ${locale}`);
    // Other scenarios may have left it on.
    const gateway = page.getByTestId('notice-gateway');
    if ((await gateway.getAttribute('aria-checked')) !== 'true') await gateway.click();
    await page.getByTestId('gateway-service').selectOption('tencent');
    await page.getByTestId('gateway-appId').scrollIntoViewIfNeeded();
    await looksRight(page, `gateway ${locale}`);
    await page.getByTestId('settings-undo').click();
    await page.getByTestId('notice-text-edit').first().click();
    await page.getByTestId('notice-preview').locator('iframe').waitFor();
    await looksRight(page, `text ${locale}`);
  });

  test(`the notice centre looks right in ${locale}`, async ({ visit }) => {
    for (const size of [WIDE, PHONE]) {
      const page = await visit('chair', '/', '/myMeeting', { locale, size });
      await page.getByTestId('notice-bell').click();
      await page.getByTestId('notice-unread-only').waitFor();
      await looksRight(page, `notice centre ${locale} ${size.width}`);
    }
  });
}
