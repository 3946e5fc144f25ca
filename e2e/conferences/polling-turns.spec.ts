import {
  failedTurns,
  followTurns,
  joinColours,
  openDesk,
  seenTurns,
  STAGE,
  tilesOf,
  until,
  watchPlace,
} from '@rmeet/testkit';
import { commands, expect, test } from './support.ts';

const TERMINALS = 20;
const TURN = 2_000;
const WITHIN = 300;
const rz = { res: 'rz' };

/** Starts turns at a fixed interval from now on, however long each call takes. */
async function everyTwoSeconds(count: number, give: (nth: number) => Promise<unknown>): Promise<void> {
  const begin = Date.now();
  for (let nth = 0; nth < count; nth += 1) {
    await until('the next turn is due', () => Date.now() >= begin + nth * TURN, { within: 2 * TURN, every: 5 });
    await give(nth);
  }
}

test('of 20 terminals polled at 2 s each is on air within 300 ms, never black, skipped without camera', async ({
  gather,
  server,
}) => {
  test.setTimeout(240_000);
  const meeting = await gather();
  const { meetId, number: numericId, password, host } = meeting;
  const alice = await meeting.enter('alice');
  const terminals = await joinColours(server.api, server.url, { numericId, password }, TERMINALS);
  const desk = await openDesk(server.url, { meetId, by: host });
  const turns = followTurns(desk);
  await until('everybody is there', () => desk.state.terminals.length === TERMINALS + 1, { within: 60_000 });

  // One terminal switches its camera off, the camera of another is held; turns by the clock last at least 3 s, so
  // these are started by call.
  const [own, held] = [terminals[4], terminals[11]];
  if (!own || !held) throw new Error('too few terminals');
  own.terminal.media.mute(own.terminal.media.published[0] ?? fail('no camera'), true);
  await commands(meeting).camera({ ...alice, termId: held.termId }, false);
  const seen = terminals.filter((one) => one !== own && one !== held);

  const termIds = terminals.map(({ termId }) => termId);
  await host.conferences.setPollingState({
    params: rz,
    query: { meetId, polling: '1' },
    body: { termIds, seconds: 3_600 },
  });
  await until(
    'the first turn is seen',
    async () => (await alice.page.locator(STAGE).getAttribute('data-testid')) === `tile-${seen[0]?.termId}`,
  );
  // The page's initial work must not count as part of a turn.
  await until(
    'all pictures are there, but of those without a camera',
    async () => Object.values(await tilesOf(alice.page)).filter((picture) => picture === null).length <= 2,
  );
  const stage = await watchPlace(alice.page, STAGE);
  await everyTwoSeconds(TERMINALS, () => host.conferences.turnPolling({ params: { meetId }, body: { step: 'next' } }));
  // The last turn is not evaluated: it only ends the one before.
  await until('the desk was told of all turns', () => turns.length === TERMINALS + 1);
  const log = await stage.end();

  const round = [...seen.slice(1), ...seen].slice(0, TERMINALS - 1);
  const given = seenTurns(turns.slice(1), log, terminals);
  const told = JSON.stringify({ given, looks: log.looks, longest: log.longest });
  expect(
    given.map(({ termId }) => termId),
    told,
  ).toEqual(round.map(({ termId }) => termId));
  expect(failedTurns(given, WITHIN), told).toEqual([]);
  desk.close();
});

function fail(why: string): never {
  throw new Error(why);
}
