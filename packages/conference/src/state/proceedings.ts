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
  /** The terminals that take turns, in order; empty for all present ones, in the list's order. */
  termIds,
  seconds: z.number().int().min(POLLING_SECONDS.min).max(POLLING_SECONDS.max),
  /** Terminals that send no picture are skipped. */
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

/**
 * Running polling: whose turn it is, which terminal follows and when, so that every terminal has that picture ready.
 */
export const polling = pollingSettings.extend({
  turn: z.object({ termId, since: at }).nullable(),
  next: termId.nullable(),
  /** Null if no terminal follows, or while it is paused. */
  switchAt: at.nullable(),
  /** Who was on air before. */
  resumes: z.object({ mode: z.enum(CHOSEN_MODES), speakerId: z.string().nullable() }),
});
export type Polling = z.infer<typeof polling>;

/**
 * The speaking time of one terminal, or of all if `termId` is null. It runs until `endsAt`, or has `left` ms remaining
 * while paused.
 */
export const speakingTimer = z.object({
  termId: termId.nullable(),
  seconds: z.number().int(),
  endsAt: at.nullable(),
  left: z.number().int().nullable(),
});
export type SpeakingTimer = z.infer<typeof speakingTimer>;

/** Terminals go on air one after the other and are marked. */
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
  /** The votes of individual people are not disclosed. */
  isSecret: z.boolean(),
  openedAt: at,
  closedAt: at.nullable(),
  /** Number of ballots cast so far. */
  cast: z.number().int(),
  /** Per option, once it is closed. */
  counts: z.array(z.number().int()).nullable(),
});
export type Vote = z.infer<typeof vote>;

/** The conference settings that a scene stores; terminals by termId. */
export const sceneSettings = z.object({
  layout: screenLayout,
  window: z.enum(WINDOW_POSITIONS).nullable(),
  mode: z.enum(CHOSEN_MODES),
  speakerId: z.string().nullable(),
  /** Whether each of these is muted by the chair; the others stay as they are. */
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
  /** When it is applied automatically, and when that happened. */
  at: at.nullable(),
  appliedAt: at.nullable(),
});
export type Scene = z.infer<typeof scene>;

/** The time left on a timer at a moment, ms; below 0 once it is over. */
export function timeLeft({ endsAt, left }: SpeakingTimer, now: number): number {
  return endsAt === null ? (left ?? 0) : Date.parse(endsAt) - now;
}

export type TimerAction = 'pause' | 'resume' | 'add';

/** A timer after a change at `at`; `add` adds `seconds` (or subtracts them, below 0). */
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
 * Who is called up after the present one has been marked: the next without a mark, searching from there on, then from
 * the start.
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
 * Which terminal has the next turn in polling.
 *
 * @param order whose turns, in order
 * @param canBeSeen which terminals can have a turn now
 * @param from whose turn it was; null to begin
 * @param step 1 forward, -1 back
 * @returns null if no terminal can; the same one again if no other can
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
