import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@rmeet/testkit';
import type { Random } from '../fuzz/random.ts';
import type { Device, Disk, DiskRoom } from './disk.ts';

/** Writes until a cut, ms: at least, and at most so much more. */
const LEAST_WRITING = 800;
const MORE_WRITING = 3_500;
const FIRST_WITHIN = 60_000;
/** Then one begins with a new disk and an empty data folder. */
const CUTS_PER_DISK = 5;

/** Notes, outside the disk, what was acknowledged. */
export interface Ledger {
  /** A number that no write had before. */
  next(): number;
  acknowledged(mark: string): void;
}

/** What is found after a power loss: marks of writes, and sentences of what is broken. */
export interface Reading {
  found: ReadonlySet<string>;
  corrupt: string[];
}

/** What runs on a disk. */
export interface Session {
  /** Writes over several connections without a pause, until `end`. */
  write(ledger: Ledger): Promise<void>;
  read(): Promise<Reading>;
  /** Ends all processes at once. */
  end(): Promise<void>;
}

/** Starts what is under load on a data folder, which is empty at first. @throws Error where it does not come up */
export type Start = (folder: string, options: { isFlushing: boolean }) => Promise<Session>;

export interface Plan {
  device: Device;
  cuts: number;
  /** Without, PostgreSQL asks for no write to reach the disk: the control, which has to lose. */
  isFlushing: boolean;
  start: Start;
  random: Random;
}

export interface Report {
  cuts: number;
  /** Writes acknowledged before the cuts began. */
  acknowledged: number;
  lost: number;
  /** Cuts that lost a write. */
  losing: number;
  /** Cuts after which nothing came up. */
  down: number;
  corrupt: string[];
}

/**
 * Cuts the power over and over under load. After each cut the disk's remains are mounted, what runs is started on them,
 * and every write that was acknowledged before the cut began is looked for; the next cut follows on the same remains.
 */
export async function cutPower(room: DiskRoom, plan: Plan): Promise<Report> {
  const course = new Course(room, plan);
  try {
    while (course.report.cuts < plan.cuts) await course.cut();
    return course.report;
  } finally {
    await course.end();
  }
}

class Course {
  readonly report: Report = { cuts: 0, acknowledged: 0, lost: 0, losing: 0, down: 0, corrupt: [] };
  readonly #room: DiskRoom;
  readonly #plan: Plan;
  #disk: Disk | undefined;
  #session: Session | undefined;
  #numbers = 0;
  /**
   * What has to be found after the next cut: all that was found after the last one, and what was acknowledged since.
   */
  #there = new Set<string>();
  #fresh = 0;

  constructor(room: DiskRoom, plan: Plan) {
    this.#room = room;
    this.#plan = plan;
  }

  /** One cut, from a disk in order to the verdict on what was left of it. */
  async cut(): Promise<void> {
    const { disk, session } = await this.#ready();
    const writing = session.write({
      next: () => (this.#numbers += 1),
      acknowledged: (mark) => this.#acknowledge(mark),
    });
    // It breaks off with the power.
    const broken = writing.catch(() => undefined);
    await until('a write is acknowledged', () => this.#fresh > 0, { within: FIRST_WITHIN });
    await sleep(LEAST_WRITING + this.#plan.random.next() * MORE_WRITING);
    const promised = new Set(this.#there);
    this.report.acknowledged += this.#fresh;
    const cut = await disk.powerLoss();
    this.#session = undefined;
    await session.end();
    await broken;
    await disk.remove();
    this.#disk = await cut.mount();
    this.report.cuts += 1;
    await this.#judge(promised, await this.#comeUp(this.#disk));
  }

  async end(): Promise<void> {
    await this.#session?.end();
    await this.#disk?.remove();
  }

  #acknowledge(mark: string): void {
    this.#there.add(mark);
    this.#fresh += 1;
  }

  /** What the last cut left, or a new disk. */
  async #ready(): Promise<{ disk: Disk; session: Session }> {
    this.#fresh = 0;
    if (this.#disk && this.#session) return { disk: this.#disk, session: this.#session };
    this.#there = new Set();
    this.#disk = await this.#room.disk(this.#plan.device);
    this.#session = await this.#plan.start(this.#disk.folder, this.#plan);
    // With it on, a new database is as durable as what is written to it; without, it has to be there for writes to be
    // lost.
    if (!this.#plan.isFlushing) await this.#disk.sync();
    return { disk: this.#disk, session: this.#session };
  }

  async #comeUp(disk: Disk): Promise<Reading | undefined> {
    try {
      this.#session = await this.#plan.start(disk.folder, this.#plan);
      return await this.#session.read();
    } catch (error) {
      this.report.down += 1;
      this.report.corrupt.push(`nothing comes up: ${String(error)}`);
      return undefined;
    }
  }

  async #judge(promised: ReadonlySet<string>, reading: Reading | undefined): Promise<void> {
    const found = reading?.found ?? new Set();
    const lost = promised.difference(found).size;
    this.report.lost += lost;
    if (lost > 0) this.report.losing += 1;
    this.report.corrupt.push(...(reading?.corrupt ?? []));
    this.#there = new Set(found);
    // What is broken stays broken, and a new database has to survive as well.
    if (reading?.corrupt.length === 0 && this.report.cuts % CUTS_PER_DISK !== 0) return;
    await this.end();
    this.#session = undefined;
    this.#disk = undefined;
  }
}
