/**
 * The run of soak/transport/main.ts, in a process of its own: the options come as JSON, the result goes to the parent.
 */
import { ATTACKS, Target, type Attack } from '../../packages/sfu/test/native/wire-attack.ts';
import { Random } from '../fuzz/random.ts';
import { load, table } from '../table.ts';

/** The first two rounds leave what is compiled and pooled once; the later ones must not add to it. */
const ROUNDS = 4;
const ALLOWED_RSS_MB = 24;

function rssMegabytes(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().rss / 2 ** 20;
}

interface Result {
  wrong: number;
  faults: string[];
  missing: number;
  survived: boolean;
}

/** One kind in one round, on a hub of its own. */
async function attack(kind: Attack, count: number, random: Random, print: (cells: (string | number)[]) => void) {
  const began = performance.now();
  const target = new Target();
  await target.open();
  const { alice } = target;
  await target.run(kind, count, random);
  const survived = alice.isConnected;
  const { missing } = alice;
  await target.close();
  const { packetsRefused, packetsForeign, packetsThrottled } = target.counters;
  const seconds = (performance.now() - began) / 1000;
  const genuine = alice.delivered + alice.messages;
  const counted = [packetsRefused, packetsForeign, packetsThrottled, genuine, missing];
  const bad = [target.wrong.length, target.faults.length, target.joins, target.lostHandshakes];
  print([kind, count, seconds, ...counted, ...bad, rssMegabytes()]);
  for (const text of [...target.wrong, ...target.faults].slice(0, 3)) console.log(text);
  return { wrong: target.wrong.length, faults: target.faults, missing, survived } satisfies Result;
}

async function run({ count, seed, only }: { count: number; seed: number; only?: string }) {
  const kinds = ATTACKS.filter((kind) => only === undefined || kind === only);
  const share = Math.ceil(count / kinds.length / ROUNDS);
  const heads = 'kind   forged seconds refused foreign throttled genuine missing passed faults joins lost RSS';
  const print = table(heads.split(/\s+/));
  const results: Result[] = [];
  const held: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, kind] of kinds.entries()) {
      results.push(await attack(kind, share, new Random(seed + round * 7_919 + index), print));
    }
    held.push(rssMegabytes());
  }
  const sum = (of: (result: Result) => number): number => results.reduce((total, result) => total + of(result), 0);
  const passed = sum(({ wrong }) => wrong);
  const faults = sum((result) => result.faults.length);
  const missing = sum((result) => result.missing);
  const ended = sum(({ survived }) => (survived ? 0 : 1));
  const grown = held[ROUNDS - 1]! - held[1]!;
  return {
    passed: passed + faults + missing + ended === 0 && grown < ALLOWED_RSS_MB && kinds.length > 0,
    verdict:
      `${share * ROUNDS * kinds.length} forged datagrams, seed ${seed} (${load()}): ${passed} passed, ` +
      `${faults} faults, ${ended} genuine peers lost, ${missing} of their packets missing; ` +
      `RSS ${held[1]!.toFixed(0)} MB after round 2, ${held[ROUNDS - 1]!.toFixed(0)} MB at the end`,
  };
}

process.send?.(await run(JSON.parse(process.argv[2]!) as Parameters<typeof run>[0]));
process.disconnect();
