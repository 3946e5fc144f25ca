import type { contract, Input } from '@rmeet/contract';
import { LiveRelay, LiveView, signAccess, type LiveRelayOptions, type Span } from '@rmeet/live';
import type { Db } from '../../../platform/db/index.ts';
import { AppError, FileAnswer, type Context } from '../../../platform/http/index.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { Replay } from '../watch/replay.ts';
import { originsIn } from './origins.ts';

type PlaylistInput = Input<typeof contract.watch.playlist>;
type MediaInput = Input<typeof contract.watch.media>;

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
  /** Takes requests once a broadcast is over; without it, there is nothing after the live media. */
  replay?: Replay;
  /** For tests. */
  relay?: Pick<LiveRelayOptions, 'idleMs' | 'window'>;
}

const PLAYLIST_TYPE = 'application/vnd.apple.mpegurl';
/** How long browsers keep media, seconds: its addresses change with the signature. */
const CACHE_SECONDS = 60;

/** @throws AppError NOT_FOUND for none */
function found(answer: FileAnswer | undefined): FileAnswer {
  if (!answer) throw new AppError('NOT_FOUND');
  return answer;
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
  playlist = async (context: Pick<Context, 'signal'>, input: PlaylistInput): Promise<FileAnswer> => {
    const { id } = input.params;
    const { sign, plain, _HLS_msn: msn, _HLS_part: part } = input.query;
    const admission = await this.#admit(id, sign);
    const { replay } = this.#options;
    // Players that are live are told of the end; their playlist must not become another one.
    const isLive = msn !== undefined && this.#followed.has(admission.recordingId);
    if (admission.isOver && replay && !isLive) return found(await replay.playlist(id, sign));
    const view = this.#view(id, admission);
    await view.whenShown(plain, context.signal);
    const waited = msn === undefined ? 'ready' : await view.waitFor({ msn, part, plain }, context.signal);
    if (waited === 'tooFar') throw new AppError('INVALID_INPUT');
    // Meanwhile the broadcast may have been paused, or the right have been taken back.
    this.#view(id, msn === undefined ? admission : await this.#admit(id, sign));
    const text = view.playlist({ plain, query: new URLSearchParams({ sign }).toString() });
    if (text === undefined) throw new AppError('NOT_FOUND');
    return new FileAnswer({ name: 'playlist.m3u8', type: PLAYLIST_TYPE, inline: true, body: Buffer.from(text) });
  };

  /** @throws AppError RECORDING_ADDRESS_EXPIRED, NOT_FOUND for a file that viewers may not see, or that is gone */
  media = async (context: Pick<Context, 'signal'>, input: MediaInput): Promise<FileAnswer> => {
    const { id, file: name } = input.params;
    const admission = await this.#admit(id, input.query.sign);
    const { replay } = this.#options;
    const isReplayed = admission.isOver && replay !== undefined;
    const isFollowed = this.#followed.has(admission.recordingId);
    const body = isReplayed && !isFollowed ? undefined : await this.#view(id, admission).file(name, context.signal);
    // The files of a recording have the same names.
    if (!body && isReplayed) return found(await replay.media(id, name, input.query.sign));
    if (!body) throw new AppError('NOT_FOUND');
    const type = name.endsWith('.mp4') ? 'video/mp4' : 'video/iso.segment';
    return new FileAnswer({ name, type, inline: true, body, cacheSeconds: CACHE_SECONDS, isPrivate: true });
  };

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

  #view(broadcastId: string, { recordingId, spans, isOver }: Admission): LiveView {
    const { relay, views } = this.#followed.get(recordingId) ?? this.#follow(recordingId);
    relay.touch();
    const view = views.get(broadcastId) ?? new LiveView(relay.window);
    views.set(broadcastId, view);
    view.update(spans, isOver);
    return view;
  }

  #follow(recordingId: string): Followed {
    const { originOf, secret, now, log, relay: options } = this.#options;
    const views = new Map<string, LiveView>();
    const relay = new LiveRelay({
      ...options,
      recordingId,
      async find() {
        const url = await originOf(recordingId);
        return url === undefined ? undefined : { url, token: signAccess(secret, recordingId, now()) };
      },
      onClose: () => {
        this.#followed.delete(recordingId);
        for (const view of views.values()) view.close();
      },
      log: (line) => log.warn({ recordingId }, line),
    });
    const followed = { relay, views };
    this.#followed.set(recordingId, followed);
    return followed;
  }
}

export const createDelivery = ({ db, ...options }: Omit<DeliveryOptions, 'originOf'> & { db: Db }): Delivery =>
  new Delivery({ ...options, originOf: originsIn(db, options.now) });
