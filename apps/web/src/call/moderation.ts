import { onAirId, type ConferenceControl } from '@rmeet/conference';
import type { ControlStep } from '@rmeet/contract';
import type { AckFailure, Obeyed } from '../lib/push/index.ts';
import type { Held } from './call-types.ts';
import type { DeviceError } from './device-errors.ts';
import type { Capture, LocalMediaState } from './local-media.ts';
import type { MediaSession, MediaSource, Outgoing } from './media-types.ts';

export const FREE: Held = { microphone: false, camera: false, content: null };

/** Milliseconds after which what the chair asks of the engine counts as failed. */
const OBEY_WITHIN = 5_000;

/** What the chair holds of a terminal; `before` itself where nothing has changed. */
export function heldOf(control: ConferenceControl, termId: string, before: Held = FREE): Held {
  const { muted = false, cameraOff = false, contentOff = false } = control.terminals[termId] ?? {};
  const isLocked = control.contentLockId !== null && control.contentLockId !== termId;
  const held: Held = { microphone: muted, camera: cameraOff, content: contentOff ? 'off' : isLocked ? 'locked' : null };
  return held.microphone === before.microphone && held.camera === before.camera && held.content === before.content
    ? before
    : held;
}

/** Whether the chair, or a turn of polling, has put somebody on air to all. Whoever merely speaks is not. */
export function isOnAir(control: ConferenceControl, termId: string): boolean {
  return onAirId(control, [], new Set([termId])) === termId;
}

/**
 * What goes out: what the person has switched on, less what is held. Held mute means no sound at all, that of a shared
 * screen included.
 */
export function outgoingOf(
  { camera, microphone, screen }: Pick<LocalMediaState, 'camera' | 'microphone' | 'screen'>,
  held: Held,
): Outgoing {
  const sent = ({ on, track }: Capture, isHeld: boolean) => (on && !isHeld ? track : null);
  return {
    camera: sent(camera, held.camera),
    microphone: sent(microphone, held.microphone),
    screen: held.content === null ? screen.video : null,
    screenAudio: held.microphone || held.content !== null ? null : screen.audio,
  };
}

/** The sources that a step holds or frees. */
export function sourcesOf({ verb }: ControlStep): readonly MediaSource[] {
  return HOLDING[verb] ?? [];
}

const HOLDING: Record<string, readonly MediaSource[]> = {
  camera: ['camera'],
  mute: ['microphone', 'screenAudio'],
  muteAll: ['microphone', 'screenAudio'],
  selfUnmute: ['microphone', 'screenAudio'],
  giveFloor: ['microphone', 'screenAudio'],
  contentLock: ['screen', 'screenAudio'],
  dualStream: ['screen', 'screenAudio'],
  scene: ['microphone', 'screen', 'screenAudio'],
  undo: ['microphone', 'screen', 'screenAudio', 'camera'],
};

/** Everything that can be held. */
export const HOLDABLE: readonly MediaSource[] = ['microphone', 'camera', 'screen', 'screenAudio'];

/** Why a step that frees something of ours brings nothing on air; null where it does, or nothing is freed. */
export function whyNotFreed(
  step: ControlStep,
  local: Pick<LocalMediaState, 'camera' | 'microphone'>,
  held: Held,
): AckFailure | null {
  const sources = sourcesOf(step);
  const freed = (['microphone', 'camera'] as const).filter((kind) => sources.includes(kind) && !held[kind]);
  return freed.map((kind) => whyNotSent(step, local[kind])).find((why) => why !== null) ?? null;
}

/**
 * Resolves when the sources are off or sent as they are to be. Without a session nothing goes out, and the next one
 * begins with what is allowed.
 */
export async function isMet(
  session: MediaSession | null,
  sources: readonly MediaSource[],
  isOver: () => boolean,
): Obeyed {
  if (session === null) return null;
  const giveUp = AbortSignal.timeout(OBEY_WITHIN);
  const met = await Promise.all(sources.map((source) => session.whenMet(source, giveUp)));
  return met.every(Boolean) || isOver() ? null : 'engineFailed';
}

/** Why lifting a hold brings nothing on air; null where it does, and where this person was not asked for by name. */
function whyNotSent({ verb }: ControlStep, { on, error }: Capture): AckFailure | null {
  if (error !== null) return NO_DEVICE.has(error) ? 'noDevice' : 'deviceRefused';
  return !on && (verb === 'mute' || verb === 'camera' || verb === 'giveFloor') ? 'personAsked' : null;
}

const NO_DEVICE: ReadonlySet<DeviceError> = new Set(['noDevice', 'overConstrained', 'unsupported']);

/**
 * How loud another terminal is played, 0-1. Whoever the conference does not know is not heard: the engine may be
 * behind.
 */
export function volumeIn(control: ConferenceControl): (termId: string) => number {
  if (control.version === 0) return () => 1;
  return (termId) => {
    const entry = control.terminals[termId];
    return entry?.present === true ? entry.volume / 100 : 0;
  };
}
