import { timeLeft, type ConferenceControl, type RollCall, type SpeakingTimer, type Vote } from '@rmeet/conference';
import type { Terminal } from '@rmeet/contract';

/** Milliseconds of a timer that are a warning. */
const LAST = 10_000;

export type TimerLook = 'running' | 'warning' | 'over' | 'paused';

/** A timer as a clock shows it at a moment of the server's clock: `1:05`, below nothing `-0:07`. */
export function timerAt(timer: SpeakingTimer, now: number): { look: TimerLook; text: string } {
  const left = timeLeft(timer, now);
  // What is left is counted up to the next second, what is over down to the last one, so that 0:00 is shown once.
  const seconds = Math.ceil(left / 1_000);
  const [minutes, rest] = [Math.floor(Math.abs(seconds) / 60), Math.abs(seconds) % 60];
  const look = timer.endsAt === null ? 'paused' : seconds <= 0 ? 'over' : left <= LAST ? 'warning' : 'running';
  return { look, text: `${seconds < 0 ? '-' : ''}${minutes}:${String(rest).padStart(2, '0')}` };
}

/** Place in the queue of those with a hand up, from 1; null for whoever has none up. */
export function handPlace(
  terminals: readonly Pick<Terminal, 'termId' | 'handRaisedAt'>[],
  termId: string,
): number | null {
  const queue = terminals
    .filter(({ handRaisedAt }) => handRaisedAt !== null)
    .toSorted((a, b) => Date.parse(a.handRaisedAt ?? '') - Date.parse(b.handRaisedAt ?? ''));
  const at = queue.findIndex((each) => each.termId === termId);
  return at === -1 ? null : at + 1;
}

/** How far a roll call is. */
export function rollProgress({ entries }: Pick<RollCall, 'entries'>): {
  marked: number;
  present: number;
  absent: number;
  total: number;
} {
  const present = entries.filter(({ mark }) => mark === 'present').length;
  const absent = entries.filter(({ mark }) => mark === 'absent').length;
  return { marked: present + absent, present, absent, total: entries.length };
}

/** Each option with its ballots and their share in whole percent; null while the vote is open. */
export function voteResult({
  options,
  counts,
}: Pick<Vote, 'options' | 'counts'>): { option: string; count: number; percent: number }[] | null {
  if (counts === null) return null;
  const all = counts.reduce((sum, count) => sum + count, 0);
  return options.map((option, at) => ({
    option,
    count: counts[at] ?? 0,
    percent: all === 0 ? 0 : Math.round(((counts[at] ?? 0) / all) * 100),
  }));
}

/** Whether the layout this terminal was given can be left for a view of its own. */
export function mayHaveOwnView({ allowOwnLayout, layout, terminals }: ConferenceControl, termId: string): boolean {
  return allowOwnLayout && (terminals[termId]?.layout ?? layout).model !== 'AUTO';
}

/**
 * The captions for a terminal: its own, else those for all; null for those whose time is over by the server's clock. An
 * onlooker has no termId.
 */
export function bannerFor(
  { banner, terminals }: ConferenceControl,
  termId: string | null,
  now: number,
): ConferenceControl['banner'] {
  const isShown = (each: ConferenceControl['banner'] | undefined): each is NonNullable<typeof each> =>
    each !== null && each !== undefined && (each.until === null || Date.parse(each.until) > now);
  const own = termId === null ? null : terminals[termId]?.banner;
  return isShown(own) ? own : isShown(banner) ? banner : null;
}

/** When captions of a terminal change by themselves next, ms; null where they do not. */
export function bannerChange(
  { banner, terminals }: ConferenceControl,
  termId: string | null,
  now: number,
): number | null {
  const times = [banner, termId === null ? null : terminals[termId]?.banner]
    .flatMap((each) => (each?.until ? [Date.parse(each.until)] : []))
    .filter((time) => time > now);
  return times.length === 0 ? null : Math.min(...times);
}
