import { joinAsTerminal } from '@rmeet/testkit';
import type { Page } from '@playwright/test';
import { chooseInHostMenu, commands, expect, test } from './support.ts';

const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
] as const;

/** Names, buttons and marks of pictures that a notice covers. */
const coveredBy = (page: Page, notice: string): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const over = document.querySelector('${notice}')?.getBoundingClientRect();
    if (over === undefined) throw new Error('there is no notice');
    const others = '.tile-label, .toolbar button, .room-header button, .tile-tools button, .panel-header button';
    return [...document.querySelectorAll(others)].flatMap((element) => {
      const box = element.getBoundingClientRect();
      const isApart =
        box.right <= over.left || box.left >= over.right || box.bottom <= over.top || box.top >= over.bottom;
      return isApart || box.width === 0 ? [] : [element.className + ': ' + element.innerText];
    });
  })()`);

test('a person muted by the chair sees one message with the way out, which covers nothing', async ({
  gather,
  server,
}) => {
  const meeting = await gather();
  const { muteAll, unmuteAll, entry } = commands(meeting);
  for (const name of ['Alice', 'Carol', 'Dora']) {
    const { number: numericId, password } = meeting;
    await joinAsTerminal(server.api, server.url, { numericId, password, name });
  }
  const { page } = await meeting.enter('bob');
  const mic = page.getByTestId('toolbar-mic');
  const notice = page.getByTestId('toast-warning');
  const stageBox = () => page.locator('.stage').boundingBox();
  await expect(page.locator('.tile')).toHaveCount(4);

  await test.step('where they may unmute', async () => {
    await entry({ allowSelfUnmute: true });
    await muteAll([], true);
    await expect(notice).toContainText('The chair has muted you.');
    await expect(notice).toHaveCount(1);
    await expect(mic).toHaveAccessibleName('Unmute');
    await expect(mic).toHaveAccessibleDescription('The chair has muted you.');
    await page.getByTestId('toast-action').click();
    await expect(mic).toHaveAccessibleName('Mute');
    await expect(notice).toHaveCount(0);
  });
  for (const size of SIZES) {
    await test.step(`at ${size.width} by ${size.height}`, async () => {
      await page.setViewportSize(size);
      await unmuteAll();
      await expect(mic).toHaveAccessibleName('Mute');
      await expect(notice).toHaveCount(0);
      const before = await stageBox();
      await muteAll([], false);
      await expect(notice).toContainText('Raise your hand to ask for the floor.');
      expect(await stageBox()).toEqual(before);
      expect(await coveredBy(page, '.toast')).toEqual([]);
    });
  }
  await test.step('where not, the button raises their hand', async () => {
    await expect(mic).toHaveAccessibleName('Ask to speak');
    await mic.click();
    await expect(page.getByTestId('toast-success')).toContainText('Your hand is raised.');
    await expect(page.getByTestId('hand-in-line').or(page.locator('.tile-hand'))).toHaveCount(1);
  });
});

test('the undo notice of the chair covers no names and no controls', { tag: '@more' }, async ({ gather, server }) => {
  const meeting = await gather();
  const { number: numericId, password } = meeting;
  await joinAsTerminal(server.api, server.url, { numericId, password, name: 'Alice' });
  const { page } = await meeting.enter('chair');
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await chooseInHostMenu(page, 'entry-mute');
    await expect(page.getByTestId('undo-notice')).toBeVisible();
    expect(await coveredBy(page, '.undo-notice')).toEqual([]);
  }
});
