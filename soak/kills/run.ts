import { setTimeout as sleep } from 'node:timers/promises';
import { MEETING_STATUSES, type Meeting } from '@rmeet/contract';
import { bookMeeting, joinAsTerminal, until, type Api } from '@rmeet/testkit';
import { Random } from '../fuzz/random.ts';
import {
  judgeBookings,
  judgeFiles,
  judgeNotices,
  judgeRooms,
  judgeStatuses,
  judgeSweep,
  standing,
  type Verdict,
} from './judge.ts';
import { Ledger } from './ledger.ts';
import { Product } from './product.ts';
import { act, AHEAD_STORIES, NOW_STORIES, UNAPPROVED_MINUTES, type Stage } from './stories.ts';

const MINUTE = 60_000;
const ROOMS = 8;
const CLIENTS = [AHEAD_STORIES, AHEAD_STORIES, NOW_STORIES, NOW_STORIES];
/** Range of kill times: up to this long after the server answers again. */
const LATEST_MOMENT = 4_000;
const LATEST_IN_BRIEF = 1_500;
/** Longer than the claim of a dead process on a notice. */
const CLAIM = 95_000;
/**
 * Every this many kills, the supervisor dies, with all processes or so that its children end; its restart delays then
 * begin anew. Every second of the others kills the database.
 */
const CRASH_EVERY = 4;
/** Every this many kills, the media engine is suspended for longer than a room may be missing. */
const HALT_EVERY = 10;
const HALTED_FOR = 7_000;
const LOOK_EVERY = 400;
/** After the end of all bookings. */
const AFTERWARDS = 6 * 24 * 60 * MINUTE;
/** After the end of the meeting, and longer than it may continue without media. */
const PAST_END = 45 * MINUTE;
const HURRY = 6;

/** The time until calls and database answered again, by what had been killed; milliseconds. */
export type ReadyAfter = Record<'server' | 'database' | 'supervisor' | 'all', number[]>;

export interface KillOptions {
  kills: number;
  seed: number;
  /** A PostgreSQL server that may create databases; default: the embedded database. */
  postgres?: string;
  /** Skips the wait for the media engine's death, and gives the server less time between kills. */
  isBrief?: boolean;
}

export interface KillReport {
  ledger: Ledger;
  verdicts: Record<string, Verdict>;
  /** How many meetings were seen in each status. */
  seen: Map<Meeting['status'], number>;
  mails: number;
  /** Unreferenced stored files before the sweep. */
  orphans: number;
  readyAfter: ReadyAfter;
}

async function setUp(product: Product, random: Random): Promise<{ stage: Stage; admin: Api & { token: string } }> {
  const [admin, chair, alice, bob] = [
    await product.api.as('admin'),
    await product.api.as('chair'),
    await product.api.as('alice'),
    await product.api.as('bob'),
  ];
  const { id: buildingId } = await admin.rooms.createBuilding({ body: { name: 'Kill house', timeZone: 'UTC' } });
  const roomIds: string[] = [];
  for (let n = 1; n <= ROOMS; n += 1)
    roomIds.push((await admin.rooms.create({ body: { name: `Kill ${n}`, buildingId, floor: '1', capacity: 8 } })).id);
  const { version } = await admin.approvals.rules();
  await admin.approvals.updateRules({
    body: { all: false, types: [], vip: false, longerThan: UNAPPROVED_MINUTES, morePeopleThan: null, version },
  });
  return {
    stage: { product, ledger: new Ledger(), random, chair, alice, bob, roomIds, began: product.now(), inside: [] },
    admin,
  };
}

/** Records which meetings are in which status, as shown in lists. */
async function watch(admin: Api, seen: Map<Meeting['status'], Set<string>>, goesOn: () => boolean): Promise<void> {
  while (goesOn()) {
    for (const status of MEETING_STATUSES) {
      const found = await admin.meetings
        .list({ query: { status, keyword: 'Killed', tenantWide: 'true', size: 200 } })
        .catch(() => undefined);
      for (const { meetId } of found?.records ?? []) seen.get(status)?.add(meetId);
    }
    await sleep(LOOK_EVERY);
  }
}

/** The process to kill. */
function victimOf(kill: number, hasDatabase: boolean): keyof ReadyAfter {
  if (kill % (2 * CRASH_EVERY) === 0) return 'all';
  if (kill % CRASH_EVERY === 0) return 'supervisor';
  return kill % CRASH_EVERY === 2 && hasDatabase ? 'database' : 'server';
}

/**
 * Kills at random moments, sometimes also while the server starts; time passes meanwhile, and the engine is sometimes
 * suspended.
 */
async function killOver(
  { product, random }: Stage,
  kills: number,
  latest: number,
  readyAfter: ReadyAfter,
): Promise<void> {
  for (let kill = 1; kill <= kills; kill += 1) {
    await product.up();
    const isHalted = kill % HALT_EVERY === 0;
    if (isHalted) {
      product.halt(true);
      await sleep(HALTED_FOR);
    }
    await sleep(random.next() * latest);
    if (random.chance(0.5)) product.jump(random.next() * 4 * MINUTE);
    const died = victimOf(kill, product.hasDatabase);
    const began = performance.now();
    if (died === 'all' || died === 'supervisor') await product.crash(died === 'all');
    else product.kill(died);
    if (isHalted) product.halt(false);
    const isLeft = kill === kills || !random.chance(0.2);
    if (isLeft && !isHalted) {
      await product.ready();
      readyAfter[died].push(performance.now() - began);
    }
    if (!isLeft) {
      kill += 1;
      await sleep(random.next() * 1_500);
      try {
        product.kill();
      } catch {
        // The supervisor was just about to start it.
      }
    }
  }
  await product.up();
}

/**
 * A meeting whose media is permanently lost ends by itself when its time is over, even if the server is killed
 * meanwhile.
 */
async function engineDies({ product, chair }: Stage): Promise<Verdict> {
  const { meetId, numericId } = await bookMeeting(chair, {
    subject: 'Without media',
    startTime: new Date(product.now()).toISOString(),
    duration: 30,
  });
  const terminal = await joinAsTerminal(chair, product.url, { numericId, autoSubscribe: false });
  const statusIs = (status: Meeting['status']) =>
    until(
      `the meeting is ${status}`,
      async () => (await chair.meetings.detail({ params: { id: meetId } })).status === status,
      { within: 90_000, every: 250 },
    );
  try {
    await statusIs('ONLINE');
    product.halt(true);
    await statusIs('ABNORMAL');
    product.kill();
    await product.up();
    product.jump(PAST_END);
    await statusIs('OFFLINE');
    return { checked: 1, wrong: [] };
  } catch (error) {
    return { checked: 1, wrong: [String(error)] };
  } finally {
    product.halt(false);
    terminal.kill();
  }
}

/**
 * Clients book, change, cancel, approve, join and end meetings while the server is killed at random moments; then
 * everything acknowledged to them is checked from outside.
 */
export async function killServer({ kills, seed, postgres, isBrief = false }: KillOptions): Promise<KillReport> {
  const product = await Product.start(postgres);
  const verdicts: Record<string, Verdict> = {};
  try {
    const { stage, admin } = await setUp(product, new Random(seed));
    const { ledger } = stage;
    const seen = new Map(MEETING_STATUSES.map((status) => [status, new Set<string>()]));
    let goesOn = true;
    const isOn = (): boolean => goesOn;
    const clients = Promise.all(CLIENTS.map((stories) => act(stage, stories, isOn)));
    const watching = watch(admin, seen, isOn);
    // If either ends too early, the verdict reports it.
    clients.catch((error: unknown) => ledger.failures.push(String(error)));
    const readyAfter: ReadyAfter = { server: [], database: [], supervisor: [], all: [] };
    await killOver(stage, kills, isBrief ? LATEST_IN_BRIEF : LATEST_MOMENT, readyAfter);
    goesOn = false;
    await Promise.allSettled([clients, watching]);

    product.jump(CLAIM);
    verdicts["no failure of the server's own"] = {
      checked: [...ledger.counts.values()].reduce((sum, { asked }) => sum + asked, 0),
      wrong: ledger.failures,
    };
    verdicts['no meeting stuck'] = await judgeStatuses(stage, admin, { isOver: false });
    const meetings = await standing(admin);
    verdicts['as acknowledged'] = await judgeBookings(stage, meetings);
    verdicts['no room taken twice'] = await judgeRooms(admin, stage, meetings);
    verdicts['everybody told, and marked'] = await judgeNotices(stage, admin, meetings);
    verdicts['files there and readable'] = await judgeFiles(stage, admin.token, meetings);
    if (!isBrief) verdicts['over without media'] = await engineDies(stage);

    await Promise.all(stage.inside.map(({ terminal }) => terminal.leave().catch(() => undefined)));
    product.jump(AFTERWARDS);
    product.kill();
    await product.up();
    product.hurry(HURRY);
    const later = await product.api.as('admin');
    verdicts['all over in the end'] = await judgeStatuses(stage, later, { isOver: true });
    const { before, ...swept } = await judgeSweep(stage, later);
    verdicts['no file nobody names'] = swept;
    return {
      ledger,
      verdicts,
      seen: new Map([...seen].map(([status, ids]) => [status, ids.size])),
      mails: product.mails.received.length,
      orphans: before - swept.checked,
      readyAfter,
    };
  } catch (error) {
    throw new Error(`${String(error)}\n${product.log().slice(-2_000)}`, { cause: error });
  } finally {
    await product.stop();
  }
}
