/** Our SCTP in virtual time: 100 MB over a bad network, random scenarios, mutated packets and the memory they leave. */
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { connectedPair, transfer } from '../../packages/sfu/test/sctp/support.ts';
import { Mutants } from '../../packages/sfu/test/sctp/mutants.ts';
import { scenario } from '../../packages/sfu/test/sctp/scenario.ts';
import type { Soak } from '../soak.ts';
import { table } from '../table.ts';

const MUTANTS = 1_000_000;
const SCENARIOS = 2000;
const ROUNDS = 4;
/** Megabytes of heap and buffers that the last round may leave above the second. */
const ALLOWED_MEGABYTES = 2;
const MESSAGE_BYTES = 65_536;
const MESSAGES = 1600;
const LINK = { delayMs: 20, bitsPerSecond: 20_000_000, queuePackets: 100 };
/** Virtual seconds. The line alone needs 45.3. */
const LIMITS = [
  { loss: 0, seconds: 48 },
  { loss: 0.01, seconds: 50 },
  { loss: 0.05, seconds: 55 },
  { loss: 0.1, seconds: 65 },
];

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Buffers are freed some time after the collection that found them unused, and only when the event loop turns. */
async function heldMegabytes(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    collect();
    await setImmediate();
  }
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return (heapUsed + external + arrayBuffers) / 2 ** 20;
}

/** 104.9 MB at each loss rate (each way) over 20 Mbit/s with 40 ms of round trip. */
function transfers(seed: number): boolean {
  const line = table(['loss %', 'seconds', 'limit', 'packets', 'wrong', 'real seconds']);
  let passed = true;
  for (const { loss, seconds: limit } of LIMITS) {
    const began = performance.now();
    const both = connectedPair({ ...LINK, loss, seed }, { sendBufferBytes: 1_000_000 });
    const { seconds, wrong, got } = transfer(both, { count: MESSAGES, bytes: MESSAGE_BYTES, limitMs: 300_000 });
    const real = (performance.now() - began) / 1000;
    line([loss * 100, seconds, limit, both.alice.link!.sent, wrong + MESSAGES - got, real]);
    passed &&= got === MESSAGES && wrong === 0 && seconds <= limit;
  }
  return passed;
}

/** Channels that open, send and close at random, each over a network of its own. */
function scenarios(seed: number): boolean {
  const faults: string[] = [];
  for (let index = 0; index < SCENARIOS; index++) {
    const fault = scenario(seed + index);
    if (fault !== undefined) {
      faults.push(`seed ${seed + index}: ${fault}`);
    }
  }
  console.log(`${SCENARIOS} scenarios, ${faults.length} with a fault`, ...faults.slice(0, 10));
  return faults.length === 0;
}

function mutantRound(count: number, seed: number): Mutants {
  const run = new Mutants(seed);
  for (let step = 0; step < count; step++) {
    run.step();
  }
  return run;
}

/** Measured while the last two associations of a round live. */
async function mutants(count: number, seed: number): Promise<boolean> {
  const line = table(['packets', 'ended', 'messages', 'megabytes']);
  const held: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const run = mutantRound(count / ROUNDS, seed + round);
    held.push(await heldMegabytes());
    line([run.sent, run.ended, run.messages, held[round]!]);
  }
  return held[ROUNDS - 1]! - held[1]! < ALLOWED_MEGABYTES;
}

const sctp: Soak = async ({ count = MUTANTS, seed = 1, only }) => {
  const findings: string[] = [];
  let passed = true;
  const check = async (name: string, run: () => boolean | Promise<boolean>, good: string, bad: string) => {
    if (only === undefined || only === name) {
      const isGood = await run();
      passed &&= isGood;
      findings.push(isGood ? good : bad);
    }
  };
  await check('transfers', () => transfers(seed), 'transfers in time', 'transfers late or wrong');
  await check('scenarios', () => scenarios(seed), 'scenarios right', 'scenarios wrong');
  await check('mutants', () => mutants(count, seed), 'memory flat under mutated packets', 'memory grows');
  return { passed, verdict: `${passed ? 'passed' : 'FAILED'}: ${findings.join(', ')}` };
};

export default sctp;
