import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@rmeet/testkit';
import type { Span } from './beacon.ts';
import type { RecordedMeeting } from './meeting.ts';
import { playsSoFar } from './plays.ts';
import type { Product } from './product.ts';

export const FAULT_KINDS = ['recorder', 'server', 'media', 's3', 'disk', 'clock'] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** A fault that was made: from its beginning until its cause was gone. */
export interface Fault extends Span {
  kind: FaultKind;
  /** What went wrong at once. */
  wrong: string[];
}

export interface Stage {
  product: Product;
  meetings: readonly RecordedMeeting[];
  /** How long the S3 server is away the first time, and the other times; ms. */
  awayFor: { first: number; later: number };
}

const MINUTE = 60_000;
const MEGABYTE = 2 ** 20;
const WITHIN = { within: 60_000, every: 20 };
/** Below what the recorder wants to be free, and above what the database needs to go on. */
const LEFT = 150 * MEGABYTE;
/** How far the clock jumps, one after the other; all together it stays near the real time. */
const JUMPS = [7 * MINUTE, -4 * MINUTE, -6 * MINUTE, 20_000, -17_000, 3 * MINUTE];
const STAYS_FULL = 4_000;

/** What a fault does; returns what went wrong, and when it began if that was later. */
type Make = (stage: Stage, n: number) => Promise<{ wrong?: string[]; from?: number }>;

/** Fills the disk: recording says so, and what was recorded before plays. */
const fillDisk: Make = async ({ product, meetings }, n) => {
  const wrong: string[] = [];
  // Every second time to the last byte, so that the database cannot store anything either.
  const left = n % 2 === 0 ? LEFT : 0;
  const makeRoom = product.fill(left);
  const from = Date.now();
  try {
    if (left > 0) await until('all are told', () => meetings.every((one) => one.isPausedByDisk), WITHIN);
    await sleep(STAYS_FULL);
    if (left > 0) wrong.push(...(await playsSoFar(meetings[0]!)));
  } catch (error) {
    wrong.push(String(error));
  } finally {
    makeRoom();
  }
  return { wrong, from };
};

/** Every second time the S3 server ends, otherwise it accepts connections and does not answer. */
const takeS3Away: Make = async ({ product: { s3 }, awayFor }, n) => {
  if (!s3) throw new Error('There is no S3 server.');
  const isEnded = n % 2 === 0;
  if (isEnded) await s3.away();
  else s3.halt(true);
  await sleep(n === 0 ? awayFor.first : awayFor.later);
  if (isEnded) await s3.back();
  else s3.halt(false);
  return {};
};

const MAKE: Record<FaultKind, Make> = {
  async recorder({ product }) {
    product.server.kill('recorder');
    return {};
  },
  async server({ product }) {
    product.server.kill('server');
    await product.server.ready();
    return {};
  },
  async media({ product, meetings }) {
    product.server.kill('media');
    await until('no media comes', () => meetings.every((one) => one.silentSince !== undefined), WITHIN);
    await until('media comes again', () => meetings.every((one) => one.silentSince === undefined), WITHIN);
    return {};
  },
  s3: takeS3Away,
  disk: fillDisk,
  async clock({ product }, n) {
    product.jump(JUMPS[n % JUMPS.length]!);
    return {};
  },
};

/** Makes the nth fault of its kind. */
export async function makeFault(stage: Stage, kind: FaultKind, n: number): Promise<Fault> {
  const from = Date.now();
  try {
    const { wrong = [], from: began = from } = await MAKE[kind](stage, n);
    return { kind, from: began, to: Date.now(), wrong };
  } catch (error) {
    return { kind, from, to: Date.now(), wrong: [String(error)] };
  }
}
