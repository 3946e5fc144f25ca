import { timeLeft, type ConferenceControl, type RollCall, type SpeakingTimer, type Vote } from '@rmeet/conference';

/** From this time left on, a timer shows a warning; ms. */
const LAST = 10_000;

export type TimerLook = 'running' | 'warning' | 'over' | 'paused';

/** A timer as text at a moment of the server's clock: `1:05`, or `-0:07` when overdue. */
export function timerAt(timer: SpeakingTimer, now: number): { look: TimerLook; text: string } {
  const left = timeLeft(timer, now);
  // Time left rounds up and time overdue rounds down, so that 0:00 is shown only once.
  const seconds = Math.ceil(left / 1_000);
  const [minutes, rest] = [Math.floor(Math.abs(seconds) / 60), Math.abs(seconds) % 60];
  const look = timer.endsAt === null ? 'paused' : seconds <= 0 ? 'over' : left <= LAST ? 'warning' : 'running';
  return { look, text: `${seconds < 0 ? '-' : ''}${minutes}:${String(rest).padStart(2, '0')}` };
}

/** The progress of a roll call. */
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

/** Whether this terminal may leave its layout for its own view. */
export function mayHaveOwnView({ allowOwnLayout, layout, terminals }: ConferenceControl, termId: string): boolean {
  return allowOwnLayout && (terminals[termId]?.layout ?? layout).model !== 'AUTO';
}

/**
 * The captions of a terminal: its own, else those for all; null if their time is over by the server's clock. An
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

/** When the captions of a terminal next change by themselves, ms; null if they do not. */
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
