import type { ConferenceControl, ControlStep } from '@rmeet/contract';
import type { AckFailure } from '../lib/push/index.ts';
import type { Held } from './call-types.ts';
import type { DeviceError } from './device-errors.ts';
import type { Capture, LocalMediaState } from './local-media.ts';
import type { MediaSource, Outgoing } from './media-types.ts';

export const FREE: Held = { microphone: false, camera: false };

/** What the chair holds of a terminal; `before` itself where nothing has changed. */
export function heldOf(control: ConferenceControl, termId: string, before: Held = FREE): Held {
  const { muted = false, cameraOff = false } = control.terminals[termId] ?? {};
  return muted === before.microphone && cameraOff === before.camera ? before : { microphone: muted, camera: cameraOff };
}

/** What goes out: what the person has switched on, less what is held. Held mute means no sound at all, that of a shared screen included. */
export function outgoingOf({ camera, microphone, screen }: Pick<LocalMediaState, 'camera' | 'microphone' | 'screen'>, held: Held): Outgoing {
  const sent = ({ on, track }: Capture, isHeld: boolean) => (on && !isHeld ? track : null);
  return {
    camera: sent(camera, held.camera),
    microphone: sent(microphone, held.microphone),
    screen: screen.video,
    screenAudio: held.microphone ? null : screen.audio,
  };
}

/** The sources that a step holds or frees. */
export function sourcesOf({ verb }: ControlStep): MediaSource[] {
  if (verb === 'camera') return ['camera'];
  if (verb === 'mute' || verb === 'muteAll' || verb === 'selfUnmute') return ['microphone', 'screenAudio'];
  return verb === 'undo' ? ['microphone', 'screenAudio', 'camera'] : [];
}

/** Why lifting a hold brings nothing on air; null where it does, and where this person was not asked for by name. */
export function whyNotSent({ verb }: ControlStep, { on, error }: Capture): AckFailure | null {
  if (error !== null) return NO_DEVICE.has(error) ? 'noDevice' : 'deviceRefused';
  return !on && (verb === 'mute' || verb === 'camera') ? 'personAsked' : null;
}

const NO_DEVICE: ReadonlySet<DeviceError> = new Set(['noDevice', 'overConstrained', 'unsupported']);

/** How loud another terminal is played, 0-1. Whoever the conference does not know is not heard: the engine may be behind. */
export function volumeIn(control: ConferenceControl): (termId: string) => number {
  if (control.version === 0) return () => 1;
  return (termId) => {
    const entry = control.terminals[termId];
    return entry?.present === true ? entry.volume / 100 : 0;
  };
}
