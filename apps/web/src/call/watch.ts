import { NO_CONTROL, SILENCE, type ConferenceControl, type SpeakerState } from '@rmeet/conference';
import type { Client, Terminal, contract } from '@rmeet/contract';
import { ApiError } from '../lib/api/error.ts';
import { backoffDelay, pause } from './backoff.ts';
import type { LinkState } from './call-types.ts';
import { throttle } from './throttle.ts';
import { ActiveSpeakers } from './active-speakers.ts';
import type { MediaSession, OpenMediaSession } from './media-types.ts';
import { volumeIn } from './moderation.ts';
import { PictureRequests } from './pictures.ts';
import { Store, type ReadableStore } from './store.ts';
import { buildTiles, type Tile } from './tiles.ts';

/** A media session that lasts this long, in ms, resets the backoff. */
const LASTING = 5_000;

/** The part of the conference state that a watch needs; a desk's state has it. */
export interface WatchedConference {
  control: ConferenceControl;
  terminals: readonly Terminal[];
}

export interface WatchSnapshot {
  media: LinkState;
  /** The error code of the last refusal while not connected. */
  failure: string | null;
  /**
   * The engine disconnected us, as it does with clients that request too much; false again after a lasting connection.
   */
  cutOff: boolean;
  /** All participants in order of joining; `video` is null if the picture was not requested. */
  tiles: readonly Tile[];
  speakers: SpeakerState;
  /** The browser blocks audio until the user clicks; call `listen` from a click. */
  audioBlocked: boolean;
}

export interface WatchPorts {
  api: Pick<Client<typeof contract.conferences>, 'watch'>;
  loadMedia(): Promise<OpenMediaSession>;
  /** The key of the conference if it is end-to-end encrypted; asked for at each connection. */
  encryptionKey?: () => string | undefined;
}

/** Live pictures of a conference for an observer. */
export interface Watch {
  readonly store: ReadableStore<WatchSnapshot>;
  /** Only pictures requested here are received. */
  readonly pictures: PictureRequests;
  /** Must be called with every change of the conference. */
  update(conference: WatchedConference): void;
  /** Switches the audio of the conference; initially off. Call it from a click. */
  listen(on: boolean): void;
  close(): void;
}

/**
 * Watches a conference as a hidden participant that sends nothing, for the wall and the on-air preview of a desk.
 * Connects with a token of conferences.watch, and reconnects with a new one until `close`.
 */
export function watchConference(meetId: string, ports: WatchPorts): Watch {
  return new ConferenceWatch(meetId, ports);
}

class ConferenceWatch implements Watch {
  readonly #meetId: string;
  readonly #ports: WatchPorts;
  readonly #lifetime = new AbortController();
  readonly #store = new Store<WatchSnapshot>({
    media: 'connecting',
    failure: null,
    cutOff: false,
    tiles: [],
    speakers: SILENCE,
    audioBlocked: false,
  });
  readonly pictures = new PictureRequests((asked) => this.#session?.ask(asked));
  /** The media client reports many changes at once; they cause one refresh. */
  readonly #planRefresh = throttle(() => this.#refresh());
  readonly #activeSpeakers = new ActiveSpeakers((speakers) => {
    this.#store.set({ speakers });
    this.#planRefresh();
  });
  #conference: { control: ConferenceControl; terminals: Terminal[] } = { control: NO_CONTROL, terminals: [] };
  #hears = false;
  #session: MediaSession | null = null;

  constructor(meetId: string, ports: WatchPorts) {
    this.#meetId = meetId;
    this.#ports = ports;
    void this.#run();
  }

  get store(): ReadableStore<WatchSnapshot> {
    return this.#store;
  }

  update({ control, terminals }: WatchedConference): void {
    const { terminals: before, generation } = this.#conference.control;
    this.#conference = { control, terminals: [...terminals] };
    if (control.terminals !== before) this.#session?.setVolumes(volumeIn(control));
    if (control.generation > generation && this.#session !== null) void this.#migrate(this.#session);
    this.#planRefresh();
  }

  /** Follows the conference to its new room; on failure the old room ends and a new token is requested. */
  async #migrate(session: MediaSession): Promise<void> {
    const access = await this.#ask();
    if (access !== null) await session.migrate(access.url, access.token);
  }

  listen(on: boolean): void {
    this.#hears = on;
    this.#session?.listen(on);
    if (on) void this.#session?.startAudio();
  }

  close(): void {
    this.#lifetime.abort();
    this.#activeSpeakers.stop();
    this.pictures.close();
    void this.#session?.stop();
  }

  async #run(): Promise<void> {
    const { signal } = this.#lifetime;
    const open = await this.#ports.loadMedia();
    for (let failures = 0; !signal.aborted; failures += 1) {
      await pause(backoffDelay(failures), signal);
      const started = Date.now();
      const access = await this.#ask();
      if (access === null || signal.aborted) continue;
      const session = open(
        {
          onChange: () => this.#planRefresh(),
          onSpeakers: (termIds) => this.#activeSpeakers.heard(termIds),
          onState: (media) => this.#store.set({ media, failure: null }),
          onAudioBlocked: (audioBlocked) => this.#store.set({ audioBlocked }),
          onRefused: () => undefined,
        },
        { watching: true, encryptionKey: this.#ports.encryptionKey?.() },
      );
      this.#session = session;
      session.setVolumes(volumeIn(this.#conference.control));
      session.ask(this.pictures.asked);
      session.listen(this.#hears);
      const lasts = setTimeout(() => this.#store.set({ cutOff: false }), LASTING);
      const end = await session.run(access.url, access.token);
      clearTimeout(lasts);
      this.#session = null;
      if (end === 'removed') this.#store.set({ cutOff: true });
      else if (Date.now() - started >= LASTING) failures = 0;
      if (this.#store.getSnapshot().media === 'connected') this.#store.set({ media: 'reconnecting' });
      this.#refresh();
    }
  }

  /** Requests a media token; null on refusal, with the error code in the snapshot. */
  async #ask(): Promise<{ url: string; token: string } | null> {
    try {
      return await this.#ports.api.watch({ params: { meetId: this.#meetId } });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#store.set({ failure: error.code });
      return null;
    }
  }

  #refresh(): void {
    if (this.#lifetime.signal.aborted) return;
    const tiles = buildTiles({
      own: null,
      conference: this.#conference,
      participants: this.#session?.participants() ?? [],
      speaking: this.#activeSpeakers.state.speaking,
      previous: this.#store.getSnapshot().tiles,
    });
    this.#store.set({ tiles });
    this.#activeSpeakers.keep(new Set(tiles.map(({ termId }) => termId)));
  }
}
