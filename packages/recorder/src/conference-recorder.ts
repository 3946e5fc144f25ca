import {
  hasCapability,
  keepSpeakers,
  programmeOf,
  SILENCE,
  tickSpeakers,
  updateSpeakers,
  type ConferenceControl,
  type ProgrammePicture,
} from '@rmeet/conference';
import { contract, createClient, errorMessage, type RecordingIndex } from '@rmeet/contract';
import type { LiveOutput } from '@rmeet/live';
import { PushConnection, type RemoteTrack } from '@rmeet/participant';
import { sendTo, type Credentials } from './access.ts';
import type { Conversions } from './conversion/conversions.ts';
import { IndexBook, type GapReason, type RecordingSize } from './index-book.ts';
import { MediaLink } from './media-link.ts';
import { Media } from './media.ts';
import { SEGMENT_MS } from './packager/packager.ts';
import { MONO, STEREO } from './packager/sample-entries.ts';
import { SmallProgramme, type SmallProgrammeOptions } from './small-programme.ts';
import { SpooledTrack, type SpooledFile } from './spooled-track.ts';
import { TerminalTracks, TRACK_SEGMENT_MS } from './terminal-tracks.ts';
import { noteTimeZero, readTimeZero } from './time-zero.ts';

export interface RecorderOptions {
  /** The server's address, such as `http://127.0.0.1:3000`. */
  url: string;
  /** Credentials of a user, or of a desk, that may watch the meeting. */
  credentials: Credentials;
  meetId: string;
  /** Joins the media engine as a hidden participant; called again after the connection was lost. */
  join?: () => Promise<{ url: string; token: string }>;
  /** The spool: `<folder>/<track>/init-N.mp4` and `segment-I-N.m4s`. */
  folder: string;
  /** What an earlier recorder left (`recoverSpool`): this one continues with the next numbers. */
  index: RecordingIndex | null;
  /** Unix time in ms of the recording's time 0; that of the index counts if there is one. */
  startsAt: number;
  /** Write each terminal's sound and pictures by themselves, too. */
  withTracks: boolean;
  /** What converts VP8 pictures while they are on air; without it, they are cards. */
  conversions?: Conversions | undefined;
  /** Starts paused for this reason: an earlier recorder was. */
  paused?: GapReason;
  /** Takes the programme as it is made, before it is written. */
  live?: Pick<LiveOutput, 'takeInit' | 'takePart'>;
  /** Takes the programme with a smaller picture; `join` as above, as another participant. */
  small?: Pick<SmallProgrammeOptions, 'join' | 'output'> | undefined;
  /** Accept a self-signed certificate. */
  insecure?: boolean;
  /** Called with a sentence for each event. */
  log?: (line: string) => void;
  /** A file is complete. */
  onFile: (file: SpooledFile) => void;
  /** The first part of the programme is written. */
  onFirstPart?: () => void;
  /** Files can no longer be written: call `pause`, and `resume` when they can. */
  onFailure?: (error: unknown) => void;
  /** The conference is over, or the server no longer lets it be watched: call `stop`. */
  onEnded?: () => void;
}

const TICK_MS = 20;
const STATE_WITHIN_MS = 10_000;
/** Media that has not come for this time is lost: what is written waits, ms. */
const LOST_AFTER_MS = 300;
/** A longer loss is a gap. */
const GAP_AFTER_MS = 1_000;

/**
 * Records a running conference: the programme, which is the picture on air and the mix of all sound, and each
 * terminal's sound and pictures by themselves. Follows the conference as a watching desk and a hidden participant of
 * the media engine. Nothing but `stop` ends it.
 */
export class ConferenceRecorder {
  #options: RecorderOptions;
  #push: PushConnection;
  #book: IndexBook;
  /** Time 0 of the recording, ms of `performance.now()`. The wall clock counts once: it may jump. */
  #began: number;
  #programme: SpooledTrack;
  #media: Media;
  #small: SmallProgramme | undefined;
  #link: MediaLink | undefined;
  #speakers = SILENCE;
  /** Who speaks now, as the engine said last. */
  #heard: readonly string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #hasPart = false;
  /** Where the programme ends on the disk, ms of the recording. */
  #writtenUntil: number;
  /** Why nothing is written; undefined while it records. */
  #pausedFor: GapReason | undefined;
  /** Nothing more is written: it was stopped, or the conference is over. */
  #isOver = false;
  #failure: unknown;
  /** Beginnings and ends of files, one after the other. */
  #work: Promise<void> = Promise.resolve();

  /** `zero`: time 0 as an earlier recorder on this machine noted it. */
  private constructor(options: RecorderOptions, push: PushConnection, zero: number | undefined) {
    this.#options = options;
    this.#push = push;
    this.#book = new IndexBook(options.startsAt, options.index);
    const end = this.#book.end;
    const now = Math.max(zero === undefined ? Date.now() - this.#book.startsAt : performance.now() - zero, end);
    this.#began = performance.now() - now;
    this.#programme = this.#track('programme', null);
    this.#writtenUntil = Math.ceil(this.#programme.end);
    if (end > 0) {
      this.#book.beginGap(Math.max(this.#writtenUntil, this.#book.gapsEnd), 'recorder');
      if (options.paused) this.#book.endGap(now);
    }
    this.#media = new Media({
      began: this.#began,
      programme: this.#programme,
      tracks: options.withTracks ? new TerminalTracks((kind, termId) => this.#track(kind, termId)) : undefined,
      conversions: options.conversions,
      onChange: (sentence) => {
        this.#log(sentence);
        this.#follow();
      },
      onPacket: () => this.#link?.notePacket(),
    });
    this.#small = this.#openSmall();
    this.#followPush();
  }

  #openSmall(): SmallProgramme | undefined {
    const { small, conversions, insecure = false } = this.#options;
    const log = (line: string): void => this.#log(line);
    const { startsAt } = this.#book;
    return small && new SmallProgramme({ ...small, began: this.#began, startsAt, conversions, insecure, log });
  }

  /** Starts. @throws Error if the server refuses, the conference is not running, or the engine cannot be joined. */
  static async start(options: RecorderOptions): Promise<ConferenceRecorder> {
    const { url, credentials, meetId, insecure } = options;
    const topic = `meeting:${meetId}`;
    const push = await PushConnection.open({
      url,
      credentials,
      topics: [topic],
      reconnect: true,
      ...(insecure ? { insecure } : {}),
    });
    try {
      await deskOf(push, topic);
      const control = push.desks.get(topic)?.control ?? {};
      if (!hasCapability(control, 'recording')) throw new Error(errorMessage('E2EE_UNSUPPORTED', 'en'));
      const { folder, index } = options;
      const zero = index ? await readTimeZero(folder, index.startsAt) : undefined;
      const recorder = new ConferenceRecorder(options, push, zero);
      await recorder.#noteTimeZero();
      await recorder.#begin();
      return recorder;
    } catch (error) {
      push.close();
      throw error;
    }
  }

  /** What is written so far, and what was seen. */
  get index(): RecordingIndex {
    return this.#book.at(this.#at());
  }

  /** Of what is written so far. */
  get size(): RecordingSize {
    return this.#book.size;
  }

  /** Why files cannot be written; undefined if they can. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Time 0 of the recording, ms of `performance.now()`. */
  get began(): number {
    return this.#began;
  }

  /** Nothing is recorded from now on. Resolves when all files are complete. */
  pause(reason: GapReason): Promise<void> {
    if (this.#pausedFor === undefined) this.#pausedFor = reason;
    return this.#then(() => this.#interrupt(reason, performance.now()));
  }

  /** It records again, after a pause or a failure. */
  resume(): Promise<void> {
    return this.#then(async () => {
      if (this.#failure !== undefined) await this.#interrupt('diskFull', performance.now());
      this.#pausedFor = undefined;
      this.#failure = undefined;
      this.#continue();
    });
  }

  /** Ends it. Resolves when all files are complete. */
  async stop(): Promise<void> {
    await this.#finish();
    this.#link?.close();
    this.#push.close();
    this.#media.close();
    this.#small?.close();
  }

  /** Nothing is written any more. */
  #finish(): Promise<void> {
    if (!this.#isOver) {
      this.#isOver = true;
      clearInterval(this.#timer);
      const now = performance.now();
      void this.#then(() => this.#interrupt(undefined, now));
      this.#book.noteSpeaking(this.#at(now), []);
      this.#book.noteCard(this.#at(now), null, undefined);
    }
    return this.#work;
  }

  /** The conference is over: it ends here, and not with a card and silence when `stop` is called. */
  #end(): void {
    // `stop` waits for the same, and reports a failure.
    this.#finish().catch(() => undefined);
    this.#options.onEnded?.();
  }

  #at(now = performance.now()): number {
    return Math.round(now - this.#began);
  }

  #log(line: string): void {
    this.#options.log?.(line);
  }

  #then(work: () => void | Promise<void>): Promise<void> {
    this.#work = this.#work.then(work);
    return this.#work;
  }

  /** Opens a track of the spool. */
  #track(kind: RecordingIndex['tracks'][number]['kind'], termId: string | null): SpooledTrack {
    const name = termId === null ? this.#subject : (this.#control?.terminals[termId]?.name ?? termId);
    const isProgramme = kind === 'programme';
    const sound = kind === 'microphone' ? MONO : kind === 'programme' || kind === 'screenAudio' ? STEREO : undefined;
    return new SpooledTrack({
      folder: this.#options.folder,
      startsAt: this.#book.startsAt,
      entry: this.#book.track(kind, termId, name),
      hasPicture: isProgramme || kind === 'camera' || kind === 'screen',
      sound,
      segmentMs: isProgramme ? SEGMENT_MS : TRACK_SEGMENT_MS,
      onFile: this.#options.onFile,
      onFailure: (error) => this.#fail(error),
      ...(isProgramme
        ? {
            onPart: (from: number, to: number) => this.#notePart(from, to),
            onSound: (data: Uint8Array, position: number) => this.#small?.addSound(data, position),
            live: this.#options.live,
          }
        : {}),
    });
  }

  #notePart(from: number, to: number): void {
    this.#writtenUntil = to;
    this.#book.endGap(Math.round(from));
    if (this.#hasPart) return;
    this.#hasPart = true;
    this.#options.onFirstPart?.();
  }

  #fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.#log(`Files cannot be written: ${String(error)}`);
    this.#options.onFailure?.(error);
  }

  async #noteTimeZero(): Promise<void> {
    try {
      await noteTimeZero(this.#options.folder, this.#book.startsAt, this.#began);
    } catch (error) {
      // The disk may be full: the next recorder relies on the wall clock.
      this.#log(`The time of the recording's start could not be noted: ${String(error)}`);
    }
  }

  async #begin(): Promise<void> {
    const { url, credentials, meetId, insecure = false, paused } = this.#options;
    const watch = (): Promise<{ url: string; token: string }> =>
      createClient(contract.conferences, sendTo(url, credentials)).watch({ params: { meetId } });
    const attach = (link: MediaLink): void => {
      this.#link = link;
      link.on('track', (track) => this.#add(track));
      link.on('trackGone', (track) => {
        this.#media.remove(track);
        this.#follow();
      });
      link.on('changed', () => this.#follow());
      link.on('speakers', (identities) => this.#hear(identities));
    };
    await MediaLink.open({ join: this.#options.join ?? watch, insecure, log: (line) => this.#log(line) }, attach);
    this.#pausedFor = paused;
    this.#follow();
    if (paused) this.#book.beginGap(this.#at(), paused);
    else this.#continue();
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  /** Files begin. */
  #continue(): void {
    if (this.#isOver || this.#pausedFor !== undefined || this.#programme.isOpen) return;
    const now = performance.now();
    this.#media.begin(now);
    this.#small?.begin(now);
    // The engine says only what changes, and these may have spoken all the time.
    this.#book.noteSpeaking(this.#at(), this.#heard);
    this.#follow();
  }

  /** Files end; without a reason, for good. */
  async #interrupt(reason: GapReason | undefined, now: number): Promise<void> {
    const wasOpen = this.#programme.isOpen;
    await this.#media.end(now);
    this.#small?.end(now);
    if (reason === undefined || this.#isOver) return;
    this.#book.noteSpeaking(this.#at(now), []);
    this.#book.noteCard(this.#at(now), null, undefined);
    this.#book.beginGap(wasOpen ? Math.round(this.#writtenUntil) : this.#at(now), reason);
  }

  /** The socket may be away for long: the last known state counts. */
  #followPush(): void {
    this.#push.on('event', ({ event }) => {
      if (event.type === 'ended') this.#end();
      else this.#follow();
    });
    this.#push.on('snapshot', () => this.#follow());
    this.#push.on('refused', (code, topic) => {
      this.#log(`The server refuses the conference: ${code}`);
      if (topic !== undefined && code !== 'SERVICE_BUSY') this.#options.onEnded?.();
    });
  }

  get #desk() {
    return this.#push.desks.get(`meeting:${this.#options.meetId}`);
  }

  get #control(): ConferenceControl | undefined {
    return this.#desk?.control;
  }

  get #subject(): string {
    return this.#desk?.subject ?? '';
  }

  #add(track: RemoteTrack): void {
    this.#media.add(track).then(
      () => this.#follow(),
      (error: unknown) => this.#log(`A track of ${track.identity} cannot be recorded: ${String(error)}`),
    );
  }

  #hear(identities: readonly string[]): void {
    this.#heard = identities;
    this.#speakers = updateSpeakers(this.#speakers, identities, performance.now());
    if (this.#programme.isOpen) this.#book.noteSpeaking(this.#at(), identities);
    this.#follow();
  }

  /** Applies the picture on air from the state. */
  #follow(): void {
    const control = this.#control;
    if (control === undefined || this.#isOver || this.#lostFor > 0) return;
    const present = new Set(Object.keys(control.terminals).filter((termId) => control.terminals[termId]?.present));
    this.#speakers = keepSpeakers(this.#speakers, present);
    const sharing = this.#media.sharing();
    const picture = programmeOf({ control, sharing, speakers: this.#speakers.recent, present });
    const now = performance.now();
    const name = picture && (control.terminals[picture.termId]?.name ?? picture.termId);
    const title = name ?? this.#subject;
    const reason = this.#media.show(picture, title, now);
    if (this.#programme.isOpen) this.#book.noteCard(this.#at(now), picture, reason);
    const wanted = [picture, ...nextOf(control, sharing)].filter((one) => one !== null);
    this.#media.want(wanted, this.#link?.participant);
    this.#small?.show(picture, title, wanted);
    this.#media.setControl(control, now);
    if (this.#book.noteOnAir(this.#at(now), picture))
      this.#log(`On air: ${picture === null ? 'nobody' : `${name} (${picture.kind})`}`);
  }

  /** For how long media that was flowing has not come, ms; 0 if it comes. */
  get #lostFor(): number {
    const since = this.#link?.lostSince;
    const lost = since === undefined ? 0 : performance.now() - since;
    return lost > LOST_AFTER_MS ? lost : 0;
  }

  #tick(): void {
    const now = performance.now();
    const lost = this.#lostFor;
    if (lost > 0) {
      if (lost > GAP_AFTER_MS && this.#programme.isOpen) void this.#then(() => this.#interrupt('media', now - lost));
      return;
    }
    if (!this.#programme.isOpen && this.#pausedFor === undefined && this.#failure === undefined)
      void this.#then(() => this.#continue());
    const speakers = tickSpeakers(this.#speakers, now);
    if (speakers !== this.#speakers) {
      this.#speakers = speakers;
      this.#follow();
    }
    if (this.#media.tick(now)) this.#follow();
    this.#small?.tick(now);
  }
}

/** Pictures that are known to be next: the switch need not wait for them to start. */
function nextOf({ polling }: ConferenceControl, sharing: readonly string[]): (ProgrammePicture | null)[] {
  const shared = sharing.at(-1);
  return [
    polling?.next ? { termId: polling.next, kind: 'camera' } : null,
    shared === undefined ? null : { termId: shared, kind: 'screen' },
  ];
}

/** Waits for the conference. @throws Error if the server refuses it or sends no state. */
async function deskOf(push: PushConnection, topic: string): Promise<void> {
  if (push.desks.has(topic)) return;
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('The server tells nothing of this conference.')), STATE_WITHIN_MS);
    push.once('snapshot', () => {
      clearTimeout(late);
      resolve();
    });
    push.once('refused', (code) => {
      clearTimeout(late);
      reject(new Error(`The server refuses the conference: ${code}`));
    });
  });
}
