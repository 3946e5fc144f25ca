/** Seconds between two chimes, and the duration of one tone. */
const EVERY = 2.4;
const TONE = 0.5;
/** Hz: a fourth, low and soft. */
const TONES = [440, 587.33];
const LOUDNESS = 0.06;
const MUTED_KEY = 'ringMuted';

export function isChimeMuted(): boolean {
  return localStorage.getItem(MUTED_KEY) === '1';
}

export function rememberChimeMuted(muted: boolean): void {
  localStorage.setItem(MUTED_KEY, muted ? '1' : '0');
}

function chime(context: AudioContext): void {
  for (const [index, frequency] of TONES.entries()) {
    const start = context.currentTime + index * TONE * 0.6;
    const tone = new OscillatorNode(context, { type: 'sine', frequency });
    const gain = new GainNode(context, { gain: 0 });
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(LOUDNESS, start + 0.04);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + TONE);
    tone.connect(gain).connect(context.destination);
    tone.start(start);
    tone.stop(start + TONE);
  }
}

/**
 * Chimes quietly until the returned function is called. Browsers stay silent until the user has interacted with the
 * page, as for any sound.
 */
export function startChime(): () => void {
  const context = new AudioContext();
  chime(context);
  const timer = setInterval(() => chime(context), EVERY * 1_000);
  return () => {
    clearInterval(timer);
    void context.close();
  };
}
