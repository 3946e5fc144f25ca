/** Level reports per second. */
export const LEVEL_RATE = 15;

/**
 * Reports how loud a microphone is, from 0 (silence) to 1 (loud), about 15 times a second, until stopped. Speech lies
 * around 0.3 to 0.8 on this scale: it is logarithmic, from -60 dB to 0 dB of full scale. Nothing is reported while the
 * browser lets the page process no sound, because that is no silence.
 */
export function watchLevel(track: MediaStreamTrack, onLevel: (level: number) => void): () => void {
  const context = new AudioContext();
  const source = context.createMediaStreamSource(new MediaStream([track]));
  const analyser = context.createAnalyser();
  analyser.fftSize = 1024;
  source.connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  const timer = setInterval(() => {
    // An AudioContext made before the first click on the page starts suspended.
    if (context.state === 'suspended') void context.resume();
    if (context.state !== 'running') return;
    analyser.getFloatTimeDomainData(samples);
    onLevel(levelOf(samples));
  }, 1_000 / LEVEL_RATE);
  return () => {
    clearInterval(timer);
    source.disconnect();
    void context.close();
  };
}

/** Loudness of samples between -1 and 1 on the scale of `watchLevel`. */
export function levelOf(samples: Float32Array): number {
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
  const decibels = 10 * Math.log10(power + 1e-12);
  return Math.max(0, Math.min(1, 1 + decibels / 60));
}
