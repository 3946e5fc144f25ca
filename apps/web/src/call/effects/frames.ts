/** One frame of a track. */
export interface Frame {
  picture: CanvasImageSource;
  width: number;
  height: number;
  /** Microseconds. */
  timestamp: number;
}

interface FrameSource {
  stop(): void;
  /** Rejects if a frame could not be handled. */
  readonly failed: Promise<never>;
}

interface OutputTrack {
  readonly track: MediaStreamTrack;
  /** Sends what the canvas shows now. */
  send(timestamp: number): void;
}

/** At most 25 frames a second. */
const EVERY = 40;

/** Chromium's own way, which TypeScript does not know: it also works while the page is hidden. */
interface Insertable {
  MediaStreamTrackProcessor?: new (init: { track: MediaStreamTrack }) => { readable: ReadableStream<VideoFrame> };
  MediaStreamTrackGenerator?: new (init: { kind: 'video' }) => MediaStreamTrack & {
    writable: WritableStream<VideoFrame>;
  };
}

const insertable = (): Insertable => globalThis as Insertable;

/** Calls `handle` with the frames of a track, one at a time; those that come meanwhile are dropped. */
export function framesOf(source: MediaStreamTrack, handle: (frame: Frame) => Promise<void>): FrameSource {
  const Processor = insertable().MediaStreamTrackProcessor;
  const stopped = new AbortController();
  const running =
    Processor === undefined
      ? readByVideo(source, handle, stopped.signal)
      : readByProcessor(new Processor({ track: source }).readable, handle, stopped.signal);
  const failed = running.then(() => new Promise<never>(() => undefined));
  return { stop: () => stopped.abort(), failed };
}

async function readByProcessor(
  frames: ReadableStream<VideoFrame>,
  handle: (frame: Frame) => Promise<void>,
  stopped: AbortSignal,
): Promise<void> {
  const reader = frames.getReader();
  stopped.addEventListener('abort', () => void reader.cancel());
  let last = -EVERY;
  for (;;) {
    const { value: frame, done } = await reader.read();
    if (done) return;
    try {
      const now = performance.now();
      if (stopped.aborted || now - last < EVERY - 5) continue;
      last = now;
      const { displayWidth: width, displayHeight: height, timestamp } = frame;
      await handle({ picture: frame, width, height, timestamp });
    } finally {
      frame.close();
    }
  }
}

async function readByVideo(
  source: MediaStreamTrack,
  handle: (frame: Frame) => Promise<void>,
  stopped: AbortSignal,
): Promise<void> {
  const video = document.createElement('video');
  video.muted = true;
  video.playsInline = true;
  video.srcObject = new MediaStream([source]);
  await video.play();
  while (!stopped.aborted) {
    const started = performance.now();
    const { videoWidth: width, videoHeight: height } = video;
    if (width > 0) await handle({ picture: video, width, height, timestamp: started * 1_000 });
    await new Promise((resolve) => setTimeout(resolve, Math.max(5, EVERY - (performance.now() - started))));
  }
  video.srcObject = null;
}

/** A track that shows a canvas. */
export function trackOf(canvas: HTMLCanvasElement): OutputTrack {
  const Generator = insertable().MediaStreamTrackGenerator;
  if (Generator === undefined) {
    const [track] = canvas.captureStream().getVideoTracks();
    if (track === undefined) throw new Error('no track of the canvas');
    return { track, send: () => undefined };
  }
  const track = new Generator({ kind: 'video' });
  const writer = track.writable.getWriter();
  return {
    track,
    // Writing is refused once the track has been stopped.
    send: (timestamp) => void writer.write(new VideoFrame(canvas, { timestamp })).catch(() => undefined),
  };
}
