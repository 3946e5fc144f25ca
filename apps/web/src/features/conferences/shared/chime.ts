/** Seconds of one tone. */
const TONE = 0.5;
/** Hz: a fourth, low and soft. */
const TONES = [440, 587.33];

/** Seconds that a chime lasts. */
const CHIME_SECONDS = TONE * 1.6;

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

/** Loudness of a test of the speaker. */
const TEST_LOUDNESS = 0.3;

/**
 * Plays a chime on a speaker, to try it; null: the browser's default. Resolves when it is over. Rejects if the speaker
 * is gone, or the browser refuses it.
 */
export async function playChime(speakerId: string | null): Promise<void> {
  const context = new AudioContext();
  // Browsers can choose the output of elements more often than that of a context.
  const element = new Audio();
  element.hidden = true;
  document.body.append(element);
  try {
    const output = new MediaStreamAudioDestinationNode(context);
    element.srcObject = output.stream;
    if ('setSinkId' in element) await element.setSinkId(speakerId ?? '');
    await element.play();
    chime(context, output, TEST_LOUDNESS);
    await new Promise((resolve) => setTimeout(resolve, CHIME_SECONDS * 1_000));
  } finally {
    element.remove();
    element.srcObject = null;
    await context.close();
  }
}
