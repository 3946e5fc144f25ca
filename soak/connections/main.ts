import { fork, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { PushConnection } from '@rmeet/participant';
import { bookMeeting, joinAsTerminal, startServer, type RunningServer } from '@rmeet/testkit';
import { median } from '../../bench/report.ts';
import type { Soak } from '../soak.ts';
import { load, table } from '../table.ts';
import { ATTACKS, type Attack, type AttackKind, type AttackState } from './attacker.ts';

const COUNT = 21_000;
const ATTACKERS = 2;
const PER_SECOND = 1_000;
const ATTACK_MS = 30_000;
/** After the attack no more sockets are opened, while all open ones are held: longer than the server waits for them. */
const HELD_MS: Partial<Record<AttackKind, number>> = { 'slow body': 45_000, 'unread answer': 75_000, idle: 85_000 };
const HELD_ELSE_MS = 25_000;
const LOOK_MS = 250;
const ANSWER_WITHIN = 5_000;
/** Sockets the server may have afterwards in addition to those before. */
const LEFT = 20;

/** Duration of each attempt, and the number of failures. */
class Tries {
  readonly times: number[] = [];
  failed = 0;

  async time(work: () => Promise<unknown>): Promise<void> {
    const began = performance.now();
    try {
      await work();
    } catch {
      this.failed += 1;
    }
    this.times.push(Math.round(performance.now() - began));
  }

  get cells(): number[] {
    return [Math.round(median(this.times)), Math.max(...this.times), this.failed];
  }
}

/** A request on a new connection, as from a new client. */
function isHealthy(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(
      { host: '127.0.0.1', port, path: '/healthz', agent: false, timeout: ANSWER_WITHIN },
      (response) => {
        response
          .resume()
          .on('end', () => (response.statusCode === 200 ? resolve() : reject(new Error(String(response.statusCode)))));
      },
    );
    request.on('timeout', () => request.destroy(new Error('no answer in time')));
    request.on('error', reject);
  });
}

const folderOf = (server: RunningServer): string => `/proc/${server.run().serverPid}/fd`;
const handlesOf = (server: RunningServer): number => readdirSync(folderOf(server)).length;

/** Handles that are not files: the database opens more of those while it is used. */
function socketsOf(server: RunningServer): number {
  return readdirSync(folderOf(server)).filter((handle) => {
    try {
      return readlinkSync(join(folderOf(server), handle)).startsWith('socket:');
    } catch {
      return false; // closed meanwhile
    }
  }).length;
}

/** The largest script of the web app. */
async function fileOf(server: RunningServer): Promise<string> {
  const page = await (await fetch(server.url)).text();
  return /\/assets\/[\w.-]+\.js/.exec(page)?.[0] ?? '/';
}

class Attackers {
  readonly #children: ChildProcess[];
  readonly #states: AttackState[] = [];

  constructor(attack: Omit<Attack, 'addresses'>) {
    this.#children = Array.from({ length: ATTACKERS }, (_, index) => {
      const own: Attack = {
        ...attack,
        count: Math.ceil(attack.count / ATTACKERS),
        perSecond: attack.perSecond / ATTACKERS,
        addresses: { first: 10 + 20 * index, last: 29 + 20 * index },
      };
      const child = fork(join(import.meta.dirname, 'attacker.ts'), [JSON.stringify(own)]);
      child.on('message', (state: AttackState) => {
        this.#states[index] = state;
      });
      return child;
    });
  }

  get opened(): number {
    return this.#states.reduce((sum, { opened }) => sum + opened, 0);
  }

  get open(): number {
    return this.#states.reduce((sum, state) => sum + state.open, 0);
  }

  /** Opens no more; open ones stay. */
  rest(): void {
    for (const child of this.#children) child.send('rest');
  }

  end(): void {
    for (const child of this.#children) child.kill('SIGTERM');
  }
}

interface Seen {
  health: Tries;
  calls: Tries;
  /** Time from bob's sign-in until he was in the meeting; undefined if he failed. */
  joinMs: number | undefined;
  pushStays: boolean;
  /** Sockets before and after, and the maximum of file handles meanwhile. */
  handles: { before: number; most: number; after: number };
  opened: number;
  open: number;
}

/**
 * A person who was not present before signs in and joins the meeting with a camera; milliseconds, undefined if that
 * fails.
 */
async function comeIn(server: RunningServer, numericId: string): Promise<number | undefined> {
  const began = performance.now();
  try {
    const bob = await joinAsTerminal(await server.api.as('bob'), server.url, { numericId, password: '4821' });
    await bob.media.publishVideo({ bitrate: 100_000 });
    const took = Math.round(performance.now() - began);
    await bob.leave();
    return took;
  } catch (error) {
    console.log(`bob could not come in: ${String(error)}`);
    return undefined;
  }
}

async function attackOnce(server: RunningServer, kind: AttackKind, count: number): Promise<Seen> {
  const alice = await server.api.as('alice');
  const { numericId } = await bookMeeting(alice);
  const push = await PushConnection.open({ url: server.url, credentials: { token: alice.token } });
  let pushStays = true;
  push.on('closed', () => {
    pushStays = false;
  });
  const [health, calls] = [new Tries(), new Tries()];
  const before = socketsOf(server);
  let most = handlesOf(server);
  const attackers = new Attackers({
    port: server.port,
    kind,
    count,
    perSecond: PER_SECOND,
    file: await fileOf(server),
  });
  const looking = setInterval(() => {
    most = Math.max(most, handlesOf(server));
    void health.time(() => isHealthy(server.port));
    void calls.time(() => alice.meetings.list({ query: {} }));
  }, LOOK_MS);
  try {
    await delay(ATTACK_MS / 2);
    const joinMs = await comeIn(server, numericId);
    await delay(ATTACK_MS / 2);
    attackers.rest();
    await delay(HELD_MS[kind] ?? HELD_ELSE_MS);
    return {
      health,
      calls,
      joinMs,
      pushStays,
      handles: { before, most, after: socketsOf(server) },
      opened: attackers.opened,
      open: attackers.open,
    };
  } finally {
    clearInterval(looking);
    attackers.end();
    push.close();
  }
}

/**
 * Thousands of connections (`--count`, default 21,000) that send nothing, do not complete their request, or do not read
 * the response, and are opened again whenever they are closed: signed-in people continue, and others can join
 * meanwhile.
 */
const connections: Soak = async ({ count = COUNT, only }) => {
  const print = table([
    'connections   ',
    ' opened',
    'held',
    '| sockets before',
    ' after',
    'most handles',
    '| health ms',
    ' worst',
    'failed',
    '| calls ms',
    ' worst',
    'failed',
    '| push stays',
    'bob in, ms',
  ]);
  const failed: string[] = [];
  const server = await startServer();
  try {
    for (const kind of ATTACKS.filter((name) => only === undefined || name === only)) {
      const seen = await attackOnce(server, kind, count);
      const { before, most, after } = seen.handles;
      print([
        kind,
        seen.opened,
        seen.open,
        before,
        after,
        most,
        ...seen.health.cells,
        ...seen.calls.cells,
        seen.pushStays ? 'yes' : 'no',
        seen.joinMs ?? 'never',
      ]);
      if (
        seen.health.failed + seen.calls.failed > 0 ||
        !seen.pushStays ||
        seen.joinMs === undefined ||
        after > before + LEFT
      )
        failed.push(kind);
    }
  } finally {
    await server.stop();
  }
  const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? 'unknown';
  return {
    passed: failed.length === 0,
    verdict:
      (failed.length === 0
        ? 'Everybody was answered, and nothing was left open'
        : `NOT held off: ${failed.join(', ')}`) + ` (${limit} file handles a process, ${load()}).`,
  };
};
export default connections;
