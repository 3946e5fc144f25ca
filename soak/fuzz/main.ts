import { randomInt } from 'node:crypto';
import { Participant } from '@rmeet/participant';
import { until } from '@rmeet/testkit';
import { startSoakEngine, type Held, type SoakEngine } from '../engine.ts';
import type { Soak } from '../soak.ts';
import { load, table } from '../table.ts';
import { KINDS } from './kinds.ts';
import { Random } from './random.ts';

const COUNT = 200_000;
/**
 * Number of rounds over all kinds: the memory that the first two leave is compiled and pooled once and not a leak;
 * growth in later ones would be.
 */
const ROUNDS = 4;
/** Megabytes and counts that the last round may leave above the second. */
const ALLOWED = { rss: 32, heap: 3, external: 3, handles: 3, threads: 2, udpPorts: 0 } as const satisfies Record<
  keyof Held,
  number
>;

/** The messages of one kind from number `from` on; each has its own seed, so that one can be repeated alone. */
async function send(engine: SoakEngine, name: string, seed: number, from: number, count: number): Promise<void> {
  const kind = await KINDS[name]!(engine);
  for (let n = from; n < from + count; n++) {
    try {
      await Promise.race([kind.send(new Random(seed + n * 7_919), n), engine.ended]);
    } catch (error) {
      throw new Error(`${name}, message ${n} of seed ${seed}`, { cause: error });
    }
  }
  await kind.close();
  const health = await fetch(`http://127.0.0.1:${engine.port}/healthz`);
  if (!health.ok) throw new Error(`the engine is not well after ${name}, seed ${seed}`);
}

/** Two participants see and hear each other. */
async function realCall(engine: SoakEngine): Promise<void> {
  const join = async (identity: string): Promise<Participant> =>
    Participant.connect({ url: engine.url, token: await engine.token(identity, 'real') });
  const [alice, bob] = await Promise.all([join('alice'), join('bob')]);
  for (const person of [alice, bob])
    await Promise.all([person.publishVideo({ simulcast: true }), person.publishAudio()]);
  await until('both see and hear each other', () =>
    [alice, bob].every(
      (person) =>
        [...person.tracks.values()].filter(
          ({ counters, kind }) => counters.frames > 20 && (kind === 'audio' || counters.keyFrames > 0),
        ).length === 2,
    ),
  );
  for (const person of [alice, bob]) person.leave();
}

/** The held resources without participants; those disconnected last are removed after half a minute. */
async function settled(engine: SoakEngine): Promise<Held> {
  await until('everybody has gone', async () => (await engine.gauges()).rooms === 0, { within: 90_000, every: 200 });
  return engine.held();
}

/** Mutated messages of every kind: the engine continues, releases its memory, and still works. */
// oxlint-disable-next-line max-lines-per-function -- one run from its set-up to its verdict
const fuzz: Soak = async ({ count = COUNT, seed = randomInt(2 ** 30), only }) => {
  const names = Object.keys(KINDS).filter((name) => only === undefined || name === only);
  const each = Math.ceil(count / names.length);
  const share = Math.ceil(each / ROUNDS);
  console.log(
    `seed ${seed}; the same messages again: npm run soak -- fuzz --seed ${seed} --count ` +
      `${count}${only ? ` --only ${only}` : ''}`,
  );
  const engine = await startSoakEngine();
  const print = table([
    'round',
    'kind      ',
    'messages',
    'seconds',
    'RSS MB',
    'heap MB',
    'external MB',
    'handles',
    'UDP',
    'threads',
  ]);
  const row = (round: number, name: string, seconds: number, held: Held): void =>
    print([
      round + 1,
      name,
      name in KINDS ? share : 0,
      seconds,
      held.rss,
      held.heap,
      held.external,
      held.handles,
      held.udpPorts,
      held.threads,
    ]);
  try {
    await realCall(engine);
    const ends: Held[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (const name of names) {
        const began = performance.now();
        await send(engine, name, seed, round * share, share);
        row(round, name, (performance.now() - began) / 1000, await engine.held());
      }
      await realCall(engine);
      ends.push(await settled(engine));
      row(round, 'all gone', 0, ends.at(-1)!);
    }
    const [before, after] = [ends[1]!, ends.at(-1)!];
    const grown = (Object.keys(ALLOWED) as (keyof Held)[]).filter((name) => after[name] - before[name] > ALLOWED[name]);
    return {
      passed: grown.length === 0,
      verdict:
        `${share * ROUNDS * names.length} mutated messages, seed ${seed} (${load()}): no crash, still serving; ` +
        'from the end of the second round to the end of the last RSS ' +
        `${before.rss.toFixed(0)} to ${after.rss.toFixed(0)} MB, ` +
        `heap ${before.heap.toFixed(1)} to ${after.heap.toFixed(1)} MB. ` +
        (grown.length === 0 ? 'Back to where it was.' : `NOT back: ${grown.join(', ')}.`),
    };
  } finally {
    await engine.stop();
  }
};
export default fuzz;
