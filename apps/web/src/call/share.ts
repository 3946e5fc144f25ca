/** Text is sharp in few pictures a second (`detail`); videos are smooth (`motion`). */
export const SHARE_HINTS = ['detail', 'motion'] as const;
/** Pictures a second. */
export const SHARE_RATES = [5, 15, 30] as const;

export interface ShareOptions {
  hint: (typeof SHARE_HINTS)[number];
  rate: (typeof SHARE_RATES)[number];
}

export const SHARE_DEFAULTS: ShareOptions = { hint: 'detail', rate: 15 };

/** What is shared, as far as the browser tells. */
export type ShareSurface = 'monitor' | 'window' | 'browser' | 'unknown';

/** Asks browsers to offer the sound of the whole computer, and not this page itself. */
const OFFERS = { systemAudio: 'include', selfBrowserSurface: 'exclude', surfaceSwitching: 'include' };

/** The request for a screen, with sound that is not treated as a voice. */
export function screenRequest({ rate }: ShareOptions): DisplayMediaStreamOptions {
  const sound = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };
  return { video: { frameRate: { ideal: rate, max: rate } }, audio: sound, ...OFFERS };
}

export function surfaceOf(track: MediaStreamTrack): ShareSurface {
  const { displaySurface } = track.getSettings();
  return displaySurface === 'monitor' || displaySurface === 'window' || displaySurface === 'browser'
    ? displaySurface
    : 'unknown';
}

/** Applies the options to a track, also while it is sent. */
export async function applyShareOptions(track: MediaStreamTrack, { hint, rate }: ShareOptions): Promise<void> {
  track.contentHint = hint;
  try {
    await track.applyConstraints({ frameRate: { ideal: rate, max: rate } });
  } catch {
    // A source that cannot change its rate keeps it; the hint alone has its effect.
  }
}

/** How long a source may take to deliver a picture for a pause; ms. */
const PATIENCE = 1_000;
/** The still picture is sent again this often, for people who begin to watch; ms. */
const AGAIN = 1_000;

/**
 * A track that shows the last picture of another one, with the sign for a pause. Sent in its place, so
 * that all receivers see it, later joins and recordings included.
 */
export async function stillOf(source: MediaStreamTrack): Promise<MediaStreamTrack> {
  const video = document.createElement('video');
  video.muted = true;
  video.srcObject = new MediaStream([source]);
  await Promise.race([video.play(), new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
  const canvas = document.createElement('canvas');
  canvas.width = video.videoWidth || 1280;
  canvas.height = video.videoHeight || 720;
  const context = canvas.getContext('2d');
  const draw = () => context?.drawImage(picture, 0, 0);
  const picture = await createImageBitmap(marked(video, canvas));
  draw();
  video.srcObject = null;
  const [track] = canvas.captureStream().getVideoTracks();
  if (track === undefined) throw new Error('the browser cannot capture a canvas');
  track.contentHint = 'detail';
  const timer = setInterval(draw, AGAIN);
  const stop = track.stop.bind(track);
  track.stop = () => {
    clearInterval(timer);
    stop();
  };
  return track;
}

/** Draws the picture and, in its middle, the sign for a pause: viewers read different languages. */
function marked(video: HTMLVideoElement, canvas: HTMLCanvasElement): HTMLCanvasElement {
  const context = canvas.getContext('2d');
  if (context === null) return canvas;
  const { width, height } = canvas;
  const radius = Math.round(height / 9);
  context.drawImage(video, 0, 0, width, height);
  context.fillStyle = 'rgb(0 0 0 / 45%)';
  context.fillRect(0, 0, width, height);
  context.translate(width / 2, height / 2);
  context.fillStyle = 'rgb(10 15 20 / 85%)';
  context.beginPath();
  context.arc(0, 0, radius, 0, 2 * Math.PI);
  context.fill();
  context.fillStyle = '#ffffff';
  for (const left of [-0.42, 0.14]) context.fillRect(radius * left, radius * -0.42, radius * 0.28, radius * 0.84);
  context.resetTransform();
  return canvas;
}
