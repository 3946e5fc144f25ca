import type { Vote } from '@rmeet/conference';

/** A question as it is put. */
export type Ballot = Pick<Vote, 'question' | 'options' | 'isSecret'>;

/** Prepared votes of one meeting; more would hide the form. */
const MOST = 20;

const keyOf = (meetId: string): string => `preparedVotes ${meetId}`;

function isBallot(value: unknown): value is Ballot {
  if (typeof value !== 'object' || value === null) return false;
  const { question, options, isSecret } = value as Partial<Record<keyof Ballot, unknown>>;
  return typeof question === 'string' && Array.isArray(options) && typeof isSecret === 'boolean';
}

/** The votes that were prepared for a meeting in this browser, the oldest first. */
export function readPrepared(meetId: string, storage: Pick<Storage, 'getItem'> = localStorage): Ballot[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(keyOf(meetId)) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isBallot) : [];
  } catch {
    return [];
  }
}

/** Keeps the prepared votes of a meeting, the newest if there are too many; returns those that are kept. */
export function keepPrepared(
  meetId: string,
  ballots: readonly Ballot[],
  storage: Pick<Storage, 'setItem' | 'removeItem'> = localStorage,
): Ballot[] {
  const kept = ballots.slice(-MOST);
  if (kept.length === 0) storage.removeItem(keyOf(meetId));
  else storage.setItem(keyOf(meetId), JSON.stringify(kept));
  return kept;
}
