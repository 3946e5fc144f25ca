/**
 * Joins through the real hub of the native transport over loopback: ICE check, DTLS, a packet of SRTP and a message of
 * SCTP there and back. Half of the participants leave by the end of DTLS, half are closed by the hub. What the hub's
 * process holds after each of ten rounds must not grow.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Soak } from '../soak.ts';
import { load, table } from '../table.ts';
import { JoinClient } from './join-client.ts';
import type { Answer, Held, Order } from './join-hub.ts';

/** `queryObjects` of node:v8 is experimental. */
const QUIET = '--disable-warning=ExperimentalWarning';
const COUNT = 10_000;
const ROUNDS = 10;
const TOGETHER = 20;
const WITHIN_MS = 10_000;
/** The first rounds leave what is compiled and pooled once. */
const WARM_ROUNDS = 3;
const ALLOWED_MB = { heap: 2, rss: 8 };

/** The process of the hub, which answers every order. */
class HubProcess {
  port = 0;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #lastId = 0;

  constructor() {
    // A young generation that cannot grow: its size would hide what else grows.
    const execArgv = [...process.execArgv, '--expose-gc', '--max-semi-space-size=2', QUIET];
    this.#child = fork(join(import.meta.dirname, 'join-hub.ts'), { execArgv });
  }

  async open(): Promise<void> {
    const [{ port }] = (await once(this.#child, 'message')) as [Answer];
    this.port = port!;
    this.#child.on('message', (answer: Answer) => {
      this.#waiting.get(answer.id)?.(answer);
      this.#waiting.delete(answer.id);
    });
    this.#child.on('exit', () => {
      for (const resolve of this.#waiting.values()) resolve({ id: 0 });
    });
  }

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** An answer without contents if the process has ended. */
  async ask(order: Order): Promise<Answer> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return { id: 0 };
    return await new Promise((resolve) => {
      this.#waiting.set(order.id, resolve);
      this.#child.send(order);
    });
  }

  async measure(): Promise<Held> {
    const { held } = await this.ask({ type: 'measure', id: this.nextId() });
    if (!held) throw new Error('the process of the hub has ended');
    return held;
  }

  async close(): Promise<void> {
    this.#child.disconnect();
    if (this.#child.exitCode === null) await once(this.#child, 'exit');
  }
}

/** Returns whether it came in time. */
async function inTime(event: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, WITHIN_MS, false);
  });
  const came = await Promise.race([event.then(() => true), late]);
  clearTimeout(timer);
  return came;
}

/** One participant joins and leaves. Returns what failed. */
async function participant(hub: HubProcess): Promise<string | undefined> {
  const id = hub.nextId();
  const client = new JoinClient(hub.port);
  const { parameters } = await hub.ask({ type: 'join', id, parameters: client.parameters });
  if (!parameters) return 'the process of the hub has ended';
  try {
    await client.start(parameters);
    if (!(await inTime(client.joined))) return client.missing;
    if (id % 2 === 0) return undefined;
    await hub.ask({ type: 'close', id });
    return (await inTime(client.ended)) ? undefined : 'the end of DTLS did not come';
  } finally {
    await client.close();
  }
}

/** Some join together, the next one when one has left. Returns what failed, by the number of times. */
async function round(hub: HubProcess, count: number): Promise<Map<string, number>> {
  const failures = new Map<string, number>();
  let begun = 0;
  const one = async (): Promise<void> => {
    while (begun < count) {
      begun += 1;
      const failure = await participant(hub);
      if (failure !== undefined) failures.set(failure, (failures.get(failure) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, one));
  return failures;
}

/** What stayed behind or failed, apart from memory. */
function judge(before: Held, after: Held): string[] {
  const words = ['descriptors', 'slots', 'present', 'peers', 'paths', 'sessions', 'associations'] as const;
  const grown = words.filter((name) => after[name] > before[name]);
  return [...grown.map((name) => `${name} ${before[name]} -> ${after[name]}`), ...after.faults];
}

async function rounds(hub: HubProcess, share: number): Promise<{ held: Held[]; failed: number; wrong: string[] }> {
  const heads =
    'joined failed seconds RSS heap external descriptors slots peers paths sessions associations foreign refused';
  const print = table(heads.split(' '));
  const wrong: string[] = [];
  const before = await hub.measure();
  const show = (joined: number, failed: number, seconds: number, now: Held): void => {
    const { rss, heap, external, descriptors, slots, peers, paths, sessions, associations, foreign, refused } = now;
    const native = [descriptors, slots, peers, paths, sessions, associations, foreign, refused];
    print([joined, failed, seconds, rss, heap.toFixed(2), external, ...native]);
  };
  show(0, 0, 0, before);
  const held: Held[] = [];
  let failed = 0;
  for (let number = 1; number <= ROUNDS; number += 1) {
    const began = performance.now();
    const failures = await round(hub, share);
    const seconds = (performance.now() - began) / 1000;
    for (const [text, times] of failures) {
      console.log(`${String(times)} x ${text}`);
      failed += times;
    }
    const now = await hub.measure();
    held.push(now);
    show(number * share - failed, failed, seconds, now);
    wrong.push(...judge(before, now));
  }
  return { held, failed, wrong };
}

const joins: Soak = async ({ count = COUNT }) => {
  const share = Math.ceil(count / ROUNDS);
  const hub = new HubProcess();
  await hub.open();
  const { held, failed, wrong } = await rounds(hub, share);
  await hub.close();
  const [warm, end] = [held[WARM_ROUNDS - 1]!, held.at(-1)!];
  const [heap, rss] = [end.heap - warm.heap, end.rss - warm.rss];
  for (const text of new Set(wrong)) console.log(text);
  return {
    passed: failed + wrong.length === 0 && heap < ALLOWED_MB.heap && rss < ALLOWED_MB.rss,
    verdict:
      `${share * ROUNDS} joins, ${TOGETHER} at a time (${load()}): ${failed} failed, ` +
      `${wrong.length === 0 ? 'nothing' : wrong.length} left behind; from round ${WARM_ROUNDS} to ${ROUNDS} ` +
      `heap ${warm.heap.toFixed(2)} to ${end.heap.toFixed(2)} MB, ` +
      `RSS ${warm.rss.toFixed(1)} to ${end.rss.toFixed(1)} MB`,
  };
};
export default joins;
