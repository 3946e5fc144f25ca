import type { BROADCAST_QUALITIES } from '@rmeet/contract';
import type Hls from 'hls.js/light';
import { loadChunk } from '../../../lib/chunks.ts';
import { behindOf } from './edge.ts';

export type Quality = (typeof BROADCAST_QUALITIES)[number];

interface StreamOptions {
  /** Of the playlist, and of the list of qualities of a broadcast; without a signature. */
  address: string;
  qualities: string | null;
  /** The signature that works now; empty: it needs none. */
  sign: () => string;
  /** Not a replay. */
  isLive: boolean;
  /** It cannot go on; the stream is closed. `isMissing`: there is nothing to play, or not yet. */
  onFailure: (isMissing: boolean) => void;
}

/** What plays in a media element. */
export interface Stream {
  /** Seconds behind the broadcast; null if it is not known. */
  behind: () => number | null;
  toLive: () => void;
  /** Plays a quality from now on; null: the one that the network carries. Undefined where the browser decides. */
  choose: ((quality: Quality | null) => void) | undefined;
  close: () => void;
}

/**
 * Opens a broadcast or its replay in a media element: by Media Source Extensions (hls.js), or by the browser's own HLS
 * where there are none.
 */
export async function openStream(video: HTMLVideoElement, options: StreamOptions): Promise<Stream> {
  const { default: Engine } = await loadChunk(() => import('hls.js/light'));
  return Engine.isSupported() ? openByMse(Engine, video, options) : openNatively(video, options);
}

function signed({ address, sign }: Pick<StreamOptions, 'address' | 'sign'>): string {
  const url = new URL(address, location.href);
  const current = sign();
  if (current !== '') url.searchParams.set('sign', current);
  return url.href;
}

type Retry = NonNullable<Hls['config']['fragLoadPolicy']['default']['errorRetry']>;

/**
 * An address that has expired (404) works with the next signature, which comes every three seconds. Of a CDN, a failure
 * has no status (0), because its answer is not for pages of this origin.
 */
const retry = (tries: number): Retry => ({
  maxNumRetry: tries,
  retryDelayMs: 1_000,
  maxRetryDelayMs: 4_000,
  shouldRetry: (_config, count, _isTimeout, response, isWorthIt) =>
    count < tries && (isWorthIt || response?.code === 404 || response?.code === 0),
});

/** Between two attempts to decode again what could not be decoded; ms. */
const RECOVERED_FOR = 10_000;
/** The fastest at which a picture catches up. */
const MOST_RATE = 1.1;
/** What a network is taken for at first, bits per second: the better picture is tried. */
const FIRST_ESTIMATE = 5_000_000;

function openByMse(Engine: typeof Hls, video: HTMLVideoElement, options: StreamOptions): Stream {
  const { isLive, onFailure } = options;
  const policy = (name: 'fragLoadPolicy' | 'playlistLoadPolicy' | 'manifestLoadPolicy', tries: number) => ({
    default: { ...Engine.DefaultConfig[name].default, errorRetry: retry(tries), timeoutRetry: retry(tries) },
  });
  const hls = new Engine({
    // fMP4 needs no work that would be worth a worker.
    enableWorker: false,
    lowLatencyMode: isLive,
    ...(isLive && { maxLiveSyncPlaybackRate: MOST_RATE }),
    abrEwmaDefaultEstimate: FIRST_ESTIMATE,
    backBufferLength: isLive ? 60 : 30,
    fragLoadPolicy: policy('fragLoadPolicy', 4),
    // Each quality has its own playlist, and is tried after the other one.
    playlistLoadPolicy: policy('playlistLoadPolicy', isLive && options.qualities ? 2 : 4),
    manifestLoadPolicy: policy('manifestLoadPolicy', 2),
    xhrSetup: (xhr, address) => xhr.open('GET', signed({ ...options, address }), true),
  });
  let recovered = -RECOVERED_FOR;
  hls.on(Engine.Events.ERROR, (_, { fatal, type, response }) => {
    if (!fatal) return;
    const now = performance.now();
    if (type === Engine.ErrorTypes.MEDIA_ERROR && now - recovered >= RECOVERED_FOR) {
      recovered = now;
      hls.recoverMediaError();
      return;
    }
    hls.destroy();
    onFailure(response?.code === 404);
  });
  hls.loadSource((isLive && options.qualities) || options.address);
  hls.attachMedia(video);
  const details = () => hls.levels[hls.currentLevel]?.details ?? null;
  return {
    behind: () => {
      const now = details();
      return now === null ? null : behindOf(now, hls.playingDate);
    },
    toLive: () => {
      if (hls.liveSyncPosition !== null) video.currentTime = hls.liveSyncPosition;
    },
    choose: (quality) => {
      hls.nextLevel = hls.levels.findIndex(
        ({ uri }) => quality === (new URL(uri).searchParams.get('quality') ?? 'high'),
      );
    },
    close: () => hls.destroy(),
  };
}

/** The browser keeps the address with which it began: when that has expired, it begins again with another. */
function openNatively(video: HTMLVideoElement, options: StreamOptions): Stream {
  const ended = new AbortController();
  const end = () => (video.seekable.length === 0 ? null : video.seekable.end(video.seekable.length - 1));
  video.addEventListener('error', () => options.onFailure(false), { signal: ended.signal });
  const url = new URL(signed(options));
  if (options.isLive) url.searchParams.set('plain', 'true');
  video.src = url.href;
  return {
    behind: () => {
      const edge = end();
      return edge === null ? null : Math.max(0, edge - video.currentTime);
    },
    toLive: () => {
      const edge = end();
      if (edge !== null) video.currentTime = edge;
    },
    choose: undefined,
    close: () => {
      ended.abort();
      video.removeAttribute('src');
      video.load();
    },
  };
}
