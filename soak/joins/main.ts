import { fork } from 'node:child_process';
import { join } from 'node:path';
import { until } from '@rmeet/testkit';
import { nextMessage, stopped } from '../../bench/sfu/process.ts';
import { startSoakEngine, type Gauges, type Held, type SoakEngine } from '../engine.ts';
import type { Soak } from '../soak.ts';
import { load, table } from '../table.ts';
import type { Round, RoundResult } from './joiners.ts';
import { judge } from './verdict.ts';

const COUNT = 10_000;
const MINUTES = 120;
/** After each round everybody has left: the engine's resources must not grow then. */
const ROUNDS = 10;
const LOOK_MS = 1_000;

const nobody: Gauges = { rooms: 0, participants: 0, tracks: 0, subscriptions: 0 };

/** One round of joins; returns its result and the maximum at one time. */
async function oneRound(engine: SoakEngine, round: Round): Promise<{ result: RoundResult; peak: Gauges }> {
  const child = fork(join(import.meta.dirname, 'joiners.ts'), [JSON.stringify(round)]);
  const peak = { ...nobody };
  const look = setInterval(() => {
    // `ended` reports an engine that has died.
    engine.gauges().then(
      (now) => {
        for (const name of Object.keys(peak) as (keyof Gauges)[]) peak[name] = Math.max(peak[name], now[name]);
        return undefined;
      },
      () => undefined,
    );
  }, LOOK_MS);
  try {
    return { result: await Promise.race([nextMessage<RoundResult>(child), engine.ended]), peak };
  } finally {
    clearInterval(look);
    await stopped(child);
  }
}

/** Waits until the last one has left and the rooms are closed, then returns what is still held. */
async function afterAll(engine: SoakEngine): Promise<{ held: Held; left: Gauges }> {
  // Clients that disconnected without a message are removed after about half a minute.
  await until('everybody has gone', async () => (await engine.gauges()).rooms === 0, {
    within: 60_000,
    every: 200,
  }).catch(() => undefined);
  return { held: await engine.held(), left: await engine.gauges() };
}

/**
 * Joins over hours: the engine's resources after all have left stay the same. `--only native` or `datachannel` chooses
 * the transport.
 */
// oxlint-disable-next-line max-lines-per-function -- one run from its set-up to its verdict
const joins: Soak = async ({ count = COUNT, minutes = MINUTES, only }) => {
  const engine = await startSoakEngine(only === 'native' || only === 'datachannel' ? only : undefined);
  const print = table([
    'minute',
    'joins',
    'failed',
    'most rooms',
    'people',
    'tracks',
    'subscriptions',
    'packets',
    '| left: rooms',
    'people',
    'RSS MB',
    'heap MB',
    'external MB',
    'handles',
    'UDP',
    'threads',
  ]);
  const began = performance.now();
  const after: Held[] = [];
  let [joined, failed, stayed] = [0, 0, 0];
  const reasons: Record<string, number> = {};
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const { result, peak } = await oneRound(engine, {
        url: engine.url,
        round,
        joins: Math.round(count / ROUNDS),
        seconds: (minutes * 60) / ROUNDS,
      });
      joined += result.joined;
      for (const [reason, times] of Object.entries(result.failures)) {
        reasons[reason] = (reasons[reason] ?? 0) + times;
        failed += times;
      }
      const { held, left } = await afterAll(engine);
      after.push(held);
      stayed = left.rooms + left.participants + left.tracks + left.subscriptions;
      print([
        (performance.now() - began) / 60_000,
        joined,
        failed,
        peak.rooms,
        peak.participants,
        peak.tracks,
        peak.subscriptions,
        result.packets,
        left.rooms,
        left.participants,
        held.rss,
        held.heap,
        held.external,
        held.handles,
        held.udpPorts,
        held.threads,
      ]);
    }
  } finally {
    await engine.stop();
  }
  for (const [reason, times] of Object.entries(reasons)) console.log(`${times} x ${reason}`);
  const { flat, words } = judge(after, count / ROUNDS);
  const passed = flat && stayed === 0 && failed <= count / 1000;
  return {
    passed,
    verdict:
      `${joined} joins in ${((performance.now() - began) / 60_000).toFixed(1)} ` +
      `minutes, ${failed} failed (${load()}): ${words}` +
      (stayed === 0
        ? ', nobody and no room left behind'
        : `, ${stayed} rooms, people, tracks and subscriptions left behind`) +
      `. ${passed ? 'Flat.' : 'NOT flat.'}`,
  };
};
export default joins;
