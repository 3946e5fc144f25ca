import {
  bookMeeting,
  darkness,
  followTurns,
  joinColours,
  launchBrowser,
  openDesk,
  openPage,
  seenTurns,
  STAGE,
  startServer,
  until,
  watchPlace,
} from '@rmeet/testkit';
import { median, percentile, type Benchmark } from './report.ts';

const TERMINALS = 20;
const SECONDS = 5;
const MINUTES = 5;
const GOAL = 300;
const rz = { res: 'rz' };

/** The number that follows a word of the arguments. */
function numberAfter(args: readonly string[], word: string, otherwise: number): number {
  const at = args.indexOf(word);
  return at === -1 ? otherwise : Number(args[at + 1]);
}

/**
 * Headless terminals with one colour each take turns, and a browser watches: how long after its beginning each turn is
 * visible on the stage, and whether there was a picture all the time. A turn that was never visible has the value -1.
 * `--terminals N`, `--seconds N`, `--minutes N` instead of 20, 5 and 5.
 */
// oxlint-disable-next-line max-lines-per-function -- one benchmark from its set-up to its figures
const polling: Benchmark = async (report, args) => {
  const count = numberAfter(args, '--terminals', TERMINALS);
  const seconds = numberAfter(args, '--seconds', SECONDS);
  const minutes = numberAfter(args, '--minutes', MINUTES);
  const name = `rmeet ${count} terminals, ${seconds} s, ${minutes} min`;
  const server = await startServer();
  const browser = await launchBrowser();
  try {
    const chair = await server.api.as('chair');
    const { meetId, numericId, password } = await bookMeeting(chair);
    const page = await openPage(browser, { media: { colour: '#202020', tone: 700 } });
    await page.goto(`${server.url}/#/join?number=${numericId}&pwd=${password}&name=Page`);
    await page.getByTestId('join-submit').click();
    await page.getByTestId('toolbar-leave').waitFor();
    const terminals = await joinColours(server.api, server.url, { numericId, password }, count);
    const desk = await openDesk(server.url, { meetId, by: chair });
    const turns = followTurns(desk);
    await until('everybody is there', () => desk.state.terminals.length === count + 1, { within: 60_000 });

    const termIds = terminals.map(({ termId }) => termId);
    await chair.conferences.setPollingState({
      params: rz,
      query: { meetId, polling: '1' },
      body: { termIds, seconds },
    });
    await until('the second turn', () => turns.length > 1, { within: 2_000 * seconds });
    const stage = await watchPlace(page, STAGE);
    const began = Date.now();
    await until('the time is over', () => Date.now() - began > minutes * 60_000, {
      within: minutes * 60_000 + 10_000,
      every: 250,
    });
    const log = await stage.end();
    const over = Date.now();

    const seen = seenTurns(
      turns.filter(({ at }) => at >= began),
      log,
      terminals,
    );
    const after = seen.flatMap((turn) => turn.after ?? []);
    const late = seen.flatMap(({ at, due }) => (due === null ? [] : at - due));
    const dark = darkness(log, began, over);
    const never = termIds.filter((termId) => !seen.some((turn) => turn.termId === termId && turn.after !== null));
    for (const [n, { after: ms, colour }] of seen.entries())
      report({ case: `${name}: turn ${n + 1}, ${colour}`, figure: 'seen_after', value: ms ?? -1, unit: 'ms' });
    report({ case: name, figure: 'turns', value: seen.length, unit: 'count' });
    report({ case: name, figure: 'seen_after_p50', value: median(after), unit: 'ms' });
    report({ case: name, figure: 'seen_after_p99', value: percentile(after, 0.99), unit: 'ms' });
    report({ case: name, figure: 'seen_after_max', value: Math.max(...after), unit: 'ms' });
    report({ case: name, figure: 'given_late_p99', value: percentile(late, 0.99), unit: 'ms' });
    report({ case: name, figure: 'turns_not_seen', value: seen.length - after.length, unit: 'count' });
    report({ case: name, figure: 'terminals_never_seen', value: never.length, unit: 'count' });
    report({ case: name, figure: 'dark_moments', value: dark.length, unit: 'count' });
    report({ case: name, figure: 'dark', value: dark.reduce((sum, one) => sum + one, 0), unit: 'ms' });
    report({ case: name, figure: 'longest_without_a_look', value: log.longest, unit: 'ms' });
    desk.close();
    return (
      `${seen.length} turns of ${seconds} s were seen ${median(after).toFixed(0)} ms after they began in the ` +
      `middle, ${percentile(after, 0.99).toFixed(0)} ms at the 99th percentile (goal: ${GOAL} ms); ${dark.length} ` +
      `moments without a picture, ${never.length} terminals never seen.`
    );
  } finally {
    await browser.close();
    await server.stop();
  }
};
export default polling;
