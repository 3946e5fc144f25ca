/** Hertz of three notes, one after the other. */
const NOTES = [523, 659, 784];
/** Seconds. */
const EACH = 0.35;

interface Selectable {
  setSinkId?: (deviceId: string) => Promise<void>;
}

/** Plays three notes on a speaker; null: the browser's default. Resolves when they are over. */
export async function playTestSound(speakerId: string | null): Promise<void> {
  const context = new AudioContext();
  const output = context.createMediaStreamDestination();
  const element: HTMLAudioElement & Selectable = new Audio();
  try {
    element.srcObject = output.stream;
    if (speakerId !== null) await element.setSinkId?.(speakerId);
    await element.play();
    const start = context.currentTime + 0.1;
    const notes = NOTES.map((frequency, at) => {
      const begin = start + at * EACH;
      const volume = new GainNode(context, { gain: 0 });
      volume.gain.setValueAtTime(0, begin);
      volume.gain.linearRampToValueAtTime(0.3, begin + 0.03);
      volume.gain.linearRampToValueAtTime(0, begin + EACH);
      const note = new OscillatorNode(context, { frequency });
      note.connect(volume).connect(output);
      note.start(begin);
      note.stop(begin + EACH);
      return new Promise((resolve) => note.addEventListener('ended', resolve));
    });
    await Promise.all(notes);
  } finally {
    element.srcObject = null;
    await context.close();
  }
}
