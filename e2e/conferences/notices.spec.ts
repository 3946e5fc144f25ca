import { joinAsTerminal, until } from '@rmeet/testkit';
import type { Locator, Page } from '@playwright/test';
import { isStill } from './layouts-support.ts';
import { chooseInHostMenu, commands, expect, test } from './support.ts';

const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
] as const;

/** Names and visible buttons that a notice covers. In one call: a button may be gone at the next. */
async function coveredBy(page: Page, notice: Locator): Promise<string[]> {
  const parts = page.locator('.tile-label, .toolbar button, .room-header button, .tile-tools button');
  return parts.evaluateAll(
    (all, over) =>
      all
        // The buttons of a picture are invisible until the pointer, or a tap, is on it.
        .filter((part) => part.checkVisibility({ opacityProperty: true }))
        .filter((part) => {
          const { left, right, top, bottom } = part.getBoundingClientRect();
          return right > over.x && left < over.x + over.width && bottom > over.y && top < over.y + over.height;
        })
        .map((part) => part.getAttribute('class') ?? ''),
    await boxOf(notice),
  );
}

async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (box === null) throw new Error('it is not on the page');
  return box;
}

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
  const { page } = await meeting.enter('bob', { size: SIZES[0] });
  const mic = page.getByTestId('toolbar-mic');
  const notice = page.getByTestId('toast-warning');
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
  await test.step('where not: the pictures keep their places, and names and buttons stay in sight', async () => {
    await unmuteAll();
    await expect(page.getByTestId('call-messages')).toBeEmpty({ timeout: 10_000 });
    const before = await boxOf(page.locator('.stage'));
    await muteAll([], false);
    await expect(notice).toContainText('Raise your hand to ask for the floor.');
    expect(await boxOf(page.locator('.stage'))).toEqual(before);
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await until('the pictures are at rest', () => isStill(page));
      await expect.poll(() => coveredBy(page, notice)).toEqual([]);
    }
  });
  await test.step('where not, the button raises their hand', async () => {
    await expect(mic).toHaveAccessibleName('Ask to talk');
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
    await page.mouse.move(5, 5);
    await expect.poll(() => coveredBy(page, page.getByTestId('undo-notice'))).toEqual([]);
  }
});
