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
type OpenPlaylistInput = Input<typeof contract.watch.openPlaylist>;
type OpenMediaInput = Input<typeof contract.watch.openMedia>;
type Request = Pick<Context, 'signal'>;

/** What a viewer of a broadcast may see. */
export interface Admission {
  /** The recording; of an outside stream the broadcast itself. */
  recordingId: string;
  /** The times on air so far, Unix ms. */
  spans: readonly Span[];
  /** The broadcast is over. */
  isOver: boolean;
}

export interface DeliveryOptions {
  /** Where the recorder of a recording, or of an outside stream, gives it out. */
  originOf: (recordingId: string) => Promise<string | undefined>;
  /** What recorders check requests with: the API secret of the media engine. */
  secret: string;
  now: () => Date;
  log: Log;
  /** Checks a signature, with each request. */
  admit: (broadcastId: string, sign: string) => Promise<Admission | undefined>;
  /** Admits a CDN to public broadcasts; without it, there is none. */
  admitAll?: ((broadcastId: string) => Promise<Admission | undefined>) | undefined;
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
/**
 * How long a CDN keeps what it gives to all, seconds: media while a player may ask for it; a playlist with a certain
 * part for six target durations, and the newest one for a moment (Apple, "HLS Authoring", appendix on delivery).
 */
const OPEN_SECONDS = { media: 3_600, playlistWith: 18, newest: 1 } as const;
/** Pages of this server read it from the CDN's origin; `age` says how old a playlist is. */
const OPEN_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'age, date',
  'cross-origin-resource-policy': 'cross-origin',
} as const;

/** @throws AppError NOT_FOUND for none */
function found(answer: FileAnswer | undefined): FileAnswer {
  if (!answer) throw new AppError('NOT_FOUND');
  return answer;
}

const typeOf = (name: string): string => (name.endsWith('.mp4') ? 'video/mp4' : 'video/iso.segment');

/** What is added to the addresses of a viewer. */
const queryOf = (sign: string, quality: Quality): Record<string, string> => ({
  sign,
  ...(quality === 'high' ? {} : { quality }),
});

const playlistOf = (name: string, text: string) => ({
  name,
  type: PLAYLIST_TYPE,
  inline: true,
  body: Buffer.from(text),
});

/** A request for a playlist. */
interface Listing {
  id: string;
  quality: Quality;
  asked: Pick<PlaylistInput['query'], 'plain' | '_HLS_msn' | '_HLS_part'>;
  /** Added to the name of each file. */
  query: Record<string, string>;
  admission: Admission;
  /** Checks the right once more. */
  again: () => Promise<Admission>;
  signal: AbortSignal;
}

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
  playlist = async ({ signal }: Request, input: PlaylistInput): Promise<FileAnswer> => {
    const { id } = input.params;
    const { sign, quality, _HLS_msn: msn } = input.query;
    const admission = await this.#admit(id, sign);
    const { replay } = this.#options;
    // Players that are live are told of the end; their playlist must not become another one.
    const isLive = msn !== undefined && this.#followed.has(windowId(admission.recordingId, quality));
    if (admission.isOver && replay && !isLive) return found(await replay.playlist(id, sign));
    const again = () => this.#admit(id, sign);
    const query = queryOf(sign, quality);
    const { text } = await this.#listed({ id, quality, asked: input.query, query, admission, again, signal });
    return new FileAnswer(playlistOf(PLAYLIST, text));
  };

  /** @throws AppError RECORDING_ADDRESS_EXPIRED; NOT_FOUND while there is nothing to show */
  renditions = async ({ signal }: Request, input: RenditionsInput): Promise<FileAnswer> => {
    const { id } = input.params;
    const { sign } = input.query;
    const admission = await this.#admit(id, sign);
    if (admission.isOver) throw new AppError('NOT_FOUND');
    const addressOf = (quality: Quality): string =>
      `${PLAYLIST}?${new URLSearchParams(queryOf(sign, quality)).toString()}`;
    const high = this.#view(id, admission, 'high');
    await high.whenShown(false, signal);
    const best = renditionOf(high.window);
    if (!best) throw new AppError('NOT_FOUND');
    // At the start of a broadcast the small picture is not there yet, and players read this once.
    const small = renditionOf(this.#view(id, admission, 'low').window) ?? { ...LOW, codecs: best.codecs };
    const variants = [
      { rendition: best, uri: addressOf('high') },
      { rendition: small, uri: addressOf('low') },
    ];
    // An outside stream has one quality.
    if (admission.recordingId === id) variants.pop();
    return new FileAnswer(playlistOf('index.m3u8', multivariantPlaylist(variants)));
  };

  /**
   * For a CDN, which keeps it.
   *
   * @throws AppError NOT_FOUND unless the broadcast is public and on air; INVALID_INPUT as for `playlist`
   */
  openPlaylist = async ({ signal }: Request, input: OpenPlaylistInput): Promise<FileAnswer> => {
    const { id } = input.params;
    const { recording, _HLS_msn: msn } = input.query;
    const admission = await this.#admitAll(id, recording);
    const again = () => this.#admitAll(id, recording);
    const { text, isLate } = await this.#listed({
      id,
      quality: 'high',
      asked: input.query,
      query: { recording },
      admission,
      again,
      signal,
    });
    const cacheSeconds = msn === undefined || isLate ? OPEN_SECONDS.newest : OPEN_SECONDS.playlistWith;
    return new FileAnswer({ ...playlistOf(PLAYLIST, text), cacheSeconds, headers: OPEN_HEADERS });
  };

  /**
   * For a CDN, which keeps it.
   *
   * @throws AppError NOT_FOUND unless the broadcast is public and on air, and for a file as for `media`
   */
  openMedia = async ({ signal }: Request, input: OpenMediaInput): Promise<FileAnswer> => {
    const { id, file: name } = input.params;
    const admission = await this.#admitAll(id, input.query.recording);
    const body = await this.#view(id, admission, 'high').file(name, signal);
    if (!body) throw new AppError('NOT_FOUND');
    // Meanwhile the broadcast may not be public any more.
    await this.#admitAll(id, input.query.recording);
    const answer = { name, type: typeOf(name), inline: true, body, cacheSeconds: OPEN_SECONDS.media };
    return new FileAnswer({ ...answer, isImmutable: true, headers: OPEN_HEADERS });
  };

  /** @throws AppError RECORDING_ADDRESS_EXPIRED, NOT_FOUND for a file that viewers may not see, or that is gone */
  media = async ({ signal }: Request, input: MediaInput): Promise<FileAnswer> => {
    const { id, file: name } = input.params;
    const { sign, quality } = input.query;
    const admission = await this.#admit(id, sign);
    const { replay } = this.#options;
    const isReplayed = admission.isOver && replay !== undefined;
    const isFollowed = this.#followed.has(windowId(admission.recordingId, quality));
    const body = isReplayed && !isFollowed ? undefined : await this.#view(id, admission, quality).file(name, signal);
    // The files of a recording have the same names.
    if (!body && isReplayed) return found(await replay.media(id, name, sign));
    if (!body) throw new AppError('NOT_FOUND');
    const answer = { name, type: typeOf(name), inline: true, body, cacheSeconds: CACHE_SECONDS };
    return new FileAnswer({ ...answer, isPrivate: true, isImmutable: true });
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

  /**
   * The media of a broadcast that is over is there as long as the server follows its recording, so that players get the
   * end of their playlist.
   */
  async #admitAll(broadcastId: string, recordingId: string): Promise<Admission> {
    const admission = await this.#options.admitAll?.(broadcastId);
    const isThere = admission && (!admission.isOver || this.#followed.has(recordingId));
    if (!isThere || admission.recordingId !== recordingId) throw new AppError('NOT_FOUND');
    return admission;
  }

  /** The playlist as asked for, when it has what the request waits for; late, without it. */
  async #listed({ id, quality, asked, query, admission, again, signal }: Listing) {
    const { plain, _HLS_msn: msn, _HLS_part: part } = asked;
    const view = this.#view(id, admission, quality);
    // Players continue with the other quality.
    if (quality === 'low' && msn !== undefined && !this.#isUpToDate(admission, view)) throw new AppError('NOT_FOUND');
    await view.whenShown(plain, signal);
    const waited = msn === undefined ? 'ready' : await view.waitFor({ msn, part, plain }, signal);
    if (waited === 'tooFar') throw new AppError('INVALID_INPUT');
    // Meanwhile the broadcast may have been paused, or the right have been taken back.
    this.#view(id, msn === undefined ? admission : await again(), quality);
    const text = view.playlist({ plain, query: new URLSearchParams(query).toString() });
    if (text === undefined) throw new AppError('NOT_FOUND');
    return { text, isLate: waited === 'late' };
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
  new Delivery({ ...options, originOf: originsIn(db, options.now) });
