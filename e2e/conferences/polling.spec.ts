import { POLLING_SECONDS } from '@rmeet/conference';
import {
  failedTurns,
  followTurns,
  isOfColour,
  joinColours,
  openDesk,
  seenTurns,
  STAGE,
  until,
  watchPlace,
  type Coloured,
  type Desk,
  type GivenTurn,
  type RunningServer,
} from '@rmeet/testkit';
import type { Page } from '@playwright/test';
import { commands, expect, seesLarge, test as base, type Attendee, type Gathering } from './support.ts';

const rz = { res: 'rz' };

interface Round {
  meeting: Gathering;
  /** An onlooker, in a page. */
  alice: Attendee;
  /** Red, green and blue. */
  terminals: readonly [Coloured, Coloured, Coloured];
  desk: Desk;
  turns: GivenTurn[];
  /** Starts a round with the three, or continues with other settings. */
  poll: (settings?: { seconds?: number; isPaused?: boolean }, query?: { lectureId?: string }) => Promise<unknown>;
  stop: () => Promise<unknown>;
  turn: (step: { step: 'next' | 'previous' } | { termId: string }) => Promise<unknown>;
}

async function threeTerminals(server: RunningServer, meeting: Gathering, alice: Attendee): Promise<Round> {
  const { meetId, number: numericId, password, host } = meeting;
  const [red, green, blue] = await joinColours(server.api, server.url, { numericId, password }, 3);
  if (!red || !green || !blue) throw new Error('three were to join');
  const desk = await openDesk(server.url, { meetId, by: host });
  await until('all send pictures', () => desk.state.terminals.length === 4);
  const termIds = [red, green, blue].map(({ termId }) => termId);
  const state = (polling: '0' | '1', query: object, body: object) =>
    host.conferences.setPollingState({ params: rz, query: { meetId, polling, ...query }, body });
  return {
    meeting,
    alice,
    terminals: [red, green, blue],
    desk,
    turns: followTurns(desk),
    poll: (settings = {}, query = {}) => state('1', query, { termIds, ...settings }),
    stop: () => state('0', {}, {}),
    turn: (step) => host.conferences.turnPolling({ params: { meetId }, body: step }),
  };
}

const test = base.extend<{ round: Round }>({
  round: async ({ gather, server }, use) => {
    const meeting = await gather();
    const round = await threeTerminals(server, meeting, await meeting.enter('alice'));
    await use(round);
    round.desk.close();
    for (const { terminal } of round.terminals) await terminal.leave().catch(() => undefined);
  },
});

/** Waits until a place on a page shows a terminal in its colour. */
async function shows(page: Page, selector: string, { termId, colour }: Coloured): Promise<void> {
  await until(`${colour} in ${selector}`, async () => {
    const log = await (await watchPlace(page, selector)).end();
    const seen = log.seen.at(-1);
    if (seen && seen.key === termId && isOfColour(seen, colour)) return true;
    throw new Error(JSON.stringify(seen));
  });
}

test(
  'terminals take turns on air by the clock, never black; the chair pauses, steps, jumps and retimes',
  // oxlint-disable-next-line max-lines-per-function -- One scenario, step by step.
  async ({ round }) => {
    const {
      alice,
      terminals,
      turns,
      poll,
      stop,
      turn,
      meeting: { host, meetId },
    } = round;
    const [red, green, blue] = terminals;

    await test.step('a turn lasts as long as configured, and the next one is there at once', async () => {
      await poll({ seconds: POLLING_SECONDS.min });
      await shows(alice.page, STAGE, red);
      const stage = await watchPlace(alice.page, STAGE);
      await until('two more turns and a half', () => turns.length >= 4, { within: 15_000 });
      const seen = seenTurns(turns.slice(1), await stage.end(), terminals);
      const told = JSON.stringify({ turns, seen });
      expect(
        turns.slice(0, 4).map(({ termId }) => termId),
        told,
      ).toEqual([red, green, blue, red].map(({ termId }) => termId));
      for (const [nth, { at }] of turns.slice(1).entries())
        expect(Math.abs(at - (turns[nth]?.at ?? 0) - POLLING_SECONDS.min * 1_000), told).toBeLessThan(300);
      expect(failedTurns(seen, 300), told).toEqual([]);
    });
    await test.step('paused, the round waits, and moves by hand: forward, back, to a terminal', async () => {
      await turn({ termId: red.termId });
      await poll({ isPaused: true });
      const given = turns.length;
      await shows(alice.page, STAGE, red);
      await turn({ step: 'next' });
      await shows(alice.page, STAGE, green);
      await turn({ step: 'previous' });
      await shows(alice.page, STAGE, red);
      await turn({ step: 'previous' });
      await shows(alice.page, STAGE, blue);
      await turn({ termId: green.termId });
      await shows(alice.page, STAGE, green);
      expect(turns.slice(given).map(({ termId }) => termId)).toEqual(
        [green, red, blue, green].map(({ termId }) => termId),
      );
    });
    await test.step('a shorter time applies to the running turn', async () => {
      await poll({ isPaused: false, seconds: 3_600 });
      await host.conferences.setPollingTimeSpan({
        params: rz,
        query: { meetId, timespan: String(POLLING_SECONDS.min) },
      });
      await shows(alice.page, STAGE, blue);
    });
    await test.step('a terminal whose camera goes off is skipped', async () => {
      await poll({ seconds: 3_600 });
      await turn({ termId: red.termId });
      await commands(round.meeting).camera({ ...alice, termId: green.termId }, false);
      await turn({ step: 'next' });
      await shows(alice.page, STAGE, blue);
      await commands(round.meeting).camera({ ...alice, termId: blue.termId }, false);
      await shows(alice.page, STAGE, red);
    });
    await test.step('after the end, the stage is empty as before', async () => {
      await stop();
      await expect(alice.page.locator(STAGE)).toHaveCount(0);
    });
  },
);

test('terminals take turns in a seat, and are put on air to all from there', async ({ round }) => {
  const {
    alice,
    terminals: [red, green, blue],
    poll,
    turn,
    meeting,
  } = round;
  const { host, meetId } = meeting;
  const seat = (number: number): string => `[data-seat="${number}"]`;
  await host.conferences.setLayout({ params: rz, body: { meetId, screenModel: '4', polling: 2 } });
  await host.conferences.setConfSpeaker({ params: rz, query: { meetId, termId: blue.termId } });
  await poll({ seconds: 3_600 });
  await shows(alice.page, seat(2), red);
  await shows(alice.page, seat(1), blue);
  const watched = await watchPlace(alice.page, seat(2));
  await turn({ step: 'next' });
  await shows(alice.page, seat(2), green);
  const { seen } = await watched.end();
  expect(
    seen.filter(({ colour }) => colour === null),
    JSON.stringify(seen),
  ).toEqual([]);
  await shows(alice.page, seat(1), blue);

  await host.conferences.setLayout({ params: rz, body: { meetId, screenModel: 'AUTO', polling: 0 } });
  await expect.poll(() => round.desk.state.control.polling).toBeNull();
  await host.conferences.startBroadcastPolling({ params: rz, body: { meetId, pollingEnable: true } });
  await expect.poll(() => round.desk.state.control.mode).toBe('POLLING');
  await turn({ termId: green.termId });
  await shows(alice.page, STAGE, green);
  await host.conferences.startBroadcastPolling({ params: rz, body: { meetId, pollingEnable: false } });
  await shows(alice.page, STAGE, blue);
});

test('in a lecture all see the lecturer, who sees the others one after the other', async ({ round }) => {
  const {
    alice,
    terminals: [red, green, blue],
    poll,
    turn,
    stop,
    meeting,
  } = round;
  const bob = await meeting.enter('bob');
  await poll({ seconds: 3_600 }, { lectureId: bob.termId });
  await shows(bob.page, STAGE, red);
  await seesLarge(alice.page, 'bob');
  const stage = await watchPlace(bob.page, STAGE);
  await turn({ step: 'next' });
  await shows(bob.page, STAGE, green);
  await turn({ step: 'next' });
  await shows(bob.page, STAGE, blue);
  const { seen } = await stage.end();
  expect(
    seen.map(({ key }) => key),
    JSON.stringify(seen),
  ).toEqual([red, green, blue].map(({ termId }) => termId));
  expect(
    seen.filter(({ colour }) => colour === null),
    JSON.stringify(seen),
  ).toEqual([]);
  await seesLarge(alice.page, 'bob');
  await expect(bob.page.getByTestId('on-air')).toBeVisible();
  await stop();
  await expect(bob.page.getByTestId('on-air')).toBeHidden();
});
