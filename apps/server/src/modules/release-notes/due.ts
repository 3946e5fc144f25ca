import { ONE_DAY, type ReleaseNote } from '@rmeet/contract';
import type { ReminderRow } from './tables.ts';

/** Compares versions by their numbers: below 0 if `a` is older. Words after a hyphen do not count. */
export function compareVersions(a: string, b: string): number {
  const numbers = (version: string): number[] => (version.split('-')[0] ?? '').split('.').map(Number);
  const [left, right] = [numbers(a), numbers(b)];
  for (let i = 0; i < Math.max(left.length, right.length); i += 1) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

type PutOff = Pick<ReminderRow, 'frequency' | 'version' | 'doneVersion' | 'putOffAt' | 'sessionId'>;

/** Whether the time of a choice is over: a day, a week, or the session in which it was made. */
function isOver({ frequency, putOffAt, sessionId }: PutOff, now: Date, session: string): boolean {
  const days = (count: number): boolean => now.getTime() >= putOffAt.getTime() + count * ONE_DAY;
  switch (frequency) {
    case 'NEVER':
      return false;
    case 'DAILY':
      return days(1);
    case 'WEEKLY':
      return days(7);
    case 'EACH':
      return sessionId !== session;
  }
}

/**
 * The notes that an account has not put off, in the order given. Notes newer than the choice are always shown: NEVER is
 * about the notes that the account saw.
 */
export function notesDue(
  notes: readonly ReleaseNote[],
  choice: PutOff | undefined,
  { now, session }: { now: Date; session: string },
): ReleaseNote[] {
  if (!choice) return [...notes];
  const seen = isOver(choice, now, session) ? choice.doneVersion : choice.version;
  return notes.filter(({ version }) => seen === '' || compareVersions(version, seen) > 0);
}
