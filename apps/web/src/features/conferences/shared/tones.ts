/** Length of one tone, s, and its volume. */
const TONE = 0.12;
const VOLUME = 0.06;

/** Plays tones one after another; `tones`: their frequencies, Hz. */
export function playTones(context: AudioContext, tones: readonly number[]): void {
  tones.forEach((frequency, at) => {
    const start = context.currentTime + at * TONE;
    const tone = new OscillatorNode(context, { frequency });
    const gain = new GainNode(context, { gain: 0 });
    gain.gain.setValueAtTime(VOLUME, start);
    gain.gain.exponentialRampToValueAtTime(0.001, start + TONE);
    tone.connect(gain).connect(context.destination);
    tone.start(start);
    tone.stop(start + TONE);
  });
}
