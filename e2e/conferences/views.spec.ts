import { showsColour, tilesOf, until, type TilePicture } from '@rmeet/testkit';
import type { Locator, Page } from '@playwright/test';
import { isStill } from './layouts-support.ts';
import { expect, screenColour, seesAlike, seesLarge, seesPeople, test, type Attendee } from './support.ts';

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Where an element is once nothing moves. */
async function boxOf(page: Page, element: Locator): Promise<Box> {
  await until('the pictures are at rest', () => isStill(page));
  const box = await element.boundingBox();
  if (box === null) throw new Error('it is not on the page');
  return box;
}

/** The corner of the stage that an element is in. */
async function cornerOf(page: Page, element: Locator): Promise<string> {
  const [box, stage] = [await boxOf(page, element), await boxOf(page, page.locator('.stage'))];
  const isTop = box.y + box.height / 2 < stage.y + stage.height / 2;
  const isLeft = box.x + box.width / 2 < stage.x + stage.width / 2;
  return `${isTop ? 'top' : 'bottom'} ${isLeft ? 'left' : 'right'}`;
}

const tile = (page: Page, { termId }: Attendee, kind = ''): Locator => page.getByTestId(`tile-${termId}${kind}`);

/** The shared picture that a page shows. */
async function sharedOn(page: Page): Promise<TilePicture | null> {
  const all = Object.entries(await tilesOf(page));
  return all.find(([testId]) => testId.endsWith('-screen'))?.[1] ?? null;
}

test(
  'two people see each other large, and themselves small in a corner of their choice, or hidden',
  // oxlint-disable-next-line max-lines-per-function -- One scenario, step by step.
  async ({ gather }) => {
    const meeting = await gather();
    const [alice, bob] = [
      await meeting.enter('alice'),
      await meeting.enter('bob', { size: { width: 390, height: 844 }, upright: true }),
    ];
    const { page } = alice;
    const own = tile(page, alice);
    await seesPeople(page, ['alice', 'bob']);
    for (const who of [alice, bob]) {
      await seesLarge(who.page, who === alice ? 'bob' : 'alice');
      expect(await cornerOf(who.page, tile(who.page, who))).toBe('bottom right');
    }
    const large = await boxOf(page, tile(page, bob));
    expect(large.width / large.height).toBeCloseTo(16 / 9, 1);
    await test.step('an upright picture is whole', async () => {
      const video = tile(page, bob).locator('video');
      expect(await boxOf(page, video)).toEqual(large);
      await expect(video).toHaveCSS('object-fit', 'contain');
    });

    await test.step('moved by keyboard', async () => {
      await own.getByTestId('tool-move').press('ArrowUp');
      expect(await cornerOf(page, own)).toBe('top right');
      await own.getByTestId('tool-move').press('Enter');
      expect(await cornerOf(page, own)).toBe('bottom right');
    });
    await test.step('dragged', async () => {
      const [from, stage] = [await boxOf(page, own), await boxOf(page, page.locator('.stage'))];
      await page.mouse.move(from.x + 20, from.y + from.height - 20);
      await page.mouse.down();
      await page.mouse.move(stage.x + stage.width * 0.4, stage.y + stage.height * 0.7, { steps: 3 });
      await page.mouse.up();
      expect(await cornerOf(page, own)).toBe('bottom left');
      const [name, moved] = [await boxOf(page, tile(page, bob).locator('.tile-name')), await boxOf(page, own)];
      expect(moved.y + moved.height).toBeLessThanOrEqual(name.y);
    });
    await test.step('hidden, and shown again', async () => {
      await own.hover();
      await own.getByTestId('tool-hide').click();
      await expect(own).toHaveCount(0);
      await expect(tile(bob.page, alice)).toBeVisible();
      await page.getByTestId('toolbar-view').click();
      await page.getByTestId('view-hideSelf').uncheck();
      await expect(own).toBeVisible();
    });
    await test.step('not mirrored', async () => {
      const isMirrored = () =>
        page.evaluate<boolean>(
          `getComputedStyle(document.querySelector('[data-own=true] video')).transform !== 'none'`,
        );
      expect(await isMirrored()).toBe(true);
      await page.getByTestId('view-mirror').uncheck();
      expect(await isMirrored()).toBe(false);
      await page.keyboard.press('Escape');
      await expect(page.getByTestId('view-menu')).toHaveCount(0);
      await expect(page.getByTestId('toolbar-view')).toBeFocused();
    });
    await test.step('remembered', async () => {
      await page.getByTestId('toolbar-leave').click();
      await page.getByTestId('call-ended').waitFor();
      await page.reload();
      await page.getByTestId('join-submit').click();
      const again = page.locator('[data-own=true][data-area=corner]');
      await again.waitFor();
      expect(await cornerOf(page, again)).toBe('bottom left');
    });
  },
);

test(
  'people choose a grid, the speaker, or several pictures, and hide people without video',
  // oxlint-disable-next-line max-lines-per-function -- One scenario, step by step.
  async ({ gather }) => {
    const meeting = await gather();
    const [alice, bob, carol] = [
      await meeting.enter('alice'),
      await meeting.enter('bob'),
      await meeting.enter('carol'),
    ];
    const { page } = alice;
    await seesPeople(page, ['alice', 'bob', 'carol']);

    await test.step('G: a grid of 16:9, and back', async () => {
      await page.keyboard.press('g');
      await seesAlike(page, ['alice', 'bob', 'carol']);
      const { width, height } = await boxOf(page, tile(page, bob));
      expect(width / height).toBeCloseTo(16 / 9, 1);
      await page.keyboard.press('g');
      await page.getByTestId('toolbar-view').click();
      await expect(page.getByTestId('view-AUTO')).toBeChecked();
      await page.getByTestId('view-SPEAKER').check();
      await expect(page.locator('.stage [data-area=stage]')).toHaveCount(1);
    });
    await test.step('people without video are hidden while that is chosen', async () => {
      await page.getByTestId('view-hideWithoutVideo').check();
      await carol.page.getByTestId('toolbar-camera').click();
      await expect(tile(page, carol)).toHaveCount(0);
      await carol.page.getByTestId('toolbar-camera').click();
      await expect(tile(page, carol)).toBeVisible();
      await page.getByTestId('view-close').click();
    });
    await test.step('two pinned people are large until they are unpinned', async () => {
      for (const who of [bob, carol]) {
        await tile(page, who).hover();
        await tile(page, who).getByTestId('tool-pin').click();
      }
      await expect(page.locator('.stage [data-area=stage]')).toHaveCount(2);
      const [first, second] = [await boxOf(page, tile(page, bob)), await boxOf(page, tile(page, carol))];
      expect(first.width).toBe(second.width);
      expect((await boxOf(page, tile(page, alice))).width * 2).toBeLessThan(first.width);
      await page.getByTestId('toolbar-view').click();
      await page.getByTestId('view-unpin').click();
      await expect(page.locator('.stage [data-area=stage]')).toHaveCount(1);
      await page.getByTestId('view-close').click();
    });
    await test.step('I: a small window with the speaker, own devices and Leave', async () => {
      const [small] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('i')]);
      await expect(small.locator('.pip-name')).toHaveText(/Bob|Carol/);
      await expect
        .poll(() => small.evaluate<number>("document.querySelector('.pip video').videoWidth"))
        .toBeGreaterThan(0);
      await small.getByTestId('pip-mic').click();
      await expect(page.getByTestId('toolbar-mic')).toHaveAccessibleName('Unmute');
      await expect(small.getByTestId('pip-mic')).toHaveAccessibleName('Unmute');
      await page.keyboard.press('i');
      await expect.poll(() => small.isClosed()).toBe(true);
    });
    await test.step('a double click fills the screen with one picture', async () => {
      await tile(page, bob).dblclick();
      const filling = () => page.evaluate<string | undefined>('document.fullscreenElement?.dataset.testid');
      await expect.poll(filling).toBe(`tile-${bob.termId}`);
      await tile(page, bob).getByTestId('tool-full').click();
      await expect.poll(filling).toBeUndefined();
    });
  },
);

test(
  'a shared screen beside the people, enlarged, paused and stopped',
  // oxlint-disable-next-line max-lines-per-function -- One scenario, step by step.
  async ({ gather }) => {
    const meeting = await gather();
    const [alice, bob] = [await meeting.enter('alice'), await meeting.enter('bob')];
    const before = await boxOf(alice.page, alice.page.locator('.stage'));
    await alice.page.keyboard.press('s');
    const bar = alice.page.getByTestId('share-bar');
    await expect(bar).toContainText('You are sharing');
    expect(await boxOf(alice.page, alice.page.locator('.stage'))).toEqual(before);
    const content = tile(bob.page, alice, '-screen');
    await content.waitFor();

    await test.step('side by side', async () => {
      await bob.page.getByTestId('toolbar-view').click();
      await bob.page.getByTestId('view-SIDE').check();
      await bob.page.getByTestId('view-close').click();
      const [screen, person] = [await boxOf(bob.page, content), await boxOf(bob.page, tile(bob.page, alice))];
      expect(person.x).toBeGreaterThanOrEqual(screen.x + screen.width);
      expect(person.width).toBeGreaterThan(screen.width / 2);
    });
    await test.step('it is enlarged by the wheel, moved by keys, and reset', async () => {
      const video = content.locator('video');
      const [whole, pane] = [await boxOf(bob.page, video), content.getByTestId('zoom')];
      await pane.hover();
      await bob.page.keyboard.down('Control');
      await bob.page.mouse.wheel(0, -240);
      await bob.page.keyboard.up('Control');
      await expect.poll(async () => (await boxOf(bob.page, video)).width).toBeGreaterThan(whole.width * 1.5);
      const zoomed = await boxOf(bob.page, video);
      await pane.getByTestId('zoom-in').dblclick();
      await expect.poll(async () => (await boxOf(bob.page, video)).width).toBeGreaterThan(zoomed.width);
      expect(await bob.page.evaluate('document.fullscreenElement')).toBeNull();
      await pane.getByTestId('zoom-out').dblclick();
      await pane.press('ArrowRight');
      await expect.poll(async () => (await boxOf(bob.page, video)).x).toBeLessThan(zoomed.x);
      await pane.press('0');
      await expect.poll(() => boxOf(bob.page, video)).toEqual(whole);
    });
    await test.step('paused: the last picture stays and no longer moves', async () => {
      const counter = async () => (await sharedOn(bob.page))?.counter ?? null;
      await bar.getByTestId('share-pause').click();
      await expect(bar).toContainText('Paused: the others see the last picture');
      await until('the picture stands still', async () => {
        const first = await counter();
        await bob.page.evaluate('new Promise((resolve) => setTimeout(resolve, 300))');
        return first !== null && first === (await counter());
      });
      await bar.getByTestId('share-pause').click();
      const still = await counter();
      await expect.poll(counter).not.toBe(still);
      const picture = await sharedOn(bob.page);
      expect(picture !== null && showsColour(picture, screenColour)).toBe(true);
    });
    await test.step('smooth motion is chosen, and applies to the next share', async () => {
      await bar.getByTestId('share-options').click();
      await alice.page.getByTestId('share-motion').click();
      await bar.getByTestId('share-stop').click();
      await expect(content).toHaveCount(0);
      await alice.page.keyboard.press('s');
      await bar.getByTestId('share-options').click();
      await expect(alice.page.getByTestId('share-motion')).toHaveAttribute('aria-checked', 'true');
      await expect(alice.page.getByTestId('share-rate-30')).toHaveAttribute('aria-checked', 'true');
      await alice.page.keyboard.press('Escape');
    });
  },
);
