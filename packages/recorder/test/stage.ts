import { setTimeout as wait } from 'node:timers/promises';
import type { Colour, LocalTrack, Tone, VideoCodec } from '@rmeet/participant';
import {
  bookMeeting,
  joinAsTerminal,
  openDesk,
  until,
  type Api,
  type Desk,
  type RunningServer,
  type Terminal,
} from '@rmeet/testkit';
import { positionOf, type RecordingIndex } from '@rmeet/contract';
import { ConferenceRecorder, type Conversions } from '../src/index.ts';
import type { Mark, Pause } from './judge.ts';

/** The participants: each has a colour and a tone. VP8 is shown only if it is converted. */
export const CAST = {
  chair: { colour: 'red', tone: 300, codec: 'h264' },
  alice: { colour: 'green', tone: 500, codec: 'h264' },
  bob: { colour: 'blue', tone: 700, codec: 'h264' },
  carol: { colour: 'yellow', tone: 900, codec: 'vp8' },
} as const satisfies Record<string, { colour: Colour; tone: Tone; codec: VideoCodec }>;
export type Name = keyof typeof CAST;

export const NAMES = Object.keys(CAST) as Name[];
/** A participant who has been silent for 1.2 s loses the floor; the engine reports speakers a few times per second. */
const FLOOR_MS = 2_000;
/** Terminals that could not send for this long skip what they should have sent; seconds. */
const STILL = 0.3;
const rz = { res: 'rz' } as const;

interface Actor {
  terminal: Terminal;
  sound: LocalTrack;
  camera: LocalTrack;
  screen?: LocalTrack;
}

/** A conference of four with the recorder. The expected picture and audio are recorded with each action. */
export class Stage {
  /** Seconds since the recording began. */
  readonly marks: Mark[] = [];
  #chair: Api;
  #meetId: string;
  #actors: Record<Name, Actor>;
  #desk: Desk;
  #recorder: ConferenceRecorder;
  #ended: Promise<void>;
  #heard = new Set<Name>(NAMES);
  /** Times when the whole process, including terminals, was blocked by other work on the machine: seconds. */
  readonly pauses: Pause[] = [];
  #watch: NodeJS.Timeout;
  #convertsVp8: boolean;

  private constructor(
    convertsVp8: boolean,
    chair: Api,
    meetId: string,
    actors: Record<Name, Actor>,
    desk: Desk,
    recorder: ConferenceRecorder,
    ended: Promise<void>,
  ) {
    this.#convertsVp8 = convertsVp8;
    this.#chair = chair;
    this.#meetId = meetId;
    this.#actors = actors;
    this.#desk = desk;
    this.#recorder = recorder;
    this.#ended = ended;
    let last = this.#now;
    this.#watch = setInterval(() => {
      const now = this.#now;
      if (now - last > STILL) this.pauses.push({ from: last, to: now });
      last = now;
    }, 50);
  }

  /** All participants have joined, send, and are audible; `on` is on air by name, and the recording runs. */
  static async open(server: RunningServer, folder: string, on: Name, conversions?: Conversions): Promise<Stage> {
    const chair = await server.api.as('chair');
    const { meetId, numericId } = await bookMeeting(chair);
    const actors = {} as Record<Name, Actor>;
    for (const name of NAMES) {
      const api = name === 'chair' ? chair : await server.api.as(name);
      const terminal = await joinAsTerminal(api, server.url, { numericId, password: '4821', autoSubscribe: false });
      const sound = await terminal.media.publishAudio({ tone: CAST[name].tone });
      const { colour, codec } = CAST[name];
      const camera = await terminal.media.publishVideo({ colour, codec, simulcast: name === 'alice' });
      actors[name] = { terminal, sound, camera };
    }
    await chair.conferences.setConfSpeaker({
      params: rz,
      query: { meetId, termId: actors[on].terminal.admission.termId },
    });
    const desk = await openDesk(server.url, { meetId, by: chair });
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const recorder = await ConferenceRecorder.start({
      url: server.url,
      credentials: { token: chair.token },
      meetId,
      folder,
      index: null,
      startsAt: Date.now(),
      withTracks: true,
      conversions,
      onFile: () => undefined,
      onEnded: end,
      onFailure: (error) => {
        throw error;
      },
    });
    const stage = new Stage(conversions !== undefined, chair, meetId, actors, desk, recorder, ended);
    await stage.#mark(`${on} is on air`, () => Promise.resolve(), stage.#seenOf(on));
    return stage;
  }

  get #now(): number {
    return (performance.now() - this.#recorder.began) / 1_000;
  }

  #termId(name: Name): string {
    return this.#actors[name].terminal.admission.termId;
  }

  /** What the recording shows of a participant's camera: a card if it is VP8 that is not converted. */
  #seenOf(name: Name): Colour | null {
    return CAST[name].codec === 'h264' || this.#convertsVp8 ? CAST[name].colour : null;
  }

  get #tones(): Tone[] {
    return NAMES.filter((name) => this.#heard.has(name)).map((name) => CAST[name].tone);
  }

  async #mark(
    what: string,
    act: () => Promise<unknown>,
    colour: Colour | null = this.marks.at(-1)?.colour ?? null,
  ): Promise<void> {
    const mark = { what, from: this.#now, to: this.#now, colour, tones: this.#tones };
    this.marks.push(mark);
    await act();
    mark.to = this.#now;
  }

  /** Waits for a moment of the script, seconds since the recording began. */
  async at(second: number): Promise<void> {
    await wait(Math.max(0, (second - this.#now) * 1_000));
  }

  /** Names the speaker. */
  speaker(name: Name): Promise<void> {
    return this.#mark(
      `${name} is named`,
      () =>
        this.#chair.conferences.setConfSpeaker({
          params: rz,
          query: { meetId: this.#meetId, termId: this.#termId(name) },
        }),
      this.#seenOf(name),
    );
  }

  /** Removes the named speaker; `seen` is the expected next picture. */
  nobodyNamed(seen: Colour | null): Promise<void> {
    return this.#mark(
      'nobody is named',
      () => this.#chair.conferences.setConfSpeaker({ params: rz, query: { meetId: this.#meetId } }),
      seen,
    );
  }

  mute(...names: Name[]): Promise<void> {
    for (const name of names) this.#heard.delete(name);
    return this.#mark(`${names.join()} held`, () =>
      this.#chair.conferences.termMute({
        params: rz,
        body: { meetId: this.#meetId, termIds: names.map((name) => this.#termId(name)), mute: true },
      }),
    );
  }

  /** Unmutes a participant. */
  unmute(name: Name): Promise<void> {
    this.#heard.add(name);
    const actor = this.#actors[name];
    return this.#mark(`${name} heard again`, async () => {
      await this.#chair.conferences.termMute({
        params: rz,
        body: { meetId: this.#meetId, termId: this.#termId(name), mute: false },
      });
      // The embedded engine has kept the track and forwards it again; LiveKit has unpublished it.
      if (!actor.terminal.media.published.includes(actor.sound))
        actor.sound = await until('may speak', () => actor.terminal.media.publishAudio({ tone: CAST[name].tone }));
    });
  }

  /**
   * Mutes one and unmutes another: who speaks alone has the floor, once the previous one has been silent for long
   * enough.
   */
  async passFloor(from: Name, to: Name, seen: Colour | null): Promise<void> {
    await this.unmute(to);
    this.#heard.delete(from);
    await this.#mark(
      `${to} has the floor`,
      async () => {
        await this.#chair.conferences.termMute({
          params: rz,
          body: { meetId: this.#meetId, termId: this.#termId(from), mute: true },
        });
        await wait(FLOOR_MS);
      },
      seen,
    );
  }

  camera(name: Name, open: boolean, seen: Colour | null): Promise<void> {
    const actor = this.#actors[name];
    const { media } = actor.terminal;
    return this.#mark(
      `${name}'s camera ${open ? 'on' : 'off'}`,
      async () => {
        await this.#chair.conferences.screenVideo({
          params: rz,
          body: { meetId: this.#meetId, termId: this.#termId(name), open },
        });
        if (open && !media.published.includes(actor.camera))
          actor.camera = await until('may be seen', () =>
            media.publishVideo({ colour: CAST[name].colour, codec: CAST[name].codec }),
          );
      },
      seen,
    );
  }

  /** A participant shares a colour; `seen` is the picture on air then. */
  share(name: Name, colour: Colour, seen: Colour | null): Promise<void> {
    const actor = this.#actors[name];
    return this.#mark(
      `${name} shares`,
      async () => {
        actor.screen = await actor.terminal.media.publishVideo({
          colour,
          codec: 'h264',
          height: 720,
          source: 'screen',
        });
      },
      seen,
    );
  }

  stopSharing(name: Name, seen: Colour | null): Promise<void> {
    const { terminal, screen } = this.#actors[name];
    return this.#mark(
      `${name} stops sharing`,
      () => (screen ? terminal.media.unpublish(screen) : Promise.resolve()),
      seen,
    );
  }

  /** Locks content to a participant; null unlocks it. */
  lockContent(name: Name | null, seen: Colour | null): Promise<void> {
    const query =
      name === null ? { action: 'UNLOCK' as const } : { action: 'LOCK' as const, termId: this.#termId(name) };
    return this.#mark(
      `content locked to ${name ?? 'nobody'}`,
      () => this.#chair.conferences.lockConfContent({ params: rz, query: { meetId: this.#meetId, ...query } }),
      seen,
    );
  }

  /** Participants take turns on air until `stopPolling`. Each turn is recorded as reported in the state. */
  async poll(names: readonly Name[], seconds: number): Promise<void> {
    let turn: string | undefined;
    this.#desk.push.on('event', () => {
      if (this.#desk.state.control.mode !== 'POLLING') return;
      const now = this.#desk.state.control.polling?.turn?.termId;
      if (now === turn) return;
      turn = now;
      const name = NAMES.find((one) => this.#termId(one) === now);
      if (name) void this.#mark(`the turn of ${name}`, () => Promise.resolve(), this.#seenOf(name));
    });
    await this.#chair.conferences.setPollingState({
      params: rz,
      query: { meetId: this.#meetId, polling: '1' },
      body: { termIds: names.map((name) => this.#termId(name)), seconds, onlyVideo: true },
    });
  }

  stopPolling(seen: Colour | null): Promise<void> {
    return this.#mark(
      'the polling ends',
      () =>
        this.#chair.conferences.setPollingState({
          params: rz,
          query: { meetId: this.#meetId, polling: '0' },
          body: {},
        }),
      seen,
    );
  }

  /** Pauses the recording, and resumes it. */
  pause(): Promise<void> {
    return this.#recorder.pause('paused');
  }

  resume(): Promise<void> {
    return this.#mark('it records again', () => this.#recorder.resume());
  }

  /** Ends the conference. Returns the index of the recording, whose moments are as in `marks`. */
  async end(): Promise<RecordingIndex> {
    await this.#chair.conferences.end({ params: { meetId: this.#meetId } });
    await this.#ended;
    await this.#recorder.stop();
    this.#desk.close();
    clearInterval(this.#watch);
    for (const { terminal } of Object.values(this.#actors)) terminal.kill();
    return this.#recorder.index;
  }

  /** The script and the pauses by the positions of a film: what is not recorded takes no time. */
  scriptOf(index: RecordingIndex): { marks: Mark[]; pauses: Pause[]; seconds: number } {
    const { segments } = index.tracks.find(({ id }) => id === 'programme')!;
    const inFilm = (second: number): number => positionOf(segments, second * 1_000) / 1_000;
    const move = <T extends Pause>(one: T): T => ({ ...one, from: inFilm(one.from), to: inFilm(one.to) });
    return { marks: this.marks.map(move), pauses: this.pauses.map(move), seconds: inFilm(Number.MAX_SAFE_INTEGER) };
  }

  /** Something else than a command changes the picture. */
  happens(what: string, act: () => Promise<unknown>, seen: Colour | null): Promise<void> {
    return this.#mark(what, act, seen);
  }

  /** The id of a participant's terminal. */
  termId(name: Name): string {
    return this.#termId(name);
  }
}
