/** Milliseconds between two looks, and how many of them a camera gets after it was started. */
const EVERY = 1_000;
const LOOKS = 20;
/** A mean luminance (0-255) below this is dark, if it stays so for several looks. */
const DARK = 38;
const LASTING = 4;
const [WIDTH, HEIGHT] = [32, 18];

/** Mean luminance of RGBA samples, 0-255 (ITU-R BT.601). */
export function luminanceOf(samples: Uint8ClampedArray): number {
  let sum = 0;
  for (let at = 0; at < samples.length; at += 4)
    sum += 0.299 * (samples[at] ?? 0) + 0.587 * (samples[at + 1] ?? 0) + 0.114 * (samples[at + 2] ?? 0);
  return (4 * sum) / samples.length;
}

/** Says once that something has been dark for a while. */
export class DarkDetector {
  #dark = 0;

  isDark(luminance: number): boolean {
    this.#dark = luminance < DARK ? this.#dark + 1 : 0;
    return this.#dark === LASTING;
  }
}

/** Calls back if a camera's picture stays dark in its first 20 seconds. Returns a function that stops looking. */
export function watchLight(source: MediaStreamTrack, onDark: () => void): () => void {
  const video = document.createElement('video');
  video.muted = true;
  video.playsInline = true;
  video.srcObject = new MediaStream([source]);
  // Refused only if the page is about to close.
  video.play().catch(() => undefined);
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [WIDTH, HEIGHT];
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const detector = new DarkDetector();
  let looks = 0;
  const stop = () => {
    clearInterval(timer);
    video.srcObject = null;
  };
  const timer = setInterval(() => {
    looks += 1;
    if (context !== null && video.videoWidth > 0) {
      context.drawImage(video, 0, 0, WIDTH, HEIGHT);
      if (detector.isDark(luminanceOf(context.getImageData(0, 0, WIDTH, HEIGHT).data))) {
        stop();
        onDark();
      }
    }
    if (looks >= LOOKS) stop();
  }, EVERY);
  return stop;
}
