import { setTimeout as delay } from 'node:timers/promises';
import { contract, pathOf, type Admission, type Envelope } from '@rmeet/contract';
import { Participant } from '@rmeet/participant';
import { bookMeeting, DEMO_PASSWORD, encryptPassword, startServer, type RunningServer } from '@rmeet/testkit';
import type { Soak } from '../soak.ts';
import { load, table } from '../table.ts';

const PEOPLE = 500;
/** The share of people who sign in; the others join as guests. */
const SIGN_INS = 0.4;
/** The time within which all arrive; seconds. */
const WITHIN = 45;
const PASSWORD = 'Office-password-1';
const AT_ONCE = 6;

/** The results of one kind of call for all people. */
interface Outcome {
  /** Milliseconds from each arrival until the final response. */
  took: number[];
  /** Number of responses that requested a retry, which pages follow automatically. */
  waits: number;
  /** Responses that were neither a success nor a retry request, by code. */
  refusals: Record<string, number>;
}

const times = <T>(count: number, one: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => one(i));

/** Calls like pages: if the server is too busy, the call is repeated after the time it gives. */
async function patiently<T>(url: string, outcome: Outcome, path: string, body: unknown): Promise<T | undefined> {
  const began = performance.now();
  for (;;) {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { statusCode, data } = (await response.json()) as Envelope<T | { seconds: number } | null>;
    if (statusCode === 'OK') {
      outcome.took.push(performance.now() - began);
      return data as T;
    }
    const seconds = (data as { seconds?: number } | null)?.seconds;
    if (seconds === undefined || seconds > 60) {
      outcome.refusals[statusCode] = (outcome.refusals[statusCode] ?? 0) + 1;
      return undefined;
    }
    outcome.waits += 1;
    await delay(seconds * 1_000);
  }
}

/** Each person arrives at a different moment of the period. */
function arrive<T>(count: number, one: (i: number) => Promise<T>): Promise<T[]> {
  return Promise.all(
    times(count, async (i) => {
      await delay((i * WITHIN * 1_000) / count);
      return one(i);
    }),
  );
}

/** Accounts with their own passwords, which have all signed in before, on other devices. */
async function addAccounts({ api }: RunningServer, count: number): Promise<void> {
  const admin = await api.as('admin');
  const key = (await api.auth.loginMode({ query: {} })).publicKey;
  const turns = times(count, (i) => i).values();
  await Promise.all(
    times(AT_ONCE, async () => {
      for (const i of turns) {
        await admin.users.create({
          body: { account: `office${i}`, name: `Office ${i}`, password: encryptPassword(key, DEMO_PASSWORD) },
        });
        await api.auth.login({
          body: {
            account: `office${i}`,
            password: encryptPassword(key, DEMO_PASSWORD),
            newPassword: encryptPassword(key, PASSWORD),
            deviceId: `old ${i}`,
          },
        });
      }
    }),
  );
}

function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

/**
 * Five hundred people of one office sign in and enter one meeting within a minute from one address, and nobody is
 * refused.
 */
// oxlint-disable-next-line max-lines-per-function -- one run from its set-up to its verdict
const office: Soak = async ({ count = PEOPLE }) => {
  const server = await startServer({ env: { RMEET_CONFERENCE_CAPACITY: String(Math.max(2, count)) } });
  const print = table(['what', 'people', 'refused', 'told to wait', 'wall s', 'p50 ms', 'p99 ms', 'max ms']);
  const refused: Record<string, number>[] = [];
  const longest: number[] = [];
  const stays: Participant[] = [];
  async function measured<T>(
    what: string,
    people: number,
    one: (i: number, outcome: Outcome) => Promise<T>,
  ): Promise<T[]> {
    const outcome: Outcome = { took: [], waits: 0, refusals: {} };
    const began = performance.now();
    const results = await arrive(people, (i) => one(i, outcome));
    const wall = (performance.now() - began) / 1_000;
    const sorted = outcome.took.toSorted((a, b) => a - b);
    print([
      what,
      people,
      people - sorted.length,
      outcome.waits,
      wall,
      percentile(sorted, 0.5),
      percentile(sorted, 0.99),
      sorted.at(-1) ?? 0,
    ]);
    refused.push(outcome.refusals);
    longest.push(wall);
    return results;
  }
  try {
    const signIns = Math.round(count * SIGN_INS);
    await addAccounts(server, signIns);
    const key = (await server.api.auth.loginMode({ query: {} })).publicKey;
    await measured('sign in', signIns, (i, outcome) =>
      patiently(server.url, outcome, contract.auth.login.path, {
        account: `office${i}`,
        password: encryptPassword(key, PASSWORD),
        deviceId: `new ${i}`,
      }),
    );
    const { numericId, meetId } = await bookMeeting(await server.api.as('chair'));
    const inside: Outcome = { took: [], waits: 0, refusals: {} };
    await measured('join', count, async (i, outcome) => {
      const began = performance.now();
      const admission = await patiently<Admission>(server.url, outcome, pathOf(contract.conferences.join), {
        numericId,
        password: '4821',
        name: `Guest ${i}`,
      });
      if (admission?.state !== 'admitted') return;
      try {
        stays.push(await Participant.connect({ url: admission.url, token: admission.token, autoSubscribe: false }));
        inside.took.push(performance.now() - began);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        inside.refusals[reason] = (inside.refusals[reason] ?? 0) + 1;
      }
    });
    const sorted = inside.took.toSorted((a, b) => a - b);
    print([
      'inside',
      count,
      count - sorted.length,
      0,
      longest.at(-1) ?? 0,
      percentile(sorted, 0.5),
      percentile(sorted, 0.99),
      sorted.at(-1) ?? 0,
    ]);
    refused.push(inside.refusals);
    const state = await (await server.api.as('chair')).conferences.state({ params: { meetId } });
    const present = state.terminals.length;
    const reasons = refused.flatMap((one) => Object.entries(one)).map(([code, n]) => `${n} x ${code}`);
    const passed = reasons.length === 0 && present === count && longest.every((wall) => wall <= 60);
    return {
      passed,
      verdict:
        `${signIns} signed in and ${present} of ${count} are inside (${load()}); ` +
        `${reasons.length === 0 ? 'nobody was refused' : `refused: ${reasons.join(', ')}`}. ` +
        (passed ? 'All in a minute.' : 'NOT as it should be.'),
    };
  } finally {
    for (const stay of stays) stay.leave();
    await server.stop();
  }
};
export default office;
