import { LEVEL_RATE } from '../../../call/index.ts';

/** What a microphone has delivered so far: nothing yet, sound, or silence for several seconds. */
export type Hearing = 'listening' | 'heard' | 'silent';

/** Louder is sound of the room; on the scale of `watchLevel`. */
const SOUND = 0.12;
/** Silence is told after so many reports. */
const SILENT_AFTER = 5 * LEVEL_RATE;

/**
 * Judges the levels of one microphone. Once it was heard it works: people who listen are quiet, and are not told
 * again.
 */
export function createHearing(): (level: number) => Hearing {
  let heard = false;
  let silentFor = 0;
  return (level) => {
    heard ||= level >= SOUND;
    silentFor += 1;
    return heard ? 'heard' : silentFor >= SILENT_AFTER ? 'silent' : 'listening';
  };
}
