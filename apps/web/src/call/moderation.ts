import { onAirId, shareBarrier, type ConferenceControl } from '@rmeet/conference';
import type { ControlStep } from '@rmeet/contract';
import type { AckFailure, Obeyed } from '../lib/push/index.ts';
import type { DeviceError } from './device-errors.ts';
import type { Capture, LocalMediaState } from './local-media.ts';
import type { MediaSession, MediaSource, Outgoing } from './media-types.ts';

/** What the chair holds of one terminal: its microphone, its camera, its shared content. */
export interface Held {
  readonly microphone: boolean;
  readonly camera: boolean;
  /**
   * `off`: sharing is turned off for this terminal; `locked`: only another terminal may share; `hosts`: only people who
   * lead the meeting may.
   */
  readonly content: 'off' | 'locked' | 'hosts' | null;
}

/** Nothing is held. */
export const NO_HOLDS: Held = { microphone: false, camera: false, content: null };

/** Milliseconds after which a command counts as failed at the engine. */
const APPLY_TIMEOUT = 5_000;

/** The holds of a terminal; `before` itself if nothing has changed. */
export function heldOf(control: ConferenceControl, termId: string, before: Held = NO_HOLDS): Held {
  const { muted = false, cameraOff = false, contentOff = false } = control.terminals[termId] ?? {};
  const content = contentOff ? 'off' : shareBarrier(control, termId);
  const held: Held = { microphone: muted, camera: cameraOff, content };
  return held.microphone === before.microphone && held.camera === before.camera && held.content === before.content
    ? before
    : held;
}

/** Whether the chair, or a polling turn, has put a terminal on air. Speaking alone does not count. */
export function isOnAir(control: ConferenceControl, termId: string): boolean {
  return onAirId(control, [], new Set([termId])) === termId;
}

/**
 * The tracks to send: what the user has switched on, minus what is held or interrupted. A held microphone also mutes
 * the sound of a shared screen.
 */
export function outgoingOf(
  { camera, microphone, screen }: Pick<LocalMediaState, 'camera' | 'microphone' | 'screen'>,
  held: Held,
): Outgoing {
  const sent = ({ on, track, interrupted }: Capture, isHeld: boolean) => (on && !isHeld && !interrupted ? track : null);
  return {
    camera: sent(camera, held.camera),
    microphone: sent(microphone, held.microphone),
    screen: held.content === null ? screen.video : null,
    screenAudio: held.microphone || held.content !== null ? null : screen.audio,
  };
}

/** The sources that a step holds or releases. */
export function sourcesOf({ verb }: ControlStep): readonly MediaSource[] {
  return SOURCES_BY_VERB[verb] ?? [];
}

const SOURCES_BY_VERB: Record<string, readonly MediaSource[]> = {
  allow: ['screen', 'screenAudio'],
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

/** All sources that can be held. */
export const HOLDABLE: readonly MediaSource[] = ['microphone', 'camera', 'screen', 'screenAudio'];

/** Why a step that releases a source does not start it; null if it does, or nothing is released. */
export function releaseFailure(
  step: ControlStep,
  local: Pick<LocalMediaState, 'camera' | 'microphone'>,
  held: Held,
): AckFailure | null {
  const sources = sourcesOf(step);
  const freed = (['microphone', 'camera'] as const).filter((kind) => sources.includes(kind) && !held[kind]);
  return freed.map((kind) => sendFailure(step, local[kind])).find((why) => why !== null) ?? null;
}

/**
 * Resolves when the sources are off or sent as required. Without a session nothing is sent, and the next one starts
 * with the current holds.
 */
export async function whenApplied(
  session: MediaSession | null,
  sources: readonly MediaSource[],
  isOver: () => boolean,
): Obeyed {
  if (session === null) return null;
  const giveUp = AbortSignal.timeout(APPLY_TIMEOUT);
  const met = await Promise.all(sources.map((source) => session.whenMet(source, giveUp)));
  return met.every(Boolean) || isOver() ? null : 'engineFailed';
}

/** Why releasing a hold does not start the source; null if it does, or if the command did not name this terminal. */
function sendFailure({ verb }: ControlStep, { on, error }: Capture): AckFailure | null {
  if (error !== null) return NO_DEVICE.has(error) ? 'noDevice' : 'deviceRefused';
  return !on && (verb === 'mute' || verb === 'camera' || verb === 'giveFloor') ? 'personAsked' : null;
}

const NO_DEVICE: ReadonlySet<DeviceError> = new Set(['noDevice', 'overConstrained', 'unsupported']);

/**
 * The playback volume of other terminals, 0-1. Terminals unknown to the conference are silent, because the engine may
 * lag behind.
 */
export function volumeIn(control: ConferenceControl): (termId: string) => number {
  if (control.version === 0) return () => 1;
  return (termId) => {
    const entry = control.terminals[termId];
    return entry?.present === true ? entry.volume / 100 : 0;
  };
}
