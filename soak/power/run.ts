import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@rmeet/testkit';
import type { Random } from '../fuzz/random.ts';
import type { Device, Disk, DiskRoom } from './disk.ts';

/** Time of writing until a cut, ms: the minimum, and the maximum in addition. */
const LEAST_WRITING = 800;
const MORE_WRITING = 3_500;
const FIRST_WITHIN = 60_000;
/** After this many cuts, a new disk and an empty data folder are used. */
const CUTS_PER_DISK = 5;

/** Records acknowledged writes, outside the disk. */
export interface Ledger {
  /** An unused number. */
  next(): number;
  acknowledged(mark: string): void;
}

/** The result after a power loss: marks of writes, and sentences about errors. */
export interface Reading {
  found: ReadonlySet<string>;
  corrupt: string[];
}

/** A program running on a disk. */
export interface Session {
  /** Writes over several connections without a pause, until `end`. */
  write(ledger: Ledger): Promise<void>;
  read(): Promise<Reading>;
  /** Kills all processes at once. */
  end(): Promise<void>;
}

/** Starts the program under load on a data folder, which is empty at first. @throws Error if it does not start */
export type Start = (folder: string, options: { isFlushing: boolean }) => Promise<Session>;

export interface Plan {
  device: Device;
  cuts: number;
  /** If false, PostgreSQL does not flush any write to the disk: the control, which must lose some. */
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
  /** Cuts after which the program did not start. */
  down: number;
  corrupt: string[];
}

/**
 * Cuts the power repeatedly under load. After each cut, the remaining disk is mounted, the program is started on it,
 * and every write acknowledged before the cut is checked; the next cut uses the same disk.
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
  /** What must be found after the next cut: everything found after the last one, and what was acknowledged since. */
  #there = new Set<string>();
  #fresh = 0;

  constructor(room: DiskRoom, plan: Plan) {
    this.#room = room;
    this.#plan = plan;
  }

  /** One cut, from an intact disk to the verdict on the result. */
  async cut(): Promise<void> {
    const { disk, session } = await this.#ready();
    const writing = session.write({
      next: () => (this.#numbers += 1),
      acknowledged: (mark) => this.#acknowledge(mark),
    });
    // It fails when the power is lost.
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

  /** The result of the last cut, or a new disk. */
  async #ready(): Promise<{ disk: Disk; session: Session }> {
    this.#fresh = 0;
    if (this.#disk && this.#session) return { disk: this.#disk, session: this.#session };
    this.#there = new Set();
    this.#disk = await this.#room.disk(this.#plan.device);
    this.#session = await this.#plan.start(this.#disk.folder, this.#plan);
    // With flushes, a new database is as durable as later writes; without them, it must be on the disk so that writes
    // can be lost.
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
    // A corrupt disk stays corrupt, and a new database must survive, too.
    if (reading?.corrupt.length === 0 && this.report.cuts % CUTS_PER_DISK !== 0) return;
    await this.end();
    this.#session = undefined;
    this.#disk = undefined;
  }
}
