import type { Held } from '../../../../call/index.ts';

/** What pressing the microphone's button does: a word for its state could be read as the action, and the reverse. */
export function microphoneLabel({ held, micOn, mayUnmute }: { held: Held; micOn: boolean; mayUnmute: boolean }) {
  if (held.microphone) return mayUnmute ? 'toolbar.micOn' : 'speaking.ask';
  return micOn ? 'toolbar.micOff' : 'toolbar.micOn';
}

/** What pressing the camera's button does, or that it is blocked: then pressing only tells why. */
export function cameraLabel({ held, cameraOn }: { held: Held; cameraOn: boolean }) {
  if (held.camera) return 'toolbar.cameraHeld';
  return cameraOn ? 'toolbar.cameraOff' : 'toolbar.cameraOn';
}
