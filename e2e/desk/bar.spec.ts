import { closePage } from '@rmeet/testkit';
import type { Page } from '@playwright/test';
import { LOCALES, looksRight } from '../pages.ts';
import { busyConference, MEET_ID, termIdOf } from './busy-conference.ts';
import { openDeskFixture } from './fixture.ts';
import { expect, test } from './support.ts';

interface Box {
  id: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** All actions of the desk, by test id. */
const ACTIONS = [
  'mute-all',
  'unmute-all',
  'admit-all',
  'lock',
  'entry',
  'call-all',
  'mode-AUTO',
  'mode-SPEAKER',
  'mode-EQUAL',
  'speaker-off',
  'layout',
  'content',
  'captions',
  'polling',
  'scenes',
  'record',
  'extend',
  'end',
].map((name) => `desk-${name}`);
const COMMANDS = `POST /api/api/v1/conferences/${MEET_ID}/commands`;

/** Where the visible elements that match a selector are. */
function boxes(page: Page, selector: string): Promise<Box[]> {
  return page.evaluate<Box[]>(`[...document.querySelectorAll(${JSON.stringify(selector)})]
    .filter((each) => each.checkVisibility())
    .map((each) => {
      const { x, y, width, height } = each.getBoundingClientRect();
      return { id: each.dataset.testid ?? each.textContent, x, y, width, height };
    })`);
}

const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width - 1 && b.x < a.x + a.width - 1 && a.y < b.y + b.height - 1 && b.y < a.y + a.height - 1;

/** Checks that the bar is one row within the page whose controls cover nothing of each other; returns their ids. */
async function oneRow(page: Page): Promise<string[]> {
  const row = await boxes(page, '[data-testid="desk-acts"] .desk-act');
  const width = page.viewportSize()?.width ?? 0;
  expect(new Set(row.map(({ y }) => Math.round(y))).size, 'rows').toBe(1);
  for (const [at, one] of row.entries()) {
    expect(one.x + one.width, `${one.id} is on the page`).toBeLessThanOrEqual(width);
    // The buttons of a switch share their borders.
    for (const other of row.slice(at + 1)) expect(overlap(one, other), `${one.id} covers ${other.id}`).toBe(false);
  }
  return row.map(({ id }) => id);
}

for (const locale of LOCALES)
  test(`60 people, ${locale}: all actions fit in one row, or are in its menu`, async ({ server, chromium }) => {
    const busy = busyConference(60, { now: Date.now() });
    const { page } = await openDeskFixture(chromium, server.url, busy, { locale });
    const more = page.getByTestId('desk-more-acts');
    await page.getByTestId('desk').waitFor();
    for (const width of [1280, 1440, 1024, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await expect(async () => {
        const shown = await oneRow(page);
        expect(shown).toEqual(expect.arrayContaining(['desk-mute-all', 'desk-admit-all', 'desk-lock', 'desk-end']));
      }).toPass();
      // A wide page has no menu.
      if (await more.isHidden()) {
        expect(await oneRow(page)).toEqual(expect.arrayContaining(ACTIONS));
        continue;
      }
      await more.click();
      await page.getByTestId('desk-more-menu').waitFor();
      const [shown, rest] = [await oneRow(page), await boxes(page, '[data-testid="desk-more-menu"] .desk-act')];
      expect([...shown, ...rest.map(({ id }) => id)].toSorted()).toEqual([...ACTIONS, 'desk-more-acts'].toSorted());
      if (width === 1280) await looksRight(page, 'menu of actions');
      await page.keyboard.press('Escape');
      await expect(more).toBeFocused();
    }
    // A panel opened out of the menu belongs to its button.
    await more.click();
    await page.getByTestId('desk-content').click();
    await page.getByTestId('desk-content-panel').waitFor();
    await page.keyboard.press('Escape');
    await expect(more).toBeFocused();
    await closePage(page);
  });

test('active, open and important controls look different, and not by colour alone', async ({ server, chromium }) => {
  const { page } = await openDeskFixture(chromium, server.url, busyConference(12), { locale: 'en-US' });
  const look = (testId: string) =>
    page.evaluate<{ fill: string; shape: string }>(`(() => {
      const style = getComputedStyle(document.querySelector('[data-testid="${testId}"]'));
      return { fill: style.backgroundColor, shape: style.boxShadow + style.fontWeight };
    })()`);
  await page.getByTestId('desk-layout').click();
  await page.getByTestId('desk-layout-panel').waitFor();
  const looks = {
    plain: await look('desk-unmute-all'),
    on: await look('desk-mode-SPEAKER'),
    open: await look('desk-layout'),
    primary: await look('desk-mute-all'),
    danger: await look('desk-end'),
  };
  expect(new Set(Object.values(looks).map(({ fill }) => fill)).size).toBe(5);
  expect(new Set([looks.plain, looks.on, looks.open].map(({ shape }) => shape)).size).toBe(3);
  // The same everywhere: the switch of the list, and what says in words that it is on.
  expect((await look('desk-layout-list')).fill).toBe(looks.on.fill);
  expect(await look('desk-lock')).toEqual(looks.on);
  await closePage(page);
});

for (const locale of LOCALES)
  test(`the desk on a phone, ${locale}: preview, terminals and actions within reach of the thumb`, async ({
    server,
    chromium,
  }) => {
    const size = { width: 390, height: 844 };
    const busy = busyConference(60, { now: Date.now() });
    const { page, calls } = await openDeskFixture(chromium, server.url, busy, { locale, size });
    await page.getByTestId(`desk-term-${termIdOf(0)}`).waitFor();
    await looksRight(page, 'phone');
    const row = await boxes(page, '[data-testid="desk-acts"] .desk-act');
    expect(row.map(({ id }) => id)).toEqual([
      'desk-mute-all',
      'desk-admit-all',
      'desk-lock',
      'desk-layout',
      'desk-more-acts',
    ]);
    const [first] = await boxes(page, `[data-testid="desk-term-${termIdOf(1)}"]`);
    const [preview] = await boxes(page, '[data-testid="desk-preview"]');
    expect(first?.y).toBeGreaterThan((preview?.y ?? 0) + (preview?.height ?? 0));
    const thumb = [...row, ...(await boxes(page, `[data-testid="desk-term-${termIdOf(1)}"] .desk-act`))];
    for (const { id, width, height } of thumb) {
      expect(height, id).toBeGreaterThanOrEqual(44);
      expect(width, id).toBeGreaterThanOrEqual(40);
    }
    const before = calls.length;
    await page.getByTestId(`desk-mic-${termIdOf(1)}`).click();
    await expect.poll(() => calls.slice(before)).toContain(COMMANDS);
    await page.getByTestId('desk-layout').click();
    await page.getByTestId('desk-layout-panel').waitFor();
    const [sheet] = await boxes(page, '[data-testid="desk-layout-panel"]');
    expect(sheet).toMatchObject({ x: 0, width: 390 });
    expect((sheet?.y ?? 0) + (sheet?.height ?? 0)).toBe(844);
    expect(sheet?.height).toBeGreaterThan(700);
    await looksRight(page, 'phone, layout');
    await page.keyboard.press('Escape');
    await page.getByTestId('desk-more-acts').click();
    await page.getByTestId('desk-content').click();
    await page.getByTestId('desk-content-panel').waitFor();
    const isCut = await page.evaluate<boolean>(
      `(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.querySelector('.desk-sheet'))`,
    );
    expect(isCut, 'the longest name widens the panel').toBe(false);
    await page.keyboard.press('Escape');
    await page.getByTestId('desk-more-acts').click();
    await looksRight(page, 'phone, menu');
    await page.getByTestId('desk-end').click();
    await expect(page.getByTestId('question')).toBeVisible();
    await page.getByTestId('question-cancel').click();
    await page.getByTestId('desk-tab-waiting').click();
    await looksRight(page, 'phone, waiting');
    await expect(page.getByTestId(`desk-term-${termIdOf(0)}`)).toHaveCount(0);
    await closePage(page);
  });

test('the message about an action covers neither names nor controls, and shifts nothing', async ({
  server,
  chromium,
}) => {
  const { page } = await openDeskFixture(chromium, server.url, busyConference(60, { now: Date.now() }), {
    locale: 'en-US',
  });
  for (const size of [
    { width: 1440, height: 900 },
    { width: 1280, height: 800 },
    { width: 1024, height: 768 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    await page.getByTestId(`desk-term-${termIdOf(0)}`).waitFor();
    const things = '.desk button, .desk input, .desk select, .desk-title p span, .desk-name, .desk-facts-line li';
    const around = (await boxes(page, things)).filter(({ id }) => id !== 'desk-undo');
    await page.getByTestId('desk-mute-all').click();
    await page.getByTestId('desk-done').waitFor();
    const [notice] = await boxes(page, '[data-testid="desk-done"]');
    if (notice === undefined) throw new Error('nothing was told');
    const isPhone = size.width === 390;
    // On a phone it is over the header, which has no controls.
    const covered = around.filter((each) => overlap(notice, each) && !(isPhone && each.y < 60));
    expect(covered.map(({ id }) => id)).toEqual([]);
    const now = (await boxes(page, things)).filter(({ id }) => id !== 'desk-undo');
    expect(
      now.map(({ y }) => y),
      'nothing moves',
    ).toEqual(around.map(({ y }) => y));
  }
  await closePage(page);
});
