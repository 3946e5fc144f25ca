import { closePage, levelsOf, openPage } from '@rmeet/testkit';
import type { Page } from '@playwright/test';
import { expect, LOCALES, looksRight, stopUdp, test } from '../pages.ts';
import { bookMeeting } from '../support.ts';
import { countEffort } from './support.ts';

const SIZES = { 'zh-CN': { width: 1_440, height: 900 }, 'en-US': { width: 390, height: 844 } } as const;
const WORDS = {
  'zh-CN': {
    join: '加入会议',
    other: 'en',
    wrong: '会议密码错误',
    wrongOther: 'The meeting password is wrong',
    left: '您已离开会议',
    nobody: '暂无人入会',
    one: '1 人',
  },
  'en-US': {
    join: 'Join',
    other: 'zh',
    wrong: 'The meeting password is wrong',
    wrongOther: '会议密码错误',
    left: 'You left the meeting',
    nobody: 'Nobody yet',
    one: '1 person',
  },
} as const;

/** The page has exactly one primary button, and all of it is in sight. */
async function hasOneWayOn(page: Page, testId: string): Promise<void> {
  await expect(page.locator('.button-primary')).toHaveCount(1);
  await expect(page.getByTestId(testId)).toHaveClass(/button-primary/);
  await expect(page.getByTestId(testId)).toBeInViewport({ ratio: 1 });
}

for (const locale of LOCALES) {
  const words = WORDS[locale];

  test(`from an invitation link a guest types a name, presses Enter and is inside, in ${locale}`, async ({
    server,
    chromium,
  }) => {
    const subject = `First minute ${locale}`;
    const { meetId, numericId, password } = await bookMeeting(await server.api.as('chair'), subject);
    const isPhone = locale === 'en-US';
    const camera = isPhone ? { width: 180, height: 320, frameRate: 5 } : { width: 320, height: 180, frameRate: 5 };
    const page = await openPage(chromium, { locale, size: SIZES[locale], media: { camera } });
    try {
      await page.goto(`${server.url}/#/join?number=${numericId}&pwd=${password}`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(subject);
      await expect(page.getByTestId('join-meeting')).toContainText('Chair');
      await expect(page.getByTestId('join-inside')).toHaveText(words.nobody);
      for (const field of ['join-number', 'join-password']) await expect(page.getByTestId(field)).toHaveCount(0);
      await expect(page.getByTestId('join-name')).toBeFocused();
      await expect(page.getByTestId('join-submit')).toHaveText(words.join);
      await hasOneWayOn(page, 'join-submit');
      // An upright picture is shown whole: its sides may be cut, its head may not.
      await expect(page.locator('.preview video')).toHaveCSS('object-fit', isPhone ? 'contain' : 'cover');
      await looksRight(page, 'card');

      const effort = await countEffort(page);
      await page.keyboard.type('Dana');
      await page.keyboard.press('Enter');
      await page.getByTestId('toolbar-leave').waitFor();
      expect(await effort()).toEqual({ clicks: 0, fields: 1 });

      const chair = await server.api.as('chair');
      const known = await chair.conferences.preJoin({ query: { numericId, meetId } });
      expect(known.meeting?.inside).toEqual({ count: 1, names: ['Dana'] });
      await page.getByTestId('toolbar-leave').click();
      await expect(page.getByTestId('call-ended')).toContainText(words.left);
      await expect(page.getByTestId('end-stay')).toContainText(words.one);
      await hasOneWayOn(page, 'end-again');
      await looksRight(page, 'end');
    } finally {
      await closePage(page);
    }
  });

  test(`a link with a wrong password reveals nothing and asks for it, in the chosen language, in ${locale}`, async ({
    server,
    chromium,
  }) => {
    const subject = `Hidden ${locale}`;
    const { numericId, password } = await bookMeeting(await server.api.as('chair'), subject);
    const page = await openPage(chromium, { locale, size: SIZES[locale] });
    try {
      await page.goto(`${server.url}/#/join?number=${numericId}&pwd=x${password}&name=Dana`);
      await expect(page.getByTestId('join-error')).toContainText(words.wrong);
      await expect(page.getByText(subject)).toHaveCount(0);
      await expect(page.getByTestId('join-password')).toBeFocused();
      await page.getByTestId(`language-${words.other}`).click();
      await expect(page.getByTestId('join-error')).toContainText(words.wrongOther);
      await page.getByTestId('join-password').fill(password);
      await page.keyboard.press('Enter');
      await page.getByTestId('toolbar-leave').waitFor();
    } finally {
      await closePage(page);
    }
  });
}

test('a member sees on the card who is inside, and joins by one click or Enter', async ({ server, visit }) => {
  const chair = await server.api.as('chair');
  const [alice] = await chair.meetings.invitees({ query: { keyword: 'alice' } });
  const { numericId } = await bookMeeting(chair, 'Members see names', {
    participants: [{ kind: 'user', userId: alice?.userId ?? '' }],
  });
  await chair.conferences.join({ body: { numericId } });
  const page = await visit('alice', '/', '/myMeeting', { locale: 'en-US' });
  await page.goto(`${server.url}/#/join?number=${numericId}`);
  await expect(page.getByTestId('join-inside')).toHaveText('Chair');
  await expect(page.locator('.join-entry input')).toHaveCount(0);
  await expect(page.getByTestId('join-submit')).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByTestId('toolbar-leave').waitFor();
});

test('a waiting person sees for what and for whom, and can still test the devices', async ({ server, chromium }) => {
  const { numericId, password } = await bookMeeting(await server.api.as('chair'), 'Ward round', { waitingRoom: true });
  const page = await openPage(chromium, { locale: 'en-US', size: SIZES['en-US'] });
  try {
    await page.goto(`${server.url}/#/join?number=${numericId}&pwd=${password}&name=Dana`);
    await page.getByTestId('join-meeting').waitFor();
    await page.keyboard.press('Enter');
    const room = page.getByTestId('waiting-room');
    await expect(room).toContainText('Ward round');
    await expect(page.getByTestId('waiting-meeting')).toContainText('Chair');
    await page.getByTestId('preview-mic').click();
    await expect(page.getByTestId('level')).toContainText('Your microphone is off.');
    await page.getByTestId('preview-check').click();
    await expect(page.getByTestId('check-media')).toHaveAttribute('data-state', 'ok');
    await page.keyboard.press('Escape');
    await page.getByTestId('language-zh').click();
    await expect(room).toContainText('请等待主持人准入');
    await looksRight(page, 'waiting');
    await page.getByTestId('waiting-leave').click();
    await expect(page.getByTestId('call-ended')).toBeVisible();
    await expect(page.getByTestId('end-stay')).toHaveCount(0);
  } finally {
    await closePage(page);
  }
});

test('devices and connection are checked on the card, against the media engine', async ({ server, chromium }) => {
  const page = await openPage(chromium, { locale: 'en-US', size: SIZES['en-US'] });
  try {
    await page.goto(`${server.url}/#/join`);
    await page.getByTestId('preview-check').click();
    for (const step of ['server', 'media', 'quality'])
      await expect(page.getByTestId(`check-${step}`)).toHaveAttribute('data-state', 'ok');
    await expect(page.getByTestId('check-quality')).toContainText(/Good: \d+ ms round trip, \d/);
    await expect(page.getByTestId('device-check').getByTestId('level')).toHaveAttribute('data-hearing', 'heard');

    const speaker = page.getByTestId('speaker-test');
    await page.getByTestId('speaker-play').click();
    const isChime = async () => (await levelsOf(page)).some(({ tone }) => Math.abs(tone - 587) < 20);
    await expect.poll(isChime, { intervals: [50] }).toBe(true);
    await page.getByTestId('speaker-unheard').click();
    await expect(speaker).toContainText('Choose another speaker');
    await page.getByTestId('speaker-play').click();
    await page.getByTestId('speaker-heard').click();
    await expect(speaker).toContainText('Your speaker works.');
    await looksRight(page, 'device check');
  } finally {
    await closePage(page);
  }
});

test('a network that blocks UDP is reported, with the port to open', { tag: '@more' }, async ({ server, chromium }) => {
  const page = await openPage(chromium, { locale: 'zh-CN' });
  try {
    await page.goto(`${server.url}/#/join`);
    await page.getByTestId('preview-check').waitFor();
    await stopUdp(page);
    await page.getByTestId('preview-check').click();
    await expect(page.getByTestId('check-server')).toHaveAttribute('data-state', 'ok');
    const media = page.getByTestId('check-media');
    await expect(media).toHaveAttribute('data-state', 'failed', { timeout: 30_000 });
    await expect(media).toContainText(`UDP 端口 ${server.run().media[0]?.udpPort ?? ''}`);
    await expect(page.getByTestId('check-quality')).toHaveAttribute('data-words', 'skipped');
    await looksRight(page, 'UDP blocked');
  } finally {
    await closePage(page);
  }
});

test('the page reports a silent microphone, and what is off stays off after a reload', async ({ server, chromium }) => {
  const page = await openPage(chromium, { locale: 'en-US', media: { tone: 0 } });
  try {
    await page.goto(`${server.url}/#/join`);
    await page.getByTestId('preview-camera').click();
    await expect(page.getByTestId('level')).toContainText('We hear nothing from your microphone.');
    await page.getByTestId('preview-mic').click();
    await expect(page.getByTestId('level')).toContainText('Your microphone is off.');
    await page.reload();
    for (const device of ['preview-mic', 'preview-camera'])
      await expect(page.getByTestId(device)).toHaveAttribute('aria-pressed', 'false');
  } finally {
    await closePage(page);
  }
});
