import { pathOf, recordings, type RecordingTrack } from '@rmeet/contract';
import type Hls from 'hls.js/light';
import { loadChunk } from '../../../lib/chunks.ts';
import { ApiError } from '../../../lib/api/error.ts';
import { Holes } from './holes.ts';
import { listedIn, placedOf, type Placed } from './placed.ts';
import type { Signer } from './signer.ts';

/**
 * Why a track does not play: its viewer may not watch it any more, it cannot be fetched or decoded, or the server
 * cannot read it now.
 */
export type StreamFailure = 'refused' | 'broken' | 'unavailable';

/**
 * Whether the server has to send the media itself: this browser cannot read them where they are stored, because the
 * storage does not allow it (CORS) or cannot be reached from here. Found once for all tracks.
 */
let isProxied = false;

interface StreamOptions {
  recordingId: string;
  track: RecordingTrack;
  /** Without the recording's edit. */
  whole: boolean;
  signer: Signer;
  /** Seconds to load ahead. */
  ahead: number;
  /** By the clock: where it will play first. */
  startAt: () => number;
  onPlaced: (placed: Placed[]) => void;
  onFailure: (failure: StreamFailure) => void;
}

/**
 * Plays a track in a media element: by Media Source Extensions (hls.js), or by the browser's own HLS where there are
 * none. Returns a function that ends it.
 */
export function openStream(video: HTMLVideoElement, options: StreamOptions): () => void {
  let isOver = false;
  let close = (): void => undefined;
  const run = async () => {
    const { default: Engine } = await loadChunk(() => import('hls.js/light'));
    const address = addressOf(options);
    // Asked for first, because a refusal of the signature is final, and hls.js would try again.
    await options.signer.playback();
    if (isOver) return;
    close = Engine.isSupported() ? openByMse(Engine, video, address, options) : openNatively(video, address, options);
  };
  run().catch((error: unknown) => {
    if (!isOver) options.onFailure(isRefusal(error) ? 'refused' : 'broken');
  });
  return () => {
    isOver = true;
    close();
  };
}

function addressOf({ recordingId, track, whole }: StreamOptions): string {
  return pathOf(recordings.playlist, {
    params: { id: recordingId, track: track.id },
    query: { sign: '', ...(whole && { whole: 'true' }) },
  });
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && [401, 403, 404, 406, 410].includes(error.httpStatus);
}

const MOST_TRIES = 6;
/** How segments are asked for again. hls.js itself gives up where there is no answer; then the server sends them. */
const RETRY: NonNullable<Hls['config']['fragLoadPolicy']['default']['errorRetry']> = {
  maxNumRetry: MOST_TRIES,
  retryDelayMs: 400,
  maxRetryDelayMs: 8_000,
  shouldRetry(_config, count, _isTimeout, response, isWorthIt) {
    if (response?.code !== 0) return isWorthIt;
    // The first one may be a connection that was lost.
    if (count > 0) isProxied = true;
    return count < MOST_TRIES;
  },
};

/** A signed address of a playlist or a file of it. */
function mediaAddress(signed: string): string {
  return isProxied && /\.(?:m4s|mp4)\?/.test(signed) ? `${signed}&proxied=true` : signed;
}

function failureOf(code: number): StreamFailure {
  if ([401, 403, 404, 410].includes(code)) return 'refused';
  return code >= 500 ? 'unavailable' : 'broken';
}

function openByMse(Engine: typeof Hls, video: HTMLVideoElement, address: string, options: StreamOptions): () => void {
  const { signer, track, ahead, startAt, onPlaced, onFailure } = options;
  const hls = new Engine({
    // fMP4 needs no work that would be worth a worker.
    enableWorker: false,
    autoStartLoad: false,
    maxBufferLength: ahead,
    maxMaxBufferLength: ahead * 2,
    backBufferLength: 30,
    fragLoadPolicy: { default: { ...Engine.DefaultConfig.fragLoadPolicy.default, errorRetry: RETRY } },
    xhrSetup: async (xhr, url) => {
      const signed = await signer.sign(url).catch((error: unknown) => {
        if (isRefusal(error)) fail('refused');
        throw error;
      });
      xhr.open('GET', mediaAddress(signed), true);
    },
  });
  const holes = new Holes(hls, video, track.kind === 'programme');
  video.addEventListener('waiting', holes.pass);
  let isFailed = false;
  const fail = (failure: StreamFailure): void => {
    if (isFailed) return;
    isFailed = true;
    hls.stopLoad();
    onFailure(failure);
  };
  let isStarted = false;
  let isRecovered = false;
  const place = (details: { fragments: { relurl?: string | undefined; start: number; duration: number }[] }) => {
    const listed = details.fragments.map(({ relurl = '', start, duration }) => ({ address: relurl, start, duration }));
    onPlaced(placedOf(track.segments, listed));
  };
  hls.on(Engine.Events.LEVEL_LOADED, (_, { details }) => {
    place(details);
    if (isStarted) return;
    isStarted = true;
    hls.startLoad(startAt() / 1_000);
  });
  hls.on(Engine.Events.LEVEL_PTS_UPDATED, (_, { details }) => place(details));
  hls.on(Engine.Events.ERROR, (_, { fatal, type, details, response, frag }) => {
    const code = response?.code ?? 0;
    if (details === Engine.ErrorDetails.FRAG_LOAD_ERROR && code === 404 && frag) {
      // Not stored: hls.js would ask again for 20 s.
      if (!holes.add(frag)) fail('broken');
    } else if (!fatal) return;
    else if (type === Engine.ErrorTypes.MEDIA_ERROR && !isRecovered) {
      isRecovered = true;
      hls.recoverMediaError();
    } else fail(failureOf(code));
  });
  hls.loadSource(address);
  hls.attachMedia(video);
  return () => {
    video.removeEventListener('waiting', holes.pass);
    hls.destroy();
  };
}

/** The addresses in a playlist outlive its signature only for a minute: after an error, it is fetched again. */
function openNatively(video: HTMLVideoElement, address: string, options: StreamOptions): () => void {
  const { signer, track, startAt, onPlaced, onFailure } = options;
  const ended = new AbortController();
  let tries = 0;
  const load = async (seconds: number) => {
    const signed = await signer.sign(address);
    const response = await fetch(signed, { signal: ended.signal });
    if (!response.ok) throw ApiError.of(response.status, {});
    onPlaced(placedOf(track.segments, listedIn(await response.text())));
    video.src = signed;
    video.addEventListener('loadedmetadata', () => (video.currentTime = seconds || startAt() / 1_000), { once: true });
  };
  const fail = (error: unknown) => {
    if (!ended.signal.aborted) onFailure(isRefusal(error) ? 'refused' : 'broken');
  };
  video.addEventListener('playing', () => (tries = 0), { signal: ended.signal });
  video.addEventListener(
    'error',
    () => {
      tries += 1;
      const wasPlaying = !video.paused;
      if (tries > 3) fail(video.error);
      else
        load(video.currentTime)
          .then(() => (wasPlaying ? video.play() : undefined))
          .catch(fail);
    },
    { signal: ended.signal },
  );
  load(0).catch(fail);
  return () => {
    ended.abort();
    video.removeAttribute('src');
    video.load();
  };
}
