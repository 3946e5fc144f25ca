import { setTimeout as wait } from 'node:timers/promises';
import type { ScreenModel } from '@rmeet/conference';
import { positionOf, type RecordingIndex } from '@rmeet/contract';
import type { AudioOptions, Colour, LocalTrack, Tone, VideoOptions } from '@rmeet/participant';
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
import { ConferenceRecorder, Conversions } from '../src/index.ts';
import type { Mark, Pause } from './judge.ts';

/** What a participant sends: a camera of this colour (null: none) and a tone. */
export interface Role {
  colour: Colour | null;
  tone: Tone;
  /** H.264 of 180 lines unless this says something else; recordings show VP8 only if they convert it. */
  camera?: VideoOptions;
  /** What the microphone sends instead of the plain tone. */
  sound?: AudioOptions['tone'];
  /** Joins without an account. */
  isGuest?: boolean;
}
export type Cast<Name extends string> = Readonly<Record<Name, Role>>;

/** The four participants of the shorter scripts. */
export const CAST = {
  chair: { colour: 'red', tone: 300 },
  alice: { colour: 'green', tone: 500, camera: { simulcast: true } },
  bob: { colour: 'blue', tone: 700 },
  carol: { colour: 'yellow', tone: 900, camera: { codec: 'vp8' } },
} as const satisfies Record<string, Role>;
export const NAMES = Object.keys(CAST) as (keyof typeof CAST)[];

/** A recording that runs. */
export interface RunningRecording {
  /** Time 0 of the recording, ms of `performance.now()`. */
  began: number;
  pause: () => Promise<void>;
  resume: () => Promise<void>;
  /** Called when the conference is over. */
  stop: () => Promise<RecordingIndex>;
}

/** What a recording is made of. */
export interface Recorded {
  server: RunningServer;
  chair: Awaited<ReturnType<Api['as']>>;
  meetId: string;
}

/** Conversions that tell when a picture comes: ffmpeg takes as long to start as the machine lets it. */
export class WatchedConversions extends Conversions {
  #next = Promise.withResolvers<void>();

  /** Resolves with the first picture of the conversion that is started next, or when that fails. */
  next(): Promise<void> {
    return this.#next.promise;
  }

  override start(events: Parameters<Conversions['start']>[0]): ReturnType<Conversions['start']> {
    const { resolve } = this.#next;
    this.#next = Promise.withResolvers();
    return super.start({
      ...events,
      onPicture: (picture, at) => {
        resolve();
        events.onPicture(picture, at);
      },
      onFailed: (reason) => {
        resolve();
        events.onFailed(reason);
      },
    });
  }
}

/** Records by the recorder in this process. */
export function recordTo(folder: string, conversions?: Conversions): (recorded: Recorded) => Promise<RunningRecording> {
  return async ({ server, chair, meetId }) => {
    const ended = Promise.withResolvers<void>();
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
      onEnded: () => ended.resolve(),
      onFailure: (error) => {
        throw error;
      },
    });
    return {
      began: recorder.began,
      pause: () => recorder.pause('paused'),
      resume: () => recorder.resume(),
      stop: async () => {
        await ended.promise;
        await recorder.stop();
        return recorder.index;
      },
    };
  };
}

interface StageOptions<Name extends string> {
  cast: Cast<Name>;
  /** On air by name at first; null: the floor decides. */
  on: NoInfer<Name> | null;
  /** These are silent at first, by their own choice. */
  quiet?: readonly NoInfer<Name>[];
  record: (recorded: Recorded) => Promise<RunningRecording>;
  /** What converts VP8 while it is on air, so that the recording shows it. */
  conversions?: WatchedConversions;
}

/** A participant who has been silent for 1.2 s loses the floor; the engine reports speakers a few times per second. */
const FLOOR_MS = 2_000;
/** After this without a picture, a camera counts as frozen: 1.5 s, and what was on the way. */
const FREEZE_MS = 1_800;
/** Terminals that could not send for this long skip what they should have sent; seconds. */
const STILL = 0.3;
/** A file whose first picture takes longer than this begins with a card. */
const CARD_AFTER_MS = 500;
const rz = { res: 'rz' } as const;

interface Actor {
  terminal: Terminal;
  /** All termIds that this participant had, the newest last. */
  termIds: string[];
  sound: LocalTrack;
  camera: LocalTrack | undefined;
  screen?: LocalTrack;
}

/** What participants send from a step of the script on. */
export interface StageMark extends Mark {
  /** `camera alice`, `screen bob`: pictures that can be recorded, with their colours. */
  pictures: ReadonlyMap<string, Colour>;
}

/** A conference with a recording. The expected picture and audio are recorded with each action. */
export class Stage<Name extends string> {
  /** Seconds since the recording began. */
  readonly marks: StageMark[] = [];
  readonly meetId: string;
  readonly names: readonly Name[];
  #cast: Cast<Name>;
  #server: RunningServer;
  #chair: Api;
  #numericId: string;
  #actors: Record<Name, Actor>;
  #desk: Desk;
  #recording: RunningRecording;
  #heard: Set<Name>;
  #filmed: Set<Name>;
  #shared = new Map<Name, Colour>();
  /** Only this participant may share. */
  #locked: Name | null = null;
  /** Times when the whole process, including terminals, was blocked by other work on the machine: seconds. */
  readonly pauses: Pause[] = [];
  #watch: NodeJS.Timeout;
  #conversions: WatchedConversions | undefined;

  private constructor(
    { cast, quiet = [], conversions }: StageOptions<Name>,
    { server, chair, meetId }: Recorded,
    numericId: string,
    actors: Record<Name, Actor>,
    desk: Desk,
    recording: RunningRecording,
  ) {
    this.#cast = cast;
    this.#conversions = conversions;
    this.names = namesOf(cast);
    this.#server = server;
    this.#chair = chair;
    this.meetId = meetId;
    this.#numericId = numericId;
    this.#actors = actors;
    this.#desk = desk;
    this.#recording = recording;
    this.#heard = new Set(this.names.filter((name) => !quiet.includes(name)));
    this.#filmed = new Set(this.names.filter((name) => cast[name].colour !== null));
    let last = this.now;
    this.#watch = setInterval(() => {
      const { now } = this;
      if (now - last > STILL) this.pauses.push({ from: last, to: now });
      last = now;
    }, 50);
  }

  /** All participants have joined and send; `on` is on air by name, and the recording runs. */
  static async open<Name extends string>(server: RunningServer, options: StageOptions<Name>): Promise<Stage<Name>> {
    const { cast, on, quiet = [], record, conversions } = options;
    const chair = await server.api.as('chair');
    const { meetId, numericId } = await bookMeeting(chair);
    const actors = {} as Record<Name, Actor>;
    for (const name of namesOf(cast)) {
      actors[name] = await enter(server, name === 'chair' ? chair : undefined, numericId, name, cast[name]);
      if (quiet.includes(name)) actors[name].terminal.media.mute(actors[name].sound, true);
    }
    if (on !== null)
      await chair.conferences.setConfSpeaker({
        params: rz,
        query: { meetId, termId: actors[on].terminal.admission.termId },
      });
    const desk = await openDesk(server.url, { meetId, by: chair });
    const recorded = { server, chair, meetId };
    const converted = conversions?.next();
    const stage = new Stage(options, recorded, numericId, actors, desk, await record(recorded));
    const first = on ?? stage.names.find((name) => !quiet.includes(name))!;
    await stage.#mark(
      `${first} is on air`,
      async () => {
        if (stage.#isConverted(first)) await converted;
      },
      stage.#pictureOf(first),
    );
    return stage;
  }

  /** What a recording shows of a participant's camera: a card if it is off, or VP8. */
  #pictureOf(name: Name): Colour | null {
    const { colour, camera } = this.#cast[name];
    return (camera?.codec !== 'vp8' || this.#conversions) && this.#filmed.has(name) ? colour : null;
  }

  #isConverted(name: Name): boolean {
    return this.#conversions !== undefined && this.#cast[name].camera?.codec === 'vp8' && this.#filmed.has(name);
  }

  /** Time 0 of the recording, ms of `performance.now()`. */
  get began(): number {
    return this.#recording.began;
  }

  toneOf(name: Name): Tone {
    return this.#cast[name].tone;
  }

  colourOf(name: Name): Colour | null {
    return this.#cast[name].colour;
  }

  /** Seconds since the recording began. */
  get now(): number {
    return (performance.now() - this.#recording.began) / 1_000;
  }

  #termId(name: Name): string {
    return this.#actors[name].terminal.admission.termId;
  }

  get #tones(): Tone[] {
    return this.names.filter((name) => this.#heard.has(name)).map((name) => this.#cast[name].tone);
  }

  get #pictures(): StageMark['pictures'] {
    const cameras = this.names.flatMap((name): [string, Colour][] => {
      const colour = this.#pictureOf(name);
      return colour === null ? [] : [[`camera ${name}`, colour]];
    });
    const screens = [...this.#shared].filter(([name]) => this.#locked === null || this.#locked === name);
    return new Map([...cameras, ...screens.map(([name, colour]) => [`screen ${name}`, colour] as const)]);
  }

  async #mark(
    what: string,
    act: () => Promise<unknown>,
    colour: Colour | null = this.marks.at(-1)?.colour ?? null,
  ): Promise<void> {
    const mark = { what, from: this.now, to: this.now, colour, tones: this.#tones, pictures: this.#pictures };
    this.marks.push(mark);
    await act();
    mark.to = this.now;
  }

  /** Waits for a moment of the script, seconds since the recording began. */
  async at(second: number): Promise<void> {
    await wait(Math.max(0, (second - this.now) * 1_000));
  }

  /** Waits for so many seconds after the step before, however long that took. */
  async goesOn(seconds: number): Promise<void> {
    await this.at(this.now + seconds);
  }

  /** Names the speaker. The previous picture stays while a conversion starts. */
  speaker(name: Name): Promise<void> {
    const converted = this.#isConverted(name) ? this.#conversions?.next() : undefined;
    return this.#mark(
      `${name} is named`,
      async () => {
        await this.#chair.conferences.setConfSpeaker({
          params: rz,
          query: { meetId: this.meetId, termId: this.#termId(name) },
        });
        await converted;
      },
      this.#pictureOf(name),
    );
  }

  /** Removes the named speaker; `seen` is the expected next picture. */
  nobodyNamed(seen: Colour | null): Promise<void> {
    return this.#mark(
      'nobody is named',
      () => this.#chair.conferences.setConfSpeaker({ params: rz, query: { meetId: this.meetId } }),
      seen,
    );
  }

  mute(...names: Name[]): Promise<void> {
    for (const name of names) this.#heard.delete(name);
    return this.#mark(`${names.join()} held`, () =>
      this.#chair.conferences.termMute({
        params: rz,
        body: { meetId: this.meetId, termIds: names.map((name) => this.#termId(name)), mute: true },
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
        body: { meetId: this.meetId, termId: this.#termId(name), mute: false },
      });
      // The embedded engine has kept the track and forwards it again; LiveKit has unpublished it.
      if (!actor.terminal.media.published.includes(actor.sound))
        actor.sound = await until('may speak', () => actor.terminal.media.publishAudio(soundOf(this.#cast[name])));
    });
  }

  /** One falls silent and another speaks, as people do who mute themselves: the other has the floor after a while. */
  handOver(from: Name, to: Name, seen: Colour | null): Promise<void> {
    this.#heard.delete(from);
    this.#heard.add(to);
    return this.#mark(
      `${to} speaks after ${from}`,
      async () => {
        for (const name of [from, to]) this.#actors[name].terminal.media.mute(this.#actors[name].sound, name === from);
        await wait(FLOOR_MS);
      },
      seen,
    );
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
          body: { meetId: this.meetId, termId: this.#termId(from), mute: true },
        });
        await wait(FLOOR_MS);
      },
      seen,
    );
  }

  /** The chair turns a participant's camera off or on. */
  camera(name: Name, open: boolean, seen: Colour | null): Promise<void> {
    this.#setFilmed([name], open);
    const actor = this.#actors[name];
    const { media } = actor.terminal;
    return this.#mark(
      `${name}'s camera ${open ? 'on' : 'off'}`,
      async () => {
        await this.#chair.conferences.screenVideo({
          params: rz,
          body: { meetId: this.meetId, termId: this.#termId(name), open },
        });
        if (open && actor.camera && !media.published.includes(actor.camera))
          actor.camera = await until('may be seen', () => media.publishVideo(cameraOf(this.#cast[name])));
      },
      seen,
    );
  }

  /** Participants turn their own cameras off or on. */
  ownCameras(names: readonly Name[], open: boolean, seen: Colour | null): Promise<void> {
    this.#setFilmed(names, open);
    return this.#mark(
      `${names.join()} turn their cameras ${open ? 'on' : 'off'}`,
      async () => {
        for (const { terminal, camera } of names.map((name) => this.#actors[name]))
          if (camera) terminal.media.mute(camera, !open);
      },
      seen,
    );
  }

  #setFilmed(names: readonly Name[], open: boolean): void {
    for (const name of names) {
      if (open) this.#filmed.add(name);
      else this.#filmed.delete(name);
    }
  }

  /** A participant's connections die without a message. `seen` is the picture once that is noticed. */
  drop(name: Name, seen: Colour | null): Promise<void> {
    return this.#gone(name, seen, 'drops', async ({ terminal }) => {
      terminal.kill();
      await wait(FREEZE_MS);
    });
  }

  /** A participant leaves. */
  leave(name: Name, seen: Colour | null): Promise<void> {
    return this.#gone(name, seen, 'leaves', ({ terminal }) => terminal.leave());
  }

  #gone(name: Name, seen: Colour | null, how: string, act: (actor: Actor) => Promise<void>): Promise<void> {
    this.#setFilmed([name], false);
    this.#heard.delete(name);
    return this.#mark(`${name} ${how}`, () => act(this.#actors[name]), seen);
  }

  /** A participant who dropped is back. */
  comeBack(name: Name): Promise<void> {
    return this.#back(name, 'is back', async (actor) => {
      actor.terminal = await actor.terminal.comeBack();
      Object.assign(actor, await send(actor.terminal, this.#cast[name]));
    });
  }

  /** A participant who left joins again, as another terminal. */
  returns(name: Name): Promise<void> {
    return this.#back(name, 'joins again', async (actor) => {
      const api = name === 'chair' ? this.#chair : undefined;
      const { termIds, ...others } = await enter(this.#server, api, this.#numericId, name, this.#cast[name]);
      Object.assign(actor, others, { termIds: [...actor.termIds, ...termIds] });
    });
  }

  #back(name: Name, how: string, act: (actor: Actor) => Promise<void>): Promise<void> {
    this.#setFilmed([name], this.#cast[name].colour !== null);
    this.#heard.add(name);
    return this.#mark(`${name} ${how}`, () => act(this.#actors[name]));
  }

  /** The chair arranges the pictures; that changes nothing in the programme. */
  layout(screenModel: ScreenModel): Promise<void> {
    return this.#mark(`layout ${screenModel}`, () =>
      this.#chair.conferences.setLayout({ params: rz, body: { meetId: this.meetId, screenModel } }),
    );
  }

  /** A participant shares a colour; `seen` is the picture on air then. */
  share(name: Name, colour: Colour, seen: Colour | null): Promise<void> {
    this.#shared.set(name, colour);
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
    this.#shared.delete(name);
    const { terminal, screen } = this.#actors[name];
    return this.#mark(
      `${name} stops sharing`,
      () => (screen ? terminal.media.unpublish(screen) : Promise.resolve()),
      seen,
    );
  }

  /** Locks content to a participant; null unlocks it. */
  lockContent(name: Name | null, seen: Colour | null): Promise<void> {
    this.#locked = name;
    const query =
      name === null ? { action: 'UNLOCK' as const } : { action: 'LOCK' as const, termId: this.#termId(name) };
    return this.#mark(
      `content locked to ${name ?? 'nobody'}`,
      () => this.#chair.conferences.lockConfContent({ params: rz, query: { meetId: this.meetId, ...query } }),
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
      const name = this.names.find((one) => this.#termId(one) === now);
      if (name) void this.#mark(`the turn of ${name}`, () => Promise.resolve(), this.#pictureOf(name));
    });
    await this.#chair.conferences.setPollingState({
      params: rz,
      query: { meetId: this.meetId, polling: '1' },
      body: { termIds: names.map((name) => this.#termId(name)), seconds, onlyVideo: true },
    });
  }

  stopPolling(seen: Colour | null): Promise<void> {
    return this.#mark(
      'the polling ends',
      () =>
        this.#chair.conferences.setPollingState({
          params: rz,
          query: { meetId: this.meetId, polling: '0' },
          body: {},
        }),
      seen,
    );
  }

  /** Pauses the recording, and resumes it. */
  pause(): Promise<void> {
    return this.#recording.pause();
  }

  async resume(): Promise<void> {
    const { colour } = this.marks.at(-1)!;
    const isConverted = this.names.some((name) => this.#isConverted(name) && this.#pictureOf(name) === colour);
    const converted = isConverted ? this.#conversions?.next() : undefined;
    await this.#mark('it records again', async () => {
      await this.#recording.resume();
      await converted;
    });
    const mark = this.marks.at(-1)!;
    if (converted && mark.to - mark.from > CARD_AFTER_MS / 1_000)
      this.marks.splice(-1, 0, { ...mark, to: mark.from, colour: null });
  }

  /** Ends the conference. Returns the index of the recording, whose moments are as in `marks`. */
  async end(): Promise<RecordingIndex> {
    await this.#chair.conferences.end({ params: { meetId: this.meetId } });
    clearInterval(this.#watch);
    const index = await this.#recording.stop();
    this.#desk.close();
    for (const { terminal } of Object.values<Actor>(this.#actors)) terminal.kill();
    return index;
  }

  /** The script and the pauses by the positions of a film: what is not recorded takes no time. */
  scriptOf(index: RecordingIndex, track = 'programme'): { marks: StageMark[]; pauses: Pause[]; seconds: number } {
    const { segments } = index.tracks.find(({ id }) => id === track)!;
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

  /** Those that it had one after the other. */
  termIds(name: Name): readonly string[] {
    return this.#actors[name].termIds;
  }
}

function namesOf<Name extends string>(cast: Cast<Name>): Name[] {
  return Object.keys(cast) as Name[];
}

/** Joins a participant, who sends from then on. */
async function enter(
  server: RunningServer,
  api: Api | undefined,
  numericId: string,
  name: string,
  role: Role,
): Promise<Actor> {
  const own = api ?? (role.isGuest ? server.api : await server.api.as(name));
  const terminal = await joinAsTerminal(own, server.url, { numericId, password: '4821', name, autoSubscribe: false });
  return { terminal, termIds: [terminal.admission.termId], ...(await send(terminal, role)) };
}

async function send({ media }: Terminal, role: Role): Promise<Pick<Actor, 'sound' | 'camera'>> {
  const sound = await media.publishAudio(soundOf(role));
  const camera = role.colour === null ? undefined : await media.publishVideo(cameraOf(role));
  return { sound, camera };
}

function soundOf({ sound, tone }: Role): AudioOptions {
  return { tone: sound ?? tone };
}

function cameraOf({ colour, camera }: Role): VideoOptions {
  return { codec: 'h264', ...(colour === null ? {} : { colour }), ...camera };
}
