import { randomInt } from 'node:crypto';
import type { TenantTx } from '../../../platform/db/index.ts';
import { meetingNumber } from '../tables.ts';

const FIRST = 100_000_000;
const LAST = 999_999_999;
/** With a tenth of all numbers taken, this many misses in a row happen once in 10^30. */
const TRIES = 30;

/** The owner of a number: a meeting, a series, or a person. */
type NumberOf = { kind: 'meeting' | 'series' } | { kind: 'personal'; accountId: string };

/** Takes a free nine-digit number at random, so that numbers cannot be derived from one another. */
export async function takeNumber(tx: TenantTx, now: Date, of: NumberOf = { kind: 'meeting' }): Promise<string> {
  for (let tries = 0; tries < TRIES; tries++) {
    const number = String(randomInt(FIRST, LAST + 1));
    const taken = await tx.insert(meetingNumber, { number, ...of, createdAt: now }, 'nothing');
    if (taken.length > 0) return number;
  }
  throw new Error('No free meeting number was found.');
}
