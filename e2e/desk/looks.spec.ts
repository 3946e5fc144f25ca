import { closePage } from '@rmeet/testkit';
import { LOOKS, looksRight } from '../pages.ts';
import { busyConference, MEET_ID, reportOf, termIdOf } from './busy-conference.ts';
import { openDeskFixture } from './fixture.ts';
import { expect, pressAction, test } from './support.ts';

const [WIDE, NARROW] = [
  { width: 1280, height: 800 },
  { width: 820, height: 1180 },
];
/**
 * Sizes with the least space for text in both languages; intermediate sizes and a wall in one language, because text
 * has enough room there.
 */
const SIZES = {
  'zh-CN': [WIDE, NARROW, { width: 1024, height: 768 }],
  'en-US': [WIDE, NARROW, { width: 3840, height: 2160 }],
};

for (const locale of LOOKS) {
  for (const size of SIZES[locale]) {
    test(`the desk and the status wall in ${locale}, ${size.width} wide`, async ({ server, chromium }) => {
      const busy = busyConference(60, { now: Date.now() });
      const { page, push } = await openDeskFixture(chromium, server.url, busy, { locale, size });
      await page.getByTestId('desk').waitFor();
      push({
        topic: `meeting:${MEET_ID}`,
        reports: Object.fromEntries(busy.state.terminals.map(({ termId }, at) => [termId, reportOf(at, () => 0.5)])),
      });
      await expect(page.getByTestId(`desk-streams-${termIdOf(5)}`)).toContainText('9');
      await looksRight(page, 'list');
      await page.getByTestId(`desk-more-${termIdOf(3)}`).click();
      await looksRight(page, 'menu');
      await page.keyboard.press('Escape');
      await page.getByTestId('desk-grouping').selectOption('department');
      await page.getByTestId('desk-select-all').click();
      await page.getByTestId('desk-tab-log').click();
      await looksRight(page, 'groups, selection and log');
      await page.getByTestId('desk-layout-wall').click();
      await page.getByTestId('desk-tab-quality').click();
      await looksRight(page, 'wall and troubles');
      await page.goto(`${server.url}/#/terminalstatus?meetId=${MEET_ID}`);
      await page.getByTestId(`status-term-${termIdOf(0)}`).waitFor();
      await looksRight(page, 'status wall');
      await closePage(page);
    });
  }

  test(`dialogs and empty states of the desk in ${locale}`, async ({ server, chromium }) => {
    const busy = busyConference(12, { now: Date.now() });
    const { page, push } = await openDeskFixture(chromium, server.url, busy, { locale });
    await page.getByTestId('desk').waitFor();
    push({ topic: `meeting:${MEET_ID}`, reports: { [termIdOf(5)]: reportOf(5, () => 0.5) } });
    await page.getByTestId(`desk-streams-${termIdOf(5)}`).click();
    await expect(page.getByTestId('desk-diagnosis')).toHaveAttribute('data-cause', 'lossUp');
    await looksRight(page, 'streams');
    await page.keyboard.press('Escape');
    await page.getByTestId('desk-open-help').click();
    await looksRight(page, 'keys');
    await page.keyboard.press('Escape');
    await pressAction(page, 'desk-entry');
    await looksRight(page, 'entry');
    await page.keyboard.press('Escape');
    await page.getByTestId(`desk-remove-${termIdOf(1)}`).click();
    await looksRight(page, 'remove');
    await page.keyboard.press('Escape');
    await page.getByTestId('desk-tab-absent').click();
    await page.getByTestId('desk-search').fill('nobody is called this');
    await page.getByTestId('state-empty').waitFor();
    await looksRight(page, 'nobody found, and who is missing');
    await closePage(page);
  });
}

test('actions without permission are not shown; impossible actions show the reason', async ({ server, chromium }) => {
  const busy = busyConference(10, { can: ['mute', 'camera'] });
  const { page, calls } = await openDeskFixture(chromium, server.url, busy, { locale: 'en-US' });
  await page.getByTestId('desk').waitFor();
  for (const testId of ['desk-mute-all', 'desk-lock', 'desk-end', 'desk-extend', `desk-remove-${termIdOf(1)}`])
    await expect(page.getByTestId(testId)).toHaveCount(0);
  await page.keyboard.press('Shift+M');
  const phone = page.getByTestId(`desk-camera-${termIdOf(8)}`);
  await expect(phone).toHaveAttribute('aria-disabled', 'true');
  await expect(phone).toHaveAttribute('title', 'Cannot, because this kind of terminal has no such device');
  await phone.click({ force: true });
  expect(calls.filter((call) => call.startsWith('POST') && !call.endsWith('/watch'))).toEqual([]);
  await closePage(page);
});

test('the desk shows bad quality with its cause, and one press applies the remedy', async ({ server, chromium }) => {
  const busy = busyConference(10);
  const { page, push, calls } = await openDeskFixture(chromium, server.url, busy, { locale: 'en-US' });
  await page.getByTestId('desk').waitFor();
  push({ topic: `meeting:${MEET_ID}`, reports: { [termIdOf(5)]: reportOf(5, () => 0.5) } });
  await page.getByTestId('desk-tab-quality').click();
  const trouble = page.getByTestId(`desk-trouble-${termIdOf(5)}`);
  await expect(trouble).toContainText('loses 9 %: drop its top layer, to 360p');
  await trouble.getByTestId('desk-remedy').click();
  await expect.poll(() => calls).toContain(`POST /api/api/v1/conferences/${MEET_ID}/commands`);
  await closePage(page);
});

test('a lost connection is shown, and the last state stays visible', async ({ server, chromium }) => {
  const { page, drop } = await openDeskFixture(chromium, server.url, busyConference(10), { locale: 'en-US' });
  await page.getByTestId('desk').waitFor();
  await drop();
  await expect(page.getByTestId('desk-reconnecting')).toBeVisible();
  await expect(page.getByTestId(`desk-term-${termIdOf(0)}`)).toBeVisible();
  await closePage(page);
});
