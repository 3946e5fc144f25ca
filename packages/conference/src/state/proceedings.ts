import { z } from 'zod';
import { CHOSEN_MODES } from './modes.ts';
import { banner, screenLayout, WINDOW_POSITIONS } from './screen.ts';

/** Seconds between two turns. */
export const POLLING_SECONDS = { min: 3, max: 3_600, default: 10 } as const;

const termId = z.string().max(40);
const termIds = z.array(termId).max(1_000);
const at = z.iso.datetime();

/** How terminals take turns. */
export const pollingSettings = z.object({
  /** Whose turns, in order; empty for everybody inside, in the list's order. */
  termIds,
  seconds: z.number().int().min(POLLING_SECONDS.min).max(POLLING_SECONDS.max),
  /** Whoever sends no picture is skipped. */
  onlyVideo: z.boolean(),
  /** Only the devices of physical rooms take turns. */
  roomsOnly: z.boolean(),
  isPaused: z.boolean(),
});
export type PollingSettings = z.infer<typeof pollingSettings>;

export const DEFAULT_POLLING: PollingSettings = {
  termIds: [],
  seconds: POLLING_SECONDS.default,
  onlyVideo: true,
  roomsOnly: false,
  isPaused: false,
};

/** Polling that runs: whose turn it is, and who follows when, so that every terminal has that picture ready. */
export const polling = pollingSettings.extend({
  turn: z.object({ termId, since: at }).nullable(),
  next: termId.nullable(),
  /** Null while nobody follows, or it is paused. */
  switchAt: at.nullable(),
  /** Who was on air before. */
  resumes: z.object({ mode: z.enum(CHOSEN_MODES), speakerId: z.string().nullable() }),
});
export type Polling = z.infer<typeof polling>;

/**
 * Somebody's time to speak, or everybody's where `termId` is null. It runs until `endsAt`, or stands with `left` ms
 * while paused.
 */
export const speakingTimer = z.object({
  termId: termId.nullable(),
  seconds: z.number().int(),
  endsAt: at.nullable(),
  left: z.number().int().nullable(),
});
export type SpeakingTimer = z.infer<typeof speakingTimer>;

/** One after the other on air, and marked. */
export const rollCall = z.object({
  startedAt: at,
  entries: z.array(z.object({ termId, name: z.string(), mark: z.enum(['present', 'absent']).nullable() })).max(1_000),
  /** Who is on air to answer now. */
  currentId: termId.nullable(),
  endedAt: at.nullable(),
});
export type RollCall = z.infer<typeof rollCall>;

export const VOTE_OPTIONS = { min: 2, max: 10 } as const;
export const vote = z.object({
  id: z.uuid(),
  question: z.string(),
  options: z.array(z.string()),
  /** Who voted for what is told to nobody. */
  isSecret: z.boolean(),
  openedAt: at,
  closedAt: at.nullable(),
  /** Ballots so far. */
  cast: z.number().int(),
  /** Per option, once it is closed. */
  counts: z.array(z.number().int()).nullable(),
});
export type Vote = z.infer<typeof vote>;

/** What a scene holds of a conference; terminals by termId. */
export const sceneSettings = z.object({
  layout: screenLayout,
  window: z.enum(WINDOW_POSITIONS).nullable(),
  mode: z.enum(CHOSEN_MODES),
  speakerId: z.string().nullable(),
  /** Whether each of these is held mute; the others stay as they are. */
  muted: z.record(z.string(), z.boolean()),
  locked: z.boolean(),
  contentLockId: z.string().nullable(),
  banner: banner.nullable(),
});
export type SceneSettings = z.infer<typeof sceneSettings>;

/** A scene as desks see it. */
export const scene = z.object({
  id: z.uuid(),
  name: z.string(),
  settings: sceneSettings,
  /** When it is applied by itself, and when that happened. */
  at: at.nullable(),
  appliedAt: at.nullable(),
});
export type Scene = z.infer<typeof scene>;

/** What a timer has left at a moment, ms; below 0 once it is over. */
export function timeLeft({ endsAt, left }: SpeakingTimer, now: number): number {
  return endsAt === null ? (left ?? 0) : Date.parse(endsAt) - now;
}

export type TimerAction = 'pause' | 'resume' | 'add';

/** A timer after a change made at `at`; `seconds` are added (or taken, below 0) by `add`. */
export function changedTimer(
  timer: SpeakingTimer,
  action: TimerAction,
  seconds: number,
  moment: string,
): SpeakingTimer {
  const now = Date.parse(moment);
  const left = timeLeft(timer, now);
  if (action === 'pause') return timer.endsAt === null ? timer : { ...timer, endsAt: null, left };
  if (action === 'resume')
    return timer.endsAt === null ? { ...timer, endsAt: new Date(now + left).toISOString(), left: null } : timer;
  const added = { ...timer, seconds: Math.max(0, timer.seconds + seconds) };
  return timer.endsAt === null
    ? { ...added, left: left + seconds * 1_000 }
    : { ...added, endsAt: new Date(now + left + seconds * 1_000).toISOString() };
}

/**
 * Who is called up after the present one has been marked: the next without a mark, from there on, then from the start.
 */
export function nextInRoll({ entries, currentId }: RollCall): string | null {
  const from = entries.findIndex((entry) => entry.termId === currentId) + 1;
  return (
    [...entries.slice(from), ...entries.slice(0, from)].find(
      ({ mark, termId: id }) => mark === null && id !== currentId,
    )?.termId ?? null
  );
}

/**
 * Who follows in polling.
 *
 * @param order whose turns, in order
 * @param canBeSeen who can have one now
 * @param from whose turn it was; null to begin
 * @param step 1 forward, -1 back
 * @returns null where nobody can; the same again where nobody else can
 */
export function nextTurn(
  order: readonly string[],
  canBeSeen: (termId: string) => boolean,
  from: string | null,
  step: 1 | -1 = 1,
): string | null {
  const round = [...new Set(order)];
  const start = from === null ? -1 : round.indexOf(from);
  for (let count = 1; count <= round.length; count += 1) {
    const index =
      start === -1
        ? step === 1
          ? count - 1
          : round.length - count
        : (start + step * count + round.length * count) % round.length;
    const candidate = round[index];
    if (candidate !== undefined && canBeSeen(candidate)) return candidate;
  }
  return null;
}
