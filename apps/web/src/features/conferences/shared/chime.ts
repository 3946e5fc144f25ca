/** Seconds of one tone. */
const TONE = 0.5;
/** Hz: a fourth, low and soft. */
const TONES = [440, 587.33];

/** Seconds that a chime lasts. */
export const CHIME_SECONDS = TONE * 1.6;

/** Plays two soft tones. `loudness`: from 0 to 1. */
export function chime(context: AudioContext, output: AudioNode, loudness: number): void {
  for (const [index, frequency] of TONES.entries()) {
    const start = context.currentTime + index * TONE * 0.6;
    const tone = new OscillatorNode(context, { type: 'sine', frequency });
    const gain = new GainNode(context, { gain: 0 });
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(loudness, start + 0.04);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + TONE);
    tone.connect(gain).connect(output);
    tone.start(start);
    tone.stop(start + TONE);
  }
}
