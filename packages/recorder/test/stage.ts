import { setTimeout as wait } from 'node:timers/promises';
import type { Colour, LocalTrack, Tone } from '@rmeet/participant';
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
import { Recording, type Recorded } from '../src/index.ts';
import type { Mark, Pause } from './judge.ts';

/** The participants: each has a colour and a tone, and a colour for shared content. */
const CAST = {
  chair: { colour: 'red', tone: 300 },
  alice: { colour: 'green', tone: 500 },
  bob: { colour: 'blue', tone: 700 },
  carol: { colour: 'yellow', tone: 900 },
} as const satisfies Record<string, { colour: Colour; tone: Tone }>;
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
  #recording: Recording;
  #heard = new Set<Name>(NAMES);
  /** Times when the whole process, including terminals, was blocked by other work on the machine: seconds. */
  readonly pauses: Pause[] = [];
  #watch: NodeJS.Timeout;

  private constructor(chair: Api, meetId: string, actors: Record<Name, Actor>, desk: Desk, recording: Recording) {
    this.#chair = chair;
    this.#meetId = meetId;
    this.#actors = actors;
    this.#desk = desk;
    this.#recording = recording;
    let last = this.#now;
    this.#watch = setInterval(() => {
      const now = this.#now;
      if (now - last > STILL) this.pauses.push({ from: last, to: now });
      last = now;
    }, 50);
  }

  /** All participants have joined, send, and are audible; `on` is on air by name, and the recording runs. */
  static async open(server: RunningServer, path: string, on: Name): Promise<Stage> {
    const chair = await server.api.as('chair');
    const { meetId, numericId } = await bookMeeting(chair);
    const actors = {} as Record<Name, Actor>;
    for (const name of NAMES) {
      const api = name === 'chair' ? chair : await server.api.as(name);
      const terminal = await joinAsTerminal(api, server.url, { numericId, password: '4821', autoSubscribe: false });
      const sound = await terminal.media.publishAudio({ tone: CAST[name].tone });
      const camera = await terminal.media.publishVideo({ colour: CAST[name].colour, simulcast: name === 'alice' });
      actors[name] = { terminal, sound, camera };
    }
    await chair.conferences.setConfSpeaker({
      params: rz,
      query: { meetId, termId: actors[on].terminal.admission.termId },
    });
    const desk = await openDesk(server.url, { meetId, by: chair });
    const recording = await Recording.start({ url: server.url, credentials: { token: chair.token }, meetId, path });
    const stage = new Stage(chair, meetId, actors, desk, recording);
    await stage.#mark(`${on} is on air`, () => Promise.resolve(), CAST[on].colour);
    return stage;
  }

  get #now(): number {
    return (performance.now() - this.#recording.began) / 1_000;
  }

  #termId(name: Name): string {
    return this.#actors[name].terminal.admission.termId;
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
      CAST[name].colour,
    );
  }

  /** Removes the named speaker; `seen` is the expected next picture. */
  nobodyNamed(seen: Colour): Promise<void> {
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
  async passFloor(from: Name, to: Name, seen: Colour): Promise<void> {
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
          actor.camera = await until('may be seen', () => media.publishVideo({ colour: CAST[name].colour }));
      },
      seen,
    );
  }

  /** A participant shares a colour; `seen` is the picture on air then. */
  share(name: Name, colour: Colour, seen: Colour): Promise<void> {
    const actor = this.#actors[name];
    return this.#mark(
      `${name} shares`,
      async () => {
        actor.screen = await actor.terminal.media.publishVideo({ colour, height: 720, source: 'screen' });
      },
      seen,
    );
  }

  stopSharing(name: Name, seen: Colour): Promise<void> {
    const { terminal, screen } = this.#actors[name];
    return this.#mark(
      `${name} stops sharing`,
      () => (screen ? terminal.media.unpublish(screen) : Promise.resolve()),
      seen,
    );
  }

  /** Locks content to a participant; null unlocks it. */
  lockContent(name: Name | null, seen: Colour): Promise<void> {
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
      if (name) void this.#mark(`the turn of ${name}`, () => Promise.resolve(), CAST[name].colour);
    });
    await this.#chair.conferences.setPollingState({
      params: rz,
      query: { meetId: this.#meetId, polling: '1' },
      body: { termIds: names.map((name) => this.#termId(name)), seconds, onlyVideo: true },
    });
  }

  stopPolling(seen: Colour): Promise<void> {
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

  /** Ends the conference, and therefore the recording. */
  async end(): Promise<Recorded> {
    await this.#chair.conferences.end({ params: { meetId: this.#meetId } });
    this.#desk.close();
    clearInterval(this.#watch);
    for (const { terminal } of Object.values(this.#actors)) terminal.kill();
    return this.#recording.done;
  }
}
