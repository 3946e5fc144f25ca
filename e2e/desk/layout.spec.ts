import type { Page } from '@playwright/test';
import { clicksOn, expect, pressAction, test } from './support.ts';

/** A page's stage, which names the layout it renders. */
const stageOf = (page: Page) => page.locator('.stage');

test('the chair changes the layout by two clicks, seats people by mouse and keyboard, and undoes it', async ({
  gather,
  openDesk,
}) => {
  const meeting = await gather();
  const [alice, bob] = [await meeting.enter('alice'), await meeting.enter('bob')];
  const desk = await openDesk(meeting);
  await expect(desk.getByTestId(`desk-term-${bob.termId}`)).toBeVisible();
  const seat = (at: number) => desk.getByTestId(`desk-seat-${at}`);
  await clicksOn(desk);

  await test.step('a layout takes two clicks', async () => {
    await desk.getByTestId('desk-layout').click();
    await desk.getByTestId('desk-layout-model-4').click();
    expect(await clicksOn(desk)).toBe(2);
    for (const { page } of [alice, bob]) await expect(stageOf(page)).toHaveAttribute('data-model', '4');
    await expect(desk.getByTestId('desk-layout-model-4')).toHaveAttribute('aria-pressed', 'true');
    await expect(desk.getByTestId('desk-answers')).toContainText('2 of 2 answered');
  });
  await test.step('terminals are seated from the tray, then from the list', async () => {
    await desk.getByTestId(`desk-tray-${bob.termId}`).dragTo(seat(2));
    await expect(alice.page.getByTestId(`tile-${bob.termId}`)).toHaveAttribute('data-seat', '2');
    await desk.getByTestId(`desk-term-${alice.termId}`).locator('.desk-drag').dragTo(seat(4));
    await expect(seat(4)).toHaveAttribute('data-source', alice.termId);
    await expect(bob.page.getByTestId(`tile-${alice.termId}`)).toHaveAttribute('data-seat', '4');
  });
  await test.step('one seat is dragged onto another: they swap', async () => {
    await seat(2).locator('.desk-seat-button').dragTo(seat(4));
    await expect(alice.page.getByTestId(`tile-${bob.termId}`)).toHaveAttribute('data-seat', '4');
    await expect(seat(2)).toHaveAttribute('data-source', alice.termId);
  });
  await test.step('by keyboard: choose a seat, then a terminal; Delete clears', async () => {
    await seat(1).locator('.desk-seat-button').focus();
    await desk.keyboard.press('Enter');
    await desk.keyboard.press('ArrowDown');
    await desk.keyboard.press('Enter');
    await expect(seat(1)).toHaveAttribute('data-source', 'SPEAKER');
    await expect(seat(1).locator('.desk-seat-button')).toBeFocused();
    await desk.keyboard.press('Delete');
    await expect(seat(1)).toHaveAttribute('data-source', '');
  });
  await test.step('content is docked, and own views are forbidden', async () => {
    await desk.getByTestId('desk-window-LEFT').click();
    await expect(desk.getByTestId('desk-window-LEFT')).toHaveAttribute('aria-pressed', 'true');
    await desk.getByTestId('desk-own-views').click();
    await expect(desk.getByTestId('desk-own-views')).not.toBeChecked();
  });
  await test.step('the log shows it, and undoes it', async () => {
    await desk.keyboard.press('Escape');
    await desk.getByTestId('desk-tab-log').click();
    const docked = desk.getByTestId('desk-log-window');
    await expect(docked).toContainText('Chat and content: Left');
    await expect(docked.getByTestId('desk-log-acks')).toContainText('2 of 2 answered');
    await docked.getByTestId('desk-log-undo').click();
    await expect(docked).toContainText('Taken back');
    await desk.keyboard.press('l');
    await expect(desk.getByTestId('desk-window-AUTO')).toHaveAttribute('aria-pressed', 'true');
  });
});

test(
  'a custom layout: places are added, moved and enlarged by keyboard and by mouse',
  { tag: '@more' },
  async ({ gather, openDesk }) => {
    const meeting = await gather();
    const alice = await meeting.enter('alice');
    const desk = await openDesk(meeting);
    await expect(desk.getByTestId(`desk-term-${alice.termId}`)).toBeVisible();
    await desk.keyboard.press('l');
    await desk.getByTestId('desk-layout-model-4').click();
    await expect(stageOf(alice.page)).toHaveAttribute('data-model', '4');
    await desk.getByTestId('desk-layout-model-CUSTOM').click();
    const place = (at: number) => desk.getByTestId(`desk-place-${at}`);
    await expect(place(4)).toHaveAttribute('data-place', '6 6 6 6');
    await expect(stageOf(alice.page)).toHaveAttribute('data-model', 'CUSTOM');

    await place(4).focus();
    for (const key of ['Shift+ArrowLeft', 'Shift+ArrowUp', 'ArrowRight', 'ArrowRight']) await desk.keyboard.press(key);
    await expect(place(4)).toHaveAttribute('data-place', '7 6 5 5');
    // A request made while the previous command is pending builds on that one.
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await desk.route('**/commands', async (route) => {
      await held;
      await route.continue();
    });
    await desk.getByTestId('desk-place-add').click();
    await expect(place(5)).toBeFocused();
    await desk.keyboard.press('Delete');
    await expect(place(5)).toHaveCount(0);
    await expect(place(4)).toBeFocused();
    letGo();
    const commands = async () =>
      (await meeting.host.conferences.state({ params: { meetId: meeting.meetId } })).commands.flatMap(
        ({ verb, input }) => (verb === 'layout' ? [(input['places'] as unknown[]).length] : []),
      );
    await expect.poll(async () => (await commands()).slice(0, 2)).toEqual([4, 5]);
    await expect(place(5)).toHaveCount(0);
    const box = await place(1).boundingBox();
    if (box === null) throw new Error('no place');
    // Half of its width is three twelfths of the screen.
    await desk.mouse.move(box.x + box.width - 5, box.y + box.height - 5);
    await desk.mouse.down();
    await desk.mouse.move(box.x + box.width / 2 - 5, box.y + box.height - 5, { steps: 4 });
    await desk.mouse.up();
    await expect(place(1)).toHaveAttribute('data-place', '0 0 3 6');

    await desk.getByTestId('desk-layout-model-AUTO').click();
    await expect(stageOf(alice.page)).toHaveAttribute('data-model', 'AUTO');
    await desk.getByTestId('desk-layout-model-CUSTOM').click();
    await expect(place(1)).toHaveAttribute('data-place', '0 0 3 6');
  },
);

test(
  'one terminal gets a layout of its own, marked on its row, and the common one again',
  { tag: '@more' },
  async ({ gather, openDesk }) => {
    const meeting = await gather();
    const [alice, bob] = [await meeting.enter('alice'), await meeting.enter('bob')];
    const desk = await openDesk(meeting);
    const row = desk.getByTestId(`desk-term-${bob.termId}`);
    await desk.getByTestId(`desk-more-${bob.termId}`).click();
    await desk.getByTestId('desk-menu-layout').click();
    await expect(desk.getByTestId('desk-one-state')).toContainText('Sees the common layout');
    await desk.getByTestId('desk-layout-model-2').click();
    await expect(stageOf(bob.page)).toHaveAttribute('data-model', '2');
    await expect(stageOf(alice.page)).toHaveAttribute('data-model', 'AUTO');
    await desk.getByTestId('desk-seat-1').locator('.desk-seat-button').click();
    await desk.getByTestId(`desk-tray-${alice.termId}`).click();
    await expect(bob.page.getByTestId(`tile-${alice.termId}`)).toHaveAttribute('data-seat', '1');
    await desk.keyboard.press('Escape');
    await expect(row.getByTestId('desk-mark-ownLayout')).toBeVisible();
    await desk.getByTestId(`desk-more-${bob.termId}`).click();
    await desk.getByTestId('desk-menu-commonLayout').click();
    await expect(stageOf(bob.page)).toHaveAttribute('data-model', 'AUTO');
    await expect(row.getByTestId('desk-mark-ownLayout')).toHaveCount(0);
  },
);

test('captions for all by three clicks, for one by its menu, reused and cleared', async ({ gather, openDesk }) => {
  const meeting = await gather();
  const [alice, bob] = [await meeting.enter('alice'), await meeting.enter('bob')];
  const desk = await openDesk(meeting);
  await expect(desk.getByTestId(`desk-term-${bob.termId}`)).toBeVisible();
  await clicksOn(desk);

  await test.step('open, write, send: at most three clicks, and all see it', async () => {
    await desk.getByTestId('desk-captions').click();
    await expect(desk.getByTestId('desk-captions-text')).toBeFocused();
    await desk.keyboard.type('Lunch at noon.\n午餐在十二点。');
    await expect(desk.getByTestId('desk-captions-preview')).toContainText('Lunch at noon.');
    await desk.getByTestId('desk-captions-send').click();
    expect(await clicksOn(desk)).toBeLessThanOrEqual(3);
    for (const { page } of [alice, bob]) await expect(page.getByTestId('captions')).toContainText('午餐在十二点。');
  });
  await test.step('for one: position, size, motion, time', async () => {
    await desk.keyboard.press('Escape');
    await desk.getByTestId(`desk-more-${bob.termId}`).click();
    await desk.getByTestId('desk-menu-captions').click();
    await desk.getByTestId('desk-captions-text').fill('Please come closer.');
    for (const choice of ['TOP', 'LARGE', 'scroll-LEFT']) await desk.getByTestId(`desk-captions-${choice}`).click();
    await desk.getByTestId('desk-captions-seconds').fill('600');
    await desk.keyboard.press('Control+Enter');
    const shown = bob.page.getByTestId('captions');
    await expect(shown).toContainText('Please come closer.');
    await expect(shown).toHaveAttribute('data-position', 'TOP');
    await expect(shown).toHaveAttribute('data-size', 'LARGE');
    await expect(shown).toHaveAttribute('data-scroll', 'LEFT');
    await expect(alice.page.getByTestId('captions')).toContainText('Lunch at noon.');
    await expect(desk.getByTestId('desk-captions-now')).toContainText(/until \d\d:\d\d:\d\d/);
    await desk.keyboard.press('Escape');
    await expect(desk.getByTestId(`desk-term-${bob.termId}`).getByTestId('desk-mark-ownBanner')).toBeVisible();
  });
  await test.step('recent captions are offered again, and cleared one by one', async () => {
    await desk.keyboard.press('c');
    await expect(desk.getByTestId('desk-captions-recent')).toHaveText(['Please come closer.', /Lunch at noon/]);
    await desk.getByTestId('desk-captions-recent').last().click();
    await expect(desk.getByTestId('desk-captions-text')).toHaveValue('Lunch at noon.\n午餐在十二点。');
    await desk.getByTestId(`desk-captions-clear-${bob.termId}`).click();
    await expect(bob.page.getByTestId('captions')).toContainText('Lunch at noon.');
    await desk.getByTestId('desk-captions-clear-ALL').click();
    for (const { page } of [alice, bob]) await expect(page.getByTestId('captions')).toHaveCount(0);
    await expect(desk.getByTestId('desk-captions-now')).toContainText('No captions are on');
    await desk.keyboard.press('Escape');
    await expect(desk.getByTestId('desk-captions-panel')).toHaveCount(0);
  });
});

test(
  'content: sharing is shown, locked to one terminal, held and allowed again',
  { tag: '@more' },
  async ({ gather, openDesk }) => {
    const meeting = await gather();
    const [alice, bob] = [await meeting.enter('alice'), await meeting.enter('bob')];
    const desk = await openDesk(meeting);
    const row = desk.getByTestId(`desk-term-${alice.termId}`);
    await pressAction(desk, 'desk-content');
    await expect(desk.getByTestId('desk-content-nobody')).toBeVisible();
    await desk.keyboard.press('Escape');
    await alice.page.getByTestId('toolbar-share').click();
    await expect(row.getByTestId('desk-mark-sharing')).toBeVisible();

    await test.step('locked to the sharing terminal', async () => {
      await pressAction(desk, 'desk-content');
      await desk.getByTestId(`desk-content-lock-${alice.termId}`).click();
      await expect(desk.getByTestId('desk-content-locked')).toContainText('Only Alice may share');
      await expect(row.getByTestId('desk-mark-contentLocked')).toBeVisible();
      await desk.getByTestId('desk-content-unlock').click();
      await expect(desk.getByTestId('desk-content-locked')).toHaveCount(0);
    });
    await test.step('held: the others no longer see it; the menu allows it again', async () => {
      await expect(bob.page.getByTestId(`tile-${alice.termId}-screen`)).toBeVisible();
      await desk.getByTestId(`desk-content-stream-${alice.termId}`).click();
      await expect(bob.page.getByTestId(`tile-${alice.termId}-screen`)).toHaveCount(0);
      await expect(row.getByTestId('desk-mark-contentOff')).toBeVisible();
      await desk.keyboard.press('Escape');
      await desk.getByTestId(`desk-more-${alice.termId}`).click();
      await desk.getByTestId('desk-menu-release').click();
      await expect(row.getByTestId('desk-mark-contentOff')).toHaveCount(0);
    });
  },
);
