import { cpus } from 'node:os';
import { ENGINE_ACK, type CommandAnswer } from '@rmeet/contract';
import { COLOURS, TONES, type Colour } from '@rmeet/participant';
import {
  bookMeeting,
  joinMany,
  launchBrowser,
  openDesk,
  openPage,
  startServer,
  until,
  type RunningServer,
  type Terminal,
} from '@rmeet/testkit';
import type { Page } from '@playwright/test';
import { follow, settled } from './acknowledged.ts';
import { median, percentile, type Benchmark } from './report.ts';

const TERMINALS = 100;
const TALKING = 5;
const SENDING_VIDEO = 9;
/** Browsers, unless `--pages` gives another number. */
const PAGES = 3;
const ROUNDS = 15;
/** Milliseconds between two commands: a chair in a hurry. */
const PAUSE = 250;
const GOAL = 300;

/**
 * Milliseconds for the browsers to settle: pictures, layers, subscriptions; afterwards the machine is observed for as
 * long.
 */
const SETTLE = 5_000;

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/**
 * The load of the machine's cores over a period, in per cent of all of them. Near 100, the measured time is the wait
 * for a core.
 */
async function busyCores(ms: number): Promise<number> {
  const times = (): { idle: number; all: number } => {
    const each = cpus().map((cpu) => cpu.times);
    return {
      idle: each.reduce((sum, { idle }) => sum + idle, 0),
      all: each.reduce((sum, time) => sum + time.user + time.nice + time.sys + time.idle + time.irq, 0),
    };
  };
  const before = times();
  await pause(ms);
  const after = times();
  return 100 * (1 - (after.idle - before.idle) / (after.all - before.all));
}

/**
 * Terminals that receive nothing themselves, so that two cores can run a hundred of them; the pages see and hear
 * everybody.
 */
async function crowd(server: RunningServer, numericId: string, password: string): Promise<Terminal[]> {
  const colours = Object.keys(COLOURS) as Colour[];
  const terminals = await joinMany(server.api, server.url, TERMINALS, (n) => ({
    numericId,
    password,
    name: `Guest ${n + 1}`,
    autoSubscribe: false,
  }));
  for (const [n, { media }] of terminals.entries()) {
    if (n < TALKING) await media.publishAudio({ tone: TONES[n % TONES.length]! });
    if (n < SENDING_VIDEO) await media.publishVideo({ colour: colours[n % colours.length]!, simulcast: true });
  }
  return terminals;
}

async function joinPage(
  page: Page,
  server: RunningServer,
  numericId: string,
  password: string,
  name: string,
): Promise<void> {
  await page.goto(`${server.url}/#/join?number=${numericId}&pwd=${password}&name=${name}`);
  await page.getByTestId('join-submit').click();
  await page.getByTestId('toolbar-leave').waitFor();
}

/**
 * A conference of browsers and 100 headless terminals under command: how long until all affected terminals have
 * obeyed. `--pages N`: this many browsers instead of 3.
 */
// oxlint-disable-next-line max-lines-per-function -- one benchmark from its set-up to its figures
const control: Benchmark = async (report, args) => {
  const count = args[0] === '--pages' ? Number(args[1]) : PAGES;
  const load = `${TERMINALS}+${count}`;
  const server = await startServer();
  const browser = await launchBrowser();
  try {
    const chair = await server.api.as('chair');
    const { meetId, numericId, password } = await bookMeeting(chair);
    const pages: Page[] = [];
    for (let n = 0; n < count; n += 1) {
      const page = await openPage(browser, { media: { colour: '#20a040', tone: 700 } });
      await joinPage(page, server, numericId, password, `Page ${n + 1}`);
      pages.push(page);
    }
    const terminals = await crowd(server, numericId, password);
    const desk = await openDesk(server.url, { meetId, by: chair });
    const heard = follow(desk);
    await until('everybody is there', () => desk.state.terminals.length === TERMINALS + count, { within: 60_000 });
    await pause(SETTLE);
    const busy = await busyCores(SETTLE);
    report({ case: `rmeet ${load} at rest`, figure: 'busy_cores', value: busy, unit: '%' });

    const rz = { res: 'rz' };
    const some = terminals[0]!.admission.termId;
    const acts: Record<string, (n: number) => Promise<CommandAnswer>> = {
      muteAll: () => desk.api.conferences.muteAll({ params: rz, body: { meetId } }),
      unMuteAll: () => desk.api.conferences.unMuteAll({ params: rz, body: { meetId } }),
      speaker: (n) =>
        desk.api.conferences.setConfSpeaker({
          params: rz,
          query: { meetId, termId: terminals[n % SENDING_VIDEO]!.admission.termId },
        }),
      equal: () => desk.api.conferences.setConfMode({ params: rz, query: { meetId, videoSet: 'EQUAL' } }),
      mute: () => desk.api.conferences.termMute({ params: rz, body: { meetId, termId: some, mute: true } }),
      unmute: () => desk.api.conferences.termMute({ params: rz, body: { meetId, termId: some, mute: false } }),
    };
    const slowest: number[] = [];
    const singles: number[] = [];
    const browsers: number[] = [];
    const headless = new Set(terminals.map(({ admission }) => admission.termId));
    const engine: number[] = [];
    const answers: number[] = [];
    const failures: string[] = [];
    for (const [verb, act] of Object.entries(acts)) {
      const all: number[] = [];
      const worst: number[] = [];
      for (let n = 0; n < ROUNDS; n += 1) {
        // Muting needs terminals that are not muted.
        if (verb === 'muteAll') await settled(heard, await acts['unMuteAll']!(n));
        if (verb === 'unMuteAll') await settled(heard, await acts['muteAll']!(n));
        await pause(PAUSE);
        const started = performance.now();
        const answer = await act(n);
        answers.push(performance.now() - started);
        const { latencies, failed } = await settled(heard, answer);
        const own = [...latencies].filter(([termId]) => termId !== ENGINE_ACK).map(([, latency]) => latency);
        engine.push(...[...latencies].filter(([termId]) => termId === ENGINE_ACK).map(([, latency]) => latency));
        all.push(...own);
        browsers.push(
          ...[...latencies]
            .filter(([termId]) => termId !== ENGINE_ACK && !headless.has(termId))
            .map(([, latency]) => latency),
        );
        worst.push(Math.max(0, ...own));
        failures.push(...failed);
      }
      report({ case: `rmeet ${verb} ${load}`, figure: 'all_acknowledged_p50', value: median(worst), unit: 'ms' });
      report({ case: `rmeet ${verb} ${load}`, figure: 'all_acknowledged_max', value: Math.max(...worst), unit: 'ms' });
      singles.push(...all);
      slowest.push(...worst);
    }
    report({ case: 'rmeet', figure: 'acknowledgement_p99', value: percentile(singles, 0.99), unit: 'ms' });
    if (count > 0)
      report({ case: 'rmeet', figure: 'browser_acknowledgement_p99', value: percentile(browsers, 0.99), unit: 'ms' });
    report({ case: 'rmeet', figure: 'all_acknowledged_p99', value: percentile(slowest, 0.99), unit: 'ms' });
    report({ case: 'rmeet', figure: 'engine_p99', value: percentile(engine, 0.99), unit: 'ms' });
    report({ case: 'rmeet', figure: 'answer_p99', value: percentile(answers, 0.99), unit: 'ms' });
    report({ case: 'rmeet', figure: 'failures', value: failures.length, unit: 'count' });
    desk.close();
    const p99 = percentile(slowest, 0.99);
    return (
      `A command is acknowledged by all of ${TERMINALS + count} terminals within ${p99.toFixed(0)} ms at the ` +
      `99th percentile, the engine within ${percentile(engine, 0.99).toFixed(0)} ms; ${failures.length} failed ` +
      `(goal: ${GOAL} ms). At rest they keep ${busy.toFixed(0)} % of all cores busy.`
    );
  } finally {
    await browser.close();
    await server.stop();
  }
};
export default control;
