import { backdropOf } from './backdrops.ts';
import type { Background } from './choices.ts';
import { framesOf, trackOf } from './frames.ts';
import { MaskSource } from './masks.ts';
import { loadSegmenter } from './segmenter.ts';
import { SpeedGuard } from './speed-guard.ts';
import type { TrackEffect } from './track-effect.ts';

/** Lines of the picture at most, and on a machine that is too slow for these. */
const LINES = 720;
const FEWER_LINES = 360;
/** Milliseconds that a frame may cost: more would take too much of the page's one thread. */
const MOST = 30;
/** If frames cost more than this, each mask serves for two of them; ms. */
const DEAR = 12;
/** Lines of the blurred background before it is scaled up. */
const BLURRED = { blurLight: { lines: 90, radius: 2 }, blurStrong: { lines: 45, radius: 2.5 } } as const;

/**
 * A copy of a camera's track whose background is blurred or replaced. On a slow machine it finds the person in every
 * second frame only, then takes fewer lines; if the machine is too slow for those, too, or computing fails, calls
 * `onProblem` once.
 */
export async function startBackground(
  source: MediaStreamTrack,
  background: Background,
  onProblem: (problem: 'tooSlow' | 'failed') => void,
): Promise<TrackEffect> {
  const [segmenter, composer] = await Promise.all([loadSegmenter(), composerOf(background)]);
  // The first picture compiles the model, and comes before anything is shown.
  await segmenter.segment(composer.canvas, false);
  const output = trackOf(composer.canvas);
  const guard = new SpeedGuard(MOST);
  const masks = new MaskSource(segmenter);
  let lines = LINES;
  let isStopped = false;
  const stop = () => {
    if (isStopped) return;
    isStopped = true;
    frames.stop();
    output.track.stop();
  };
  const fail = (problem: 'tooSlow' | 'failed') => {
    if (isStopped) return;
    stop();
    onProblem(problem);
  };
  const frames = framesOf(source, async ({ picture, width, height, timestamp }) => {
    const started = performance.now();
    const mask = await masks.next(picture, height > width);
    if (isStopped) return;
    composer.compose(picture, mask, sizeWithin(width, height, lines));
    output.send(timestamp);
    const isTooSlow = guard.isTooSlow(masks.averaged(performance.now() - started));
    if ((guard.median ?? 0) > DEAR) masks.isShared = true;
    if (!isTooSlow) return;
    if (Math.min(width, height, lines) <= FEWER_LINES) fail('tooSlow');
    lines = FEWER_LINES;
    guard.reset();
  });
  frames.failed.catch(() => fail('failed'));
  return { track: output.track, stop, cost: () => guard.median };
}

interface Size {
  width: number;
  height: number;
}

/** The size with at most `lines` on the shorter side; sides are even, as encoders want them. */
export function sizeWithin(width: number, height: number, lines: number): Size {
  const scale = Math.min(1, lines / Math.min(width, height));
  return { width: 2 * Math.round((width * scale) / 2), height: 2 * Math.round((height * scale) / 2) };
}

interface Composer {
  readonly canvas: HTMLCanvasElement;
  compose(picture: CanvasImageSource, mask: CanvasImageSource, size: Size): void;
}

/** Puts the person in front of the background. */
async function composerOf(background: Background): Promise<Composer> {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [640, 360];
  const context = canvas.getContext('2d', { alpha: true });
  if (context === null) throw new Error('no canvas');
  const isBlur = background === 'blurLight' || background === 'blurStrong';
  const backdrop = isBlur ? null : await backdropOf(background);
  if (!isBlur && backdrop === null) throw new Error(`no picture ${background}`);
  const blur = isBlur ? blurOf(BLURRED[background]) : null;
  return {
    canvas,
    compose(picture, mask, { width, height }) {
      if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
      context.imageSmoothingQuality = 'medium';
      context.globalCompositeOperation = 'copy';
      context.drawImage(mask, 0, 0, width, height);
      context.globalCompositeOperation = 'source-in';
      context.drawImage(picture, 0, 0, width, height);
      context.globalCompositeOperation = 'destination-over';
      const behind = blur?.(picture, width / height) ?? backdrop;
      if (behind !== null) drawCovering(context, behind, { width, height });
    },
  };
}

/** Blurs in a small canvas, which costs little; scaling it up smooths further. */
function blurOf({ lines, radius }: { lines: number; radius: number }) {
  const small = document.createElement('canvas');
  const context = small.getContext('2d', { alpha: false });
  return (picture: CanvasImageSource, aspect: number): HTMLCanvasElement => {
    const width = Math.round(lines * aspect);
    if (small.width !== width || small.height !== lines) [small.width, small.height] = [width, lines];
    // Safari has no filters; there the small size alone blurs.
    if (context !== null && 'filter' in context) context.filter = `blur(${radius}px)`;
    // A little larger than the canvas: the filter would darken its edges.
    context?.drawImage(picture, -radius, -radius, width + 2 * radius, lines + 2 * radius);
    return small;
  };
}

/** Fills the canvas; a picture with another aspect ratio is cut. */
function drawCovering(context: CanvasRenderingContext2D, picture: CanvasImageSource, { width, height }: Size): void {
  const from = picture as HTMLCanvasElement | HTMLImageElement;
  const scale = Math.max(width / from.width, height / from.height);
  const [w, h] = [from.width * scale, from.height * scale];
  context.drawImage(picture, (width - w) / 2, (height - h) / 2, w, h);
}
