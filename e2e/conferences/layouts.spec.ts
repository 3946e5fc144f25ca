import type { ScreenLayout } from '@rmeet/conference';
import type { Colour } from '@rmeet/participant';
import { until, type Terminal } from '@rmeet/testkit';
import {
  isStill,
  joinColours,
  screen,
  seatsOf,
  seesInSeats,
  watchLarge,
  type Seat,
  type Shown,
} from './layouts-support.ts';
import { commands, expect, isTold, seesPeople, test, type Attendee } from './support.ts';

const PHONE = { width: 390, height: 780 };
const FIXED: readonly (readonly [ScreenLayout['model'], number])[] = [
  ['1', 1],
  ['2', 2],
  ['3', 3],
  ['4', 4],
  ['6', 6],
  ['8', 8],
  ['9', 9],
  ['13', 13],
  ['16', 16],
  ['25', 25],
  ['PIP', 2],
];
/**
 * One of each kind for `npm test`: equal seats, one larger seat, more seats than participants, one seat inside another.
 */
const TRIED =
  process.env['RMEET_TEST_QUICK'] === '1' ? FIXED.filter(([model]) => ['4', '6', '16', 'PIP'].includes(model)) : FIXED;

const idOf = (terminals: Record<string, Terminal>, colour: Colour): string => terminals[colour]?.admission.termId ?? '';
const leaveAll = async (terminals: Record<string, Terminal>): Promise<void> => {
  await Promise.all(Object.values(terminals).map((terminal) => terminal.leave()));
};

test(
  'every layout has its seats on a screen and on a phone: named ones, filled ones and empty ones',
  // oxlint-disable-next-line max-lines-per-function -- One scenario, step by step.
  async ({ gather, server }) => {
    const meeting = await gather();
    const { layout, seats } = screen(meeting);
    const terminals = await joinColours(server, meeting, ['red', 'green', 'blue', 'yellow', 'magenta']);
    const [alice, bob] = [await meeting.enter('alice'), await meeting.enter('bob', { size: PHONE })];
    for (const [model, count] of TRIED) {
      await test.step(`layout ${model}`, async () => {
        await layout(model);
        await seats({ 1: idOf(terminals, 'blue'), ...(count > 1 ? { 2: idOf(terminals, 'yellow') } : {}) });
        for (const { page } of [alice, bob]) {
          const wanted: Record<number, Shown> = { 1: 'blue', ...(count > 1 ? { 2: 'yellow' } : {}) };
          const seen: Record<number, Seat> = await until(`layout ${model} has ${count} seats`, async () => {
            const found = await seesInSeats(page, wanted);
            const isThere =
              Object.keys(found).length === count &&
              Object.values(found).every(({ termId, shown }) => termId === null || shown !== 'black');
            return isThere && (await isStill(page)) ? seatsOf(page) : null;
          });
          // Seven terminals: five colours, alice and bob.
          expect(Object.values(seen).filter(({ termId }) => termId !== null)).toHaveLength(Math.min(count, 7));
          expect(
            Object.values(seen).every(
              ({ x, y, width, height }) => x >= -0.01 && y >= -0.01 && x + width <= 1.01 && y + height <= 1.01,
            ),
          ).toBe(true);
          expect(await page.locator('.stage-pager').count()).toBe(0);
          const [first, second] = [seen[1], seen[2]];
          if (model === 'PIP') {
            // One inside the other, and above it.
            expect(second && first && second.x > first.x && second.y > first.y).toBe(true);
            expect(
              await page.evaluate(`(() => {
            const box = document.querySelector('.stage [data-seat="2"]').getBoundingClientRect();
            const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
            return document.elementFromPoint(x, y).closest('[data-seat]').dataset.seat;
          })()`),
            ).toBe('2');
          } else if (['6', '8', '13'].includes(model)) {
            expect(first && second && first.width > second.width * 1.9).toBe(true);
          }
        }
      });
    }

    await test.step('one large, the others in a strip', async () => {
      await layout('1+N');
      for (const { page } of [alice, bob]) {
        await seesInSeats(page, { 1: 'blue' });
        await expect(page.locator('.stage [data-area=strip]').first()).toBeVisible();
      }
    });
    await test.step('a custom layout puts seats at the given places', async () => {
      await layout('CUSTOM', {
        places: [
          { x: 0, y: 0, width: 0.5, height: 0.5 },
          { x: 0.5, y: 0.5, width: 0.5, height: 0.5 },
        ],
      });
      await until('the second seat is at the bottom right', async () => {
        const { 1: first, 2: second } = await seesInSeats(alice.page, { 1: 'blue' });
        return (
          first !== undefined &&
          second !== undefined &&
          first.x < 0.01 &&
          Math.abs(second.x - 0.5) < 0.01 &&
          Math.abs(second.y - 0.5) < 0.01
        );
      });
    });
    await test.step('an empty seat of an absent participant shows the name', async () => {
      await layout('4');
      await seats({ 3: idOf(terminals, 'red') });
      await seesInSeats(alice.page, { 3: 'red' });
      await terminals['red']?.leave();
      await until('the seat is empty and says red', async () => {
        const { 3: third } = await seatsOf(alice.page);
        return third !== undefined && third.termId === null && third.name.includes('red');
      });
    });
    await leaveAll(Object.fromEntries(Object.entries(terminals).filter(([colour]) => colour !== 'red')));
  },
);

test('one terminal has a layout of its own, and the common one again; own views end when forbidden', async ({
  gather,
  server,
}) => {
  const meeting = await gather();
  const { layout, seats, own, common } = screen(meeting);
  const terminals = await joinColours(server, meeting, ['yellow', 'cyan', 'magenta']);
  const [alice, bob] = [await meeting.enter('alice'), await meeting.enter('bob', { size: PHONE })];
  const [yellow, cyan, magenta] = [idOf(terminals, 'yellow'), idOf(terminals, 'cyan'), idOf(terminals, 'magenta')];
  await layout('2');
  await seats({ 1: yellow, 2: cyan });
  for (const { page } of [alice, bob]) await seesInSeats(page, { 1: 'yellow', 2: 'cyan' });

  await test.step('alice alone sees magenta', async () => {
    await own(alice, '1', { 1: magenta });
    await seesInSeats(alice.page, { 1: 'magenta' });
    await seesInSeats(bob.page, { 1: 'yellow', 2: 'cyan' });
    await seats({ 1: cyan }, alice.termId);
    await seesInSeats(alice.page, { 1: 'cyan' });
    await common(alice);
    await seesInSeats(alice.page, { 1: 'yellow', 2: 'cyan' });
  });
  await test.step('a change of seats reaches all', async () => {
    await seats({ 1: magenta, 2: yellow });
    for (const { page } of [alice, bob]) await seesInSeats(page, { 1: 'magenta', 2: 'yellow' });
  });
  await test.step('bob chooses an own view, and returns', async () => {
    await expect(alice.page.locator('.tile-pin')).toHaveCount(0);
    await alice.page.getByTestId('toolbar-view').click();
    await expect(alice.page.getByTestId('view-CHAIR')).toBeChecked();
    await alice.page.getByTestId('view-AUTO').check();
    await expect(alice.page.getByTestId('own-view')).toContainText('Your own view');
    await expect(alice.page.locator('.stage [data-seat]')).toHaveCount(0);
    await alice.page.getByTestId('own-view-back').click();
    await seesInSeats(alice.page, { 1: 'magenta', 2: 'yellow' });
    await bob.page.getByTestId('toolbar-more').click();
    await bob.page.getByTestId('toolbar-view').click();
    await bob.page.getByTestId('view-AUTO').check();
    await expect(bob.page.locator('.stage [data-seat]')).toHaveCount(0);
  });
  await test.step('once forbidden, all return at once and cannot leave', async () => {
    await layout('2', { allowOwnLayout: false });
    await seesInSeats(bob.page, { 1: 'magenta', 2: 'yellow' });
    await expect(bob.page.getByTestId('view-note')).toHaveText('The chair has set one layout for everybody.');
    await expect(bob.page.getByTestId('view-AUTO')).toBeDisabled();
    await isTold(bob.page, "Everybody sees the chair's layout now.");
    await layout('AUTO', { allowOwnLayout: false });
    await expect(alice.page.locator('.stage [data-seat]')).toHaveCount(0);
    await expect(alice.page.locator('.tile-pin')).toHaveCount(0);
  });
  await leaveAll(terminals);
});

// oxlint-disable-next-line max-lines-per-function -- One scenario, step by step.
test('the chair docks content and chat, gives content a seat, locks it to one terminal, and holds it', async ({
  gather,
  server,
}) => {
  const meeting = await gather();
  const { layout, seats, window, lockContent, dualStream } = screen(meeting);
  const { mode } = commands(meeting);
  const terminals = await joinColours(server, meeting, ['red']);
  const [alice, bob] = [await meeting.enter('alice'), await meeting.enter('bob')];
  await mode('EQUAL');
  await alice.page.getByTestId('toolbar-share').click();
  const content = bob.page.getByTestId(`tile-${alice.termId}-screen`);
  await content.waitFor();

  await test.step('the window is docked', async () => {
    await bob.page.getByTestId('toolbar-chat').click();
    const stage = async () => bob.page.locator('.stage').boundingBox();
    const middle = (box: { x: number; y: number; width: number; height: number } | null) => ({
      x: (box?.x ?? 0) + (box?.width ?? 0) / 2,
      y: (box?.y ?? 0) + (box?.height ?? 0) / 2,
    });
    for (const position of ['RIGHT', 'LEFT', 'BOTTOM'] as const) {
      await window(position);
      await until(`content and chat are ${position}`, async () => {
        const [picture, chat, room] = [
          middle(await content.boundingBox()),
          middle(await bob.page.getByTestId('chat-panel').boundingBox()),
          middle(await stage()),
        ];
        const isThere = (at: { x: number; y: number }) =>
          position === 'RIGHT' ? at.x > room.x : position === 'LEFT' ? at.x < room.x : at.y > room.y;
        return (await content.getAttribute('data-area')) === 'window' && isThere(picture) && isThere(chat);
      });
    }
    await window('HIDDEN');
    await expect(content).toHaveCount(0);
    await expect(bob.page.getByTestId('chat-panel')).toHaveCount(0);
    await bob.page.getByTestId('toolbar-chat').click();
    await isTold(bob.page, 'The chair has hidden the chat.');
    await window(null);
    await expect(content).toBeVisible();
  });
  await test.step('content takes a seat', async () => {
    await layout('2');
    await seats({ 2: 'CONTENT' });
    await until('content sits in seat 2', async () => (await content.getAttribute('data-seat')) === '2');
    await layout('AUTO');
  });
  await test.step("locked to bob: alice's sharing ends with the reason, and only bob can share", async () => {
    await lockContent(bob.termId);
    await isTold(alice.page, 'Your sharing has ended: the chair has locked sharing to somebody else.');
    await expect(content).toHaveCount(0);
    await expect(alice.page.getByTestId('toolbar-share')).toHaveText('Sharing blocked');
    await alice.page.getByTestId('toolbar-share').click();
    await isTold(alice.page, 'The chair has locked sharing to somebody else.');
    await bob.page.getByTestId('toolbar-share').click();
    await alice.page.getByTestId(`tile-${bob.termId}-screen`).waitFor();
    await lockContent(null);
    await expect(alice.page.getByTestId('toolbar-share')).toHaveText('Share screen');
    await bob.page.getByTestId('toolbar-share').click();
    await expect(alice.page.getByTestId(`tile-${bob.termId}-screen`)).toHaveCount(0);
  });
  await test.step('the second stream off and on: the asked participant shares by one click', async () => {
    await alice.page.getByTestId('toolbar-share').click();
    await content.waitFor();
    await dualStream(alice.termId, false);
    await isTold(alice.page, 'Your sharing has ended: the chair has turned it off.');
    await expect(content).toHaveCount(0);
    await dualStream(alice.termId, true);
    await expect(alice.page.getByTestId('ask-share')).toContainText('The chair asks you to share');
    await alice.page.getByTestId('ask-share-no').click();
    await expect(alice.page.getByTestId('ask-share')).toHaveCount(0);
    await dualStream(alice.termId, true);
    await alice.page.getByTestId('ask-share-yes').click();
    await content.waitFor();
  });
  await leaveAll(terminals);
});

test(
  'in polling the next picture is there before its turn, none is black, and the next terminal knows',
  // oxlint-disable-next-line max-lines-per-function -- One scenario, step by step.
  async ({ gather, server }) => {
    const meeting = await gather();
    const { layout, polling, turn } = screen(meeting);
    const terminals = await joinColours(server, meeting, ['red', 'cyan', 'blue']);
    const [alice, bob] = [await meeting.enter('alice', { layers: true }), await meeting.enter('bob', { layers: true })];
    await seesPeople(alice.page, ['bob']);
    const order = [idOf(terminals, 'red'), idOf(terminals, 'cyan'), bob.termId, idOf(terminals, 'blue')];
    const shownOf = (termId: string): Shown =>
      (['red', 'cyan', 'green', 'blue'] as const)[order.indexOf(termId)] ?? null;
    const large = async (who: Attendee): Promise<string | null> =>
      who.page
        .locator('.stage [data-area=stage]')
        .first()
        .getAttribute('data-testid', { timeout: 1_000 })
        .catch(() => null);
    const isLarge = (who: Attendee, termId: string) =>
      until(`${termId} is large`, async () => (await large(who)) === `tile-${termId}`);

    await polling(true, { termIds: order, seconds: 3_600, onlyVideo: false });
    await isLarge(alice, order[0] ?? '');
    await expect(alice.page.getByTestId(`tile-${order[0]}`)).toContainText('On air');
    const watched = await watchLarge(alice.page);
    for (const termId of [...order.slice(1), order[0] ?? '']) {
      if (termId === bob.termId) await expect(bob.page.getByTestId('turn-next')).toHaveText('It is your turn next');
      await turn('next');
      await isLarge(alice, termId);
      await watched.sees(shownOf(termId));
      if (termId === bob.termId) await isTold(bob.page, 'You are on air: everybody sees you.');
    }
    expect(await watched.stop()).toEqual(['red', 'cyan', 'green', 'blue', 'red']);

    await test.step('in a polling seat', async () => {
      await polling(false);
      await layout('4', { polling: 1 });
      await polling(true, { termIds: order, seconds: 3_600, onlyVideo: false });
      await seesInSeats(alice.page, { 1: 'red' });
      const seat = await watchLarge(alice.page);
      for (const shown of ['cyan', 'green', 'blue', 'red'] as const) {
        await turn('next');
        await seat.sees(shown);
      }
      expect(await seat.stop()).toEqual(['red', 'cyan', 'green', 'blue', 'red']);
      await polling(false);
    });
    await test.step('from one layout to another', async () => {
      await layout('1', { polling: 0 });
      const { seats } = screen(meeting);
      await seats({ 1: order[0] ?? '' });
      await seesInSeats(alice.page, { 1: 'red' });
      const seat = await watchLarge(alice.page);
      await seats({ 1: order[3] ?? '' });
      await seat.sees('blue');
      await seats({ 1: order[0] ?? '' });
      await seat.sees('red');
      expect(await seat.stop()).toEqual(['red', 'blue', 'red']);
    });
    await test.step('a lecture: all see bob, who sees the round', async () => {
      await layout('AUTO');
      await polling(true, { termIds: [order[0] ?? '', order[3] ?? ''], seconds: 3_600, onlyVideo: false }, bob.termId);
      await isLarge(alice, bob.termId);
      await expect(bob.page.getByTestId('on-air')).toBeVisible();
      await isLarge(bob, order[0] ?? '');
      await turn('next');
      await isLarge(bob, order[3] ?? '');
      await isLarge(alice, bob.termId);
    });
    await leaveAll(terminals);
  },
);
