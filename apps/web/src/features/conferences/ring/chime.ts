import { chime } from '../shared/chime.ts';

/** Seconds between two chimes. */
const EVERY = 2.4;
const LOUDNESS = 0.06;
const MUTED_KEY = 'ringMuted';

export function isChimeMuted(): boolean {
  return localStorage.getItem(MUTED_KEY) === '1';
}

export function rememberChimeMuted(muted: boolean): void {
  localStorage.setItem(MUTED_KEY, muted ? '1' : '0');
}

/**
 * Chimes quietly until the returned function is called. Browsers stay silent until the user has interacted with the
 * page, as for any sound.
 */
export function startChime(): () => void {
  const context = new AudioContext();
  const sound = () => chime(context, context.destination, LOUDNESS);
  sound();
  const timer = setInterval(sound, EVERY * 1_000);
  return () => {
    clearInterval(timer);
    void context.close();
  };
}
