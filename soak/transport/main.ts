/**
 * Forged datagrams through the real hub of the native transport: mutated, replayed and foreign STUN, DTLS, SRTP and
 * SCTP, with a genuine peer beside. None may pass, nothing may fail, memory must not grow. Then joins, see joins.ts.
 *
 * With `LD_PRELOAD=libasan.so.8 ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0` (gcc's) the allocator checks the
 * memory of OpenSSL and libc. It keeps freed memory, so that the verdict on RSS says nothing then.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Soak } from '../soak.ts';
import joins from './joins.ts';

const FORGED = 1_000_000;
const JOINS = 10_000;

const attacks: Soak = async ({ count = FORGED, seed = 26, only }) => {
  // A young generation that cannot grow: its size would hide what else grows.
  const execArgv = [...process.execArgv, '--expose-gc', '--max-semi-space-size=2'];
  const child = fork(join(import.meta.dirname, 'process.ts'), [JSON.stringify({ count, seed, only })], { execArgv });
  let result: Awaited<ReturnType<Soak>> | undefined;
  child.on('message', (message) => {
    result = message as Awaited<ReturnType<Soak>>;
  });
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return result ?? { passed: false, verdict: `the process ended: ${String(signal ?? code)}` };
};

/** `only`: one kind of forged datagrams, or `joins`. `count`: how many of these. */
const transport: Soak = async (options) => {
  const { count = JOINS, only } = options;
  if (only === 'joins') return await joins({ count });
  const forged = await attacks(options);
  if (only !== undefined) return forged;
  const joined = await joins({ count: Math.min(count, JOINS) });
  return { passed: forged.passed && joined.passed, verdict: `${forged.verdict}; ${joined.verdict}` };
};
export default transport;
