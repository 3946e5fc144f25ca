import { NO_CONTROL, SILENCE, type ConferenceControl, type SpeakerState } from '@rmeet/conference';
import type { Client, Terminal, contract } from '@rmeet/contract';
import { ApiError } from '../lib/api/error.ts';
import { backoffDelay, pause } from './backoff.ts';
import type { LinkState } from './call-types.ts';
import { coalesced } from './throttle.ts';
import { Floor } from './active-speakers.ts';
import type { MediaSession, OpenMediaSession } from './media-types.ts';
import { volumeIn } from './moderation.ts';
import { PictureRequests } from './pictures.ts';
import { Store, type ReadableStore } from './store.ts';
import { buildTiles, type Tile } from './tiles.ts';

/** Milliseconds after which a media session counts as one that worked. */
const LASTING = 5_000;

/** What a watch needs to know of the conference; a desk's state has it. */
export interface WatchedConference {
  control: ConferenceControl;
  terminals: readonly Terminal[];
}

export interface WatchSnapshot {
  media: LinkState;
  /** The code of the last refusal while not connected. */
  failure: string | null;
  /** The engine has cut us off, as it does with who asks for too much; false again once a connection has lasted. */
  cutOff: boolean;
  /** Everybody inside, as they came; `video` is null for those whose picture was not asked for. */
  tiles: readonly Tile[];
  speakers: SpeakerState;
  /** The browser lets no sound out before the person clicks; `listen` from a click does it. */
  audioBlocked: boolean;
}

export interface WatchPorts {
  api: Pick<Client<typeof contract.conferences>, 'watch'>;
  loadMedia(): Promise<OpenMediaSession>;
}

/** Live pictures of a conference for somebody who is not in it. */
export interface Watch {
  readonly store: ReadableStore<WatchSnapshot>;
  /** What is asked for here comes, and nothing else. */
  readonly pictures: PictureRequests;
  /** To be called with every change of the conference. */
  update(conference: WatchedConference): void;
  /** Whether the desk hears the conference. At first it does not. Call it from a click. */
  listen(on: boolean): void;
  close(): void;
}

/**
 * Watches a conference by a hidden participant that sends nothing, for the wall and the on-air preview of a desk.
 * Connects by conferences.watch, and asks anew whenever the connection is lost, until `close`.
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
  /** The media client tells many changes in one go; they make one refresh. */
  readonly #planRefresh = coalesced(() => this.#refresh());
  readonly #floor = new Floor((speakers) => {
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
    if (control.generation > generation && this.#session !== null) void this.#goOver(this.#session);
    this.#planRefresh();
  }

  /** The conference has moved: the pictures follow; where they cannot, the old room ends and this is asked anew. */
  async #goOver(session: MediaSession): Promise<void> {
    const access = await this.#ask();
    if (access !== null) await session.goOver(access.url, access.token);
  }

  listen(on: boolean): void {
    this.#hears = on;
    this.#session?.listen(on);
    if (on) void this.#session?.startAudio();
  }

  close(): void {
    this.#lifetime.abort();
    this.#floor.stop();
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
          onSpeakers: (termIds) => this.#floor.heard(termIds),
          onState: (media) => this.#store.set({ media, failure: null }),
          onAudioBlocked: (audioBlocked) => this.#store.set({ audioBlocked }),
          onRefused: () => undefined,
        },
        { watching: true },
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

  /** A new media token; null where there is none now, which the snapshot then says. */
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
      speaking: this.#floor.state.speaking,
      previous: this.#store.getSnapshot().tiles,
    });
    this.#store.set({ tiles });
    this.#floor.keep(new Set(tiles.map(({ termId }) => termId)));
  }
}
