import {
  controlOrder,
  nextTurn,
  type ConferenceCommand,
  type ConferenceControl,
  type PollingSettings,
} from '@rmeet/conference';
import { DEVICE_TYPES } from '@rmeet/contract';
import type { TenantTx } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/http/index.ts';
import type { MediaParticipant } from '../../../platform/media/index.ts';
import { findTerminals } from '../repo.ts';

const ROOM_DEVICES: ReadonlySet<number> = new Set([
  DEVICE_TYPES.mraDevice,
  DEVICE_TYPES.roomsWindows,
  DEVICE_TYPES.roomsMac,
  DEVICE_TYPES.roomsAndroid,
]);

export type TurnCommand = Extract<ConferenceCommand, { verb: 'pollingTurn' }>;

/** Which terminal gets the next turn: the next or previous one, or one that was chosen. */
export type Step = { step: 'next' | 'previous' } | { termId: string };

/** The terminals that take turns, in order, and which of them have video. */
export interface Candidates {
  order: string[];
  hasVideo: (termId: string) => boolean;
}

/** Participants whose camera sends video. */
export function terminalsWithVideo(participants: readonly MediaParticipant[]): Set<string> {
  return new Set(
    participants
      .filter(({ tracks }) =>
        tracks.some(({ source, kind, muted }) => source === 'camera' && kind === 'video' && !muted),
      )
      .map(({ identity }) => identity),
  );
}

/** The lecturer, who takes no turns; null outside lecture mode. */
export const lecturerOf = ({ mode, speakerId }: ConferenceControl): string | null =>
  mode === 'LECTURE' ? speakerId : null;

/**
 * Finds the terminals that take turns.
 *
 * @param visible terminals whose camera sends video
 */
export async function findCandidates(
  tx: TenantTx,
  state: ConferenceControl,
  settings: PollingSettings,
  visible: ReadonlySet<string>,
): Promise<Candidates> {
  const lecturer = lecturerOf(state);
  const listed = settings.termIds.length > 0 ? settings.termIds : controlOrder(state);
  const inside = listed.filter((termId) => state.terminals[termId]?.present && termId !== lecturer);
  const rows = settings.roomsOnly ? await findTerminals(tx, inside) : [];
  const rooms = new Set(rows.filter(({ deviceType }) => ROOM_DEVICES.has(deviceType)).map(({ termId }) => termId));
  return {
    order: settings.roomsOnly ? inside.filter((termId) => rooms.has(termId)) : inside,
    hasVideo: (termId) => !settings.onlyVideo || (visible.has(termId) && state.terminals[termId]?.cameraOff === false),
  };
}

/** The terminal after the current one; null if it is the same. */
export function followerOf({ order, hasVideo }: Candidates, termId: string): string | null {
  const follower = nextTurn(order, hasVideo, termId);
  return follower === termId ? null : follower;
}

/**
 * The command that assigns the turn after the current one.
 *
 * @param due when it was due, so that delays of single switches do not add up
 * @throws AppError POLLING_OFF
 */
export async function turnAfter(
  tx: TenantTx,
  state: ConferenceControl,
  visible: ReadonlySet<string>,
  step: Step,
  due: Date | null,
  now: Date,
): Promise<TurnCommand> {
  const { polling } = state;
  if (!polling) throw new AppError('POLLING_OFF');
  const candidates = await findCandidates(tx, state, polling, visible);
  const from = polling.turn?.termId ?? null;
  const termId = 'termId' in step ? step.termId : stepFrom(candidates, from, polling.next, step.step);
  if (termId === null) return { verb: 'pollingTurn', termId: null, next: null, at: now.toISOString(), switchAt: null };
  const start = due !== null && Math.abs(now.getTime() - due.getTime()) < 1_000 ? due : now;
  return {
    verb: 'pollingTurn',
    termId,
    next: followerOf(candidates, termId),
    at: now.toISOString(),
    switchAt: polling.isPaused ? null : secondsAfter(start, polling.seconds),
  };
}

function stepFrom(
  { order, hasVideo }: Candidates,
  from: string | null,
  next: string | null,
  direction: 'next' | 'previous',
): string | null {
  if (direction === 'previous') return nextTurn(order, hasVideo, from, -1);
  // If the current terminal has left, polling moves to the one announced as next.
  const hasLeft = from !== null && !order.includes(from);
  const announced = hasLeft ? order.find((id) => id === next && hasVideo(id)) : undefined;
  return announced ?? nextTurn(order, hasVideo, from);
}

const secondsAfter = (at: Date, seconds: number): string => new Date(at.getTime() + seconds * 1_000).toISOString();
