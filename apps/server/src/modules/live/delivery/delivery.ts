import type { contract, Input } from '@rmeet/contract';
import {
  heightOf,
  LiveRelay,
  LiveView,
  multivariantPlaylist,
  QUALITIES,
  renditionOf,
  signAccess,
  windowId,
  type LiveRelayOptions,
  type Quality,
  type Span,
} from '@rmeet/live';
import type { Db } from '../../../platform/db/index.ts';
import { AppError, FileAnswer, type Context } from '../../../platform/http/index.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { Replay } from '../watch/replay.ts';
import { originsIn } from './origins.ts';

type RenditionsInput = Input<typeof contract.watch.renditions>;
type PlaylistInput = Input<typeof contract.watch.playlist>;
type MediaInput = Input<typeof contract.watch.media>;

/** What a viewer of a broadcast may see. */
export interface Admission {
  recordingId: string;
  /** The times on air so far, Unix ms. */
  spans: readonly Span[];
  /** The broadcast is over. */
  isOver: boolean;
}

export interface DeliveryOptions {
  /** Where the recorder of a recording gives it out. */
  originOf: (recordingId: string) => Promise<string | undefined>;
  /** What recorders check requests with: the API secret of the media engine. */
  secret: string;
  now: () => Date;
  log: Log;
  /** Checks a signature, with each request. */
  admit: (broadcastId: string, sign: string) => Promise<Admission | undefined>;
  /** Takes requests once a broadcast is over; without it, there is nothing after the live media. */
  replay?: Replay;
  /** For tests. */
  relay?: Pick<LiveRelayOptions, 'idleMs' | 'window'>;
}

const PLAYLIST = 'playlist.m3u8';
const PLAYLIST_TYPE = 'application/vnd.apple.mpegurl';
/** How long browsers keep media, seconds: its addresses change with the signature. */
const CACHE_SECONDS = 60;
/** How far the small picture may be behind the other one, ms. */
const LOW_BEHIND = 6_000;
/** What is said of it as long as it is not known. */
const LOW = { width: 640, height: 360, peak: 700_000, average: 500_000 };

/** @throws AppError NOT_FOUND for none */
function found(answer: FileAnswer | undefined): FileAnswer {
  if (!answer) throw new AppError('NOT_FOUND');
  return answer;
}

/** What is added to the addresses of a viewer. */
const queryOf = (sign: string, quality: Quality): string =>
  new URLSearchParams({ sign, ...(quality === 'high' ? {} : { quality }) }).toString();

const playlistAnswer = (name: string, text: string): FileAnswer =>
  new FileAnswer({ name, type: PLAYLIST_TYPE, inline: true, body: Buffer.from(text) });

/** Outside streams have one quality. */
const hasLow = (broadcastId: string, { recordingId }: Admission): boolean => recordingId !== broadcastId;

/** A recording that somebody watches, and what viewers of each of its broadcasts may see. */
interface Followed {
  relay: LiveRelay;
  views: Map<string, LiveView>;
}

/** Serves the live media of broadcasts, which it gets from the recorder processes. */
export class Delivery {
  #options: DeliveryOptions;
  #followed = new Map<string, Followed>();

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  /** How many recordings are followed. */
  get count(): number {
    return this.#followed.size;
  }

  /**
   * @throws AppError RECORDING_ADDRESS_EXPIRED; NOT_FOUND while there is nothing to show; INVALID_INPUT for a part that
   *   is not to come soon
   */
  playlist = async (context: Pick<Context, 'signal'>, input: PlaylistInput): Promise<FileAnswer> => {
    const { id } = input.params;
    const { sign, quality, plain, _HLS_msn: msn, _HLS_part: part } = input.query;
    const admission = await this.#admit(id, sign);
    const { replay } = this.#options;
    // Players that are live are told of the end; their playlist must not become another one.
    const isLive = msn !== undefined && this.#followed.has(windowId(admission.recordingId, quality));
    if (admission.isOver && replay && !isLive) return found(await replay.playlist(id, sign));
    const view = this.#view(id, admission, quality);
    // Players continue with the other quality.
    if (quality === 'low' && msn !== undefined && !this.#isUpToDate(admission, view)) throw new AppError('NOT_FOUND');
    await view.whenShown(plain, context.signal);
    const waited = msn === undefined ? 'ready' : await view.waitFor({ msn, part, plain }, context.signal);
    if (waited === 'tooFar') throw new AppError('INVALID_INPUT');
    // Meanwhile the broadcast may have been paused, or the right have been taken back.
    this.#view(id, msn === undefined ? admission : await this.#admit(id, sign), quality);
    const text = view.playlist({ plain, query: queryOf(sign, quality) });
    if (text === undefined) throw new AppError('NOT_FOUND');
    return playlistAnswer(PLAYLIST, text);
  };

  /** @throws AppError RECORDING_ADDRESS_EXPIRED; NOT_FOUND while there is nothing to show */
  renditions = async (context: Pick<Context, 'signal'>, input: RenditionsInput): Promise<FileAnswer> => {
    const { id } = input.params;
    const { sign } = input.query;
    const admission = await this.#admit(id, sign);
    if (admission.isOver) throw new AppError('NOT_FOUND');
    const high = this.#view(id, admission, 'high');
    await high.whenShown(false, context.signal);
    const best = renditionOf(high.window);
    if (!best) throw new AppError('NOT_FOUND');
    const variants = [{ rendition: best, uri: `${PLAYLIST}?${queryOf(sign, 'high')}` }];
    if (hasLow(id, admission)) {
      // At the start of a broadcast it is not there yet, and players read this once.
      const rendition = renditionOf(this.#view(id, admission, 'low').window) ?? { ...LOW, codecs: best.codecs };
      variants.push({ rendition, uri: `${PLAYLIST}?${queryOf(sign, 'low')}` });
    }
    return playlistAnswer('index.m3u8', multivariantPlaylist(variants));
  };

  /** @throws AppError RECORDING_ADDRESS_EXPIRED, NOT_FOUND for a file that viewers may not see, or that is gone */
  media = async (context: Pick<Context, 'signal'>, input: MediaInput): Promise<FileAnswer> => {
    const { id, file: name } = input.params;
    const { sign, quality } = input.query;
    const admission = await this.#admit(id, sign);
    const { replay } = this.#options;
    const isReplayed = admission.isOver && replay !== undefined;
    const isFollowed = this.#followed.has(windowId(admission.recordingId, quality));
    const body =
      isReplayed && !isFollowed ? undefined : await this.#view(id, admission, quality).file(name, context.signal);
    // The files of a recording have the same names.
    if (!body && isReplayed) return found(await replay.media(id, name, sign));
    if (!body) throw new AppError('NOT_FOUND');
    const type = name.endsWith('.mp4') ? 'video/mp4' : 'video/iso.segment';
    return new FileAnswer({ name, type, inline: true, body, cacheSeconds: CACHE_SECONDS, isPrivate: true });
  };

  /** Whether viewers of a recording can choose a smaller picture now. */
  hasQualities(recordingId: string): boolean {
    const [high, low] = QUALITIES.map((quality) => this.#followed.get(windowId(recordingId, quality))?.relay);
    if (!high || !low) return false;
    // Without requests it would not be followed any more.
    low.touch();
    return (heightOf(low.window) ?? Infinity) < (heightOf(high.window) ?? 0);
  }

  /** Whether a signature admits to a broadcast that is not over. */
  async isLiveFor(broadcastId: string, sign: string): Promise<boolean> {
    const admission = await this.#options.admit(broadcastId, sign);
    return admission !== undefined && !admission.isOver;
  }

  close(): void {
    for (const { relay } of this.#followed.values()) relay.close();
  }

  async #admit(broadcastId: string, sign: string): Promise<Admission> {
    const admission = await this.#options.admit(broadcastId, sign);
    if (!admission) throw new AppError('RECORDING_ADDRESS_EXPIRED');
    return admission;
  }

  /** Whether the small picture goes on as the other one does. */
  #isUpToDate({ recordingId }: Admission, low: LiveView): boolean {
    const high = this.#followed.get(windowId(recordingId, 'high'))?.relay.window;
    return (high?.endsAt ?? 0) - low.window.endsAt < LOW_BEHIND;
  }

  #view(broadcastId: string, { recordingId, spans, isOver }: Admission, quality: Quality): LiveView {
    const id = windowId(recordingId, quality);
    const { relay, views } = this.#followed.get(id) ?? this.#follow(recordingId, id);
    relay.touch();
    const view = views.get(broadcastId) ?? new LiveView(relay.window);
    views.set(broadcastId, view);
    view.update(spans, isOver);
    return view;
  }

  #follow(recordingId: string, window: string): Followed {
    const { originOf, secret, now, log, relay: options } = this.#options;
    const views = new Map<string, LiveView>();
    const relay = new LiveRelay({
      ...options,
      recordingId: window,
      async find() {
        const url = await originOf(recordingId);
        return url === undefined ? undefined : { url, token: signAccess(secret, window, now()) };
      },
      onClose: () => {
        this.#followed.delete(window);
        for (const view of views.values()) view.close();
      },
      log: (line) => log.warn({ window }, line),
    });
    const followed = { relay, views };
    this.#followed.set(window, followed);
    return followed;
  }
}

export const createDelivery = ({ db, ...options }: Omit<DeliveryOptions, 'originOf'> & { db: Db }): Delivery =>
  new Delivery({ ...options, originOf: originsIn(db) });
