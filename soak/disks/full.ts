import { execFile } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { until, type RunningServer } from '@rmeet/testkit';
import { book, missing, noBookings, signIn, unexpected, type Bookings } from './bookings.ts';
import { isReady, startOn } from './product.ts';

const run = promisify(execFile);

/** Size of the filled file system: the database and its write-ahead log take about half. */
const SIZE = '400m';
const CHUNK = 2 ** 20;
const STAYS_FULL = 4_000;
const BACK_WITHIN = 60_000;

/** What happens while the disk is full. */
export const FULL_KINDS = [
  'people book',
  'the database is killed',
  'the server is killed',
  'all is stopped and started',
  'power of all processes',
] as const;
export type FullKind = (typeof FULL_KINDS)[number];

export interface FullReport {
  kind: FullKind;
  refused: number;
  /** Milliseconds until calls succeed again once there is space. */
  back: number;
  wrong: string[];
}

/** Fills the file system to its last byte; the returned function frees the space again. */
function fill(folder: string): () => void {
  const path = join(folder, 'ballast');
  const file = openSync(path, 'w');
  for (let size = CHUNK; size >= 1; size = Math.floor(size / 2)) {
    try {
      for (;;) if (writeSync(file, Buffer.alloc(size)) < size) break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
  closeSync(file);
  return () => rmSync(path);
}

const hasEnded = ({ supervisor }: RunningServer): boolean =>
  supervisor.exitCode !== null || supervisor.signalCode !== null;

const isNamed = (log: string): boolean => /The disk of \S+ is full\. Free some space there/.test(log);

/** A file system in memory with the product on it, which is filled repeatedly. */
export class SmallDisk {
  readonly #folder = mkdtempSync(join(tmpdir(), 'rmeet-full-'));
  readonly #bookings: Bookings = noBookings();
  #server: RunningServer | undefined;

  async start(): Promise<void> {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=755`, 'tmpfs', this.#folder]);
    this.#server = await startOn(join(this.#folder, 'data'));
  }

  async remove(): Promise<void> {
    await this.#server?.stop();
    await run('umount', ['--lazy', this.#folder]);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get acknowledged(): number {
    return this.#bookings.acknowledged.size;
  }

  /** One full disk under load, from filling until everything works again. */
  async cut(kind: FullKind): Promise<FullReport> {
    const wrong: string[] = [];
    const bookings = this.#bookings;
    bookings.refused.clear();
    const people = await signIn(this.#running);
    let isOver = false;
    const booking = book(people, bookings, () => isOver);
    const before = bookings.acknowledged.size;
    await until('meetings are booked', () => bookings.acknowledged.size > before + 3, { within: 60_000 });
    const makeRoom = fill(this.#folder);
    try {
      await until('calls say that the disk is full', () => bookings.refused.has('DISK_FULL'), { within: 60_000 });
      await until('it is not ready', async () => (await isReady(this.#running.url)) === false);
      wrong.push(...(await this.#meanwhile(kind)));
      await sleep(STAYS_FULL);
      if ((await isReady(this.#running.url)) === true) wrong.push('it is ready while the disk is full');
    } catch (error) {
      wrong.push(String(error));
    }
    makeRoom();
    const freed = performance.now();
    if (hasEnded(this.#running)) this.#server = await startOn(this.#running.data);
    await until('it is ready again', () => isReady(this.#running.url), { within: BACK_WITHIN });
    const back = performance.now() - freed;
    isOver = true;
    await booking;
    for (const subject of await missing(this.#running, bookings)) wrong.push(`${subject} was acknowledged and is lost`);
    for (const code of unexpected(bookings)) wrong.push(`calls were answered with ${code}`);
    return { kind, refused: bookings.refused.get('DISK_FULL') ?? 0, back, wrong };
  }

  get #running(): RunningServer {
    if (!this.#server) throw new Error('It was not started.');
    return this.#server;
  }

  /** Returns the faults. */
  async #meanwhile(kind: FullKind): Promise<string[]> {
    const server = this.#running;
    const says = (log: string): string[] =>
      isNamed(log) ? [] : [`no sentence names the full disk: ${log.slice(-300)}`];
    switch (kind) {
      case 'people book':
        return [];
      case 'the database is killed':
        server.kill('database');
        await until('it is said', () => isNamed(server.log()), { within: 30_000 });
        return [];
      case 'the server is killed':
        server.kill('server');
        return [];
      case 'power of all processes':
        for (const which of ['server', 'database', 'supervisor'] as const) server.kill(which);
        await until('the supervisor has ended', () => hasEnded(server));
        return this.#startsNot(says);
      case 'all is stopped and started':
        await server.stop();
        return this.#startsNot(says);
    }
  }

  /** Started on the full disk, it ends at once with the expected message. */
  async #startsNot(says: (log: string) => string[]): Promise<string[]> {
    const { data } = this.#running;
    try {
      this.#server = await startOn(data);
      return ['it starts on a full disk'];
    } catch (error) {
      return says(String(error));
    }
  }
}
