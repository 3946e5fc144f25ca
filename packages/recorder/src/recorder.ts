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
import { contract, createClient, errorMessage } from '@rmeet/contract';
import { Participant, PushConnection, type RemoteTrack } from '@rmeet/participant';
import { sendTo, type Credentials } from './access.ts';
import { Media } from './media.ts';
import { WebmFile } from './webm-file.ts';

export interface RecordOptions {
  /** The server's address, such as `http://127.0.0.1:3000`. */
  url: string;
  /** Credentials of a user who may open the meeting's desk. */
  credentials: Credentials;
  meetId: string;
  /** The WebM file to create; rejected if it exists. */
  path: string;
  /** Accept a self-signed certificate. */
  insecure?: boolean;
  /** Called with a sentence for each event. */
  log?: (line: string) => void;
}

/** A finished recording. */
export interface Recorded {
  path: string;
  milliseconds: number;
  /** Pictures on air, in ms since the start; null: none. */
  programme: { at: number; picture: ProgrammePicture | null }[];
  /** Tracks that could not be stored, a sentence each. */
  refused: string[];
}

const TICK_MS = 20;
const STATE_WITHIN_MS = 10_000;
const RETRY_MS = 1_000;
/** Number of pictures received in addition to the one on air, so that a switch need not wait for them to start. */
const WARM_SPEAKERS = 2;

/**
 * Records the programme of a running conference: joins it as a watching desk, follows its state on the push socket, and
 * writes the picture on air and the mix of all audio. Ends with the conference, or by `stop`.
 */
export class Recording {
  /** Settles when the file is complete. @throws the error that prevented writing it */
  readonly done: Promise<Recorded>;
  #options: RecordOptions;
  #file: WebmFile;
  #push: PushConnection;
  #media: Media;
  #participant: Participant | undefined;
  #speakers = SILENCE;
  #onAir: ProgrammePicture | null | undefined;
  #recorded: Recorded;
  #timer: NodeJS.Timeout;
  #over = false;
  #settle!: (recorded: Recorded) => void;
  #fail!: (error: unknown) => void;

  private constructor(options: RecordOptions, file: WebmFile, push: PushConnection, media: Media) {
    this.#options = options;
    this.#file = file;
    this.#push = push;
    this.#media = media;
    this.#recorded = { path: options.path, milliseconds: 0, programme: [], refused: [] };
    this.done = new Promise((resolve, reject) => {
      this.#settle = resolve;
      this.#fail = reject;
    });
    // Callers may wait for it, but need not.
    this.done.catch(() => undefined);
    media.onRefused = (sentence) => {
      this.#recorded.refused.push(sentence);
      this.#log(sentence);
      this.#follow();
    };
    push.on('event', ({ event }) => {
      if (event.type === 'ended') void this.#finish('the conference is over');
      else this.#follow();
    });
    push.on('snapshot', () => this.#follow());
    push.on('refused', (code) => void this.#finish(`the server refuses the conference: ${code}`));
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  /**
   * Starts; the file's first picture is the current one. @throws FileTaken, and Error if the server refuses or the
   * conference is not running.
   */
  static async start(options: RecordOptions): Promise<Recording> {
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
      const file = await WebmFile.create(options.path);
      const recording = new Recording(options, file, push, await Media.open(file));
      try {
        await recording.#join();
      } catch (error) {
        recording.#close();
        await file.discard();
        throw error;
      }
      recording.#follow();
      return recording;
    } catch (error) {
      push.close();
      throw error;
    }
  }

  /** Ends the recording now. Resolves when the file is complete. */
  async stop(): Promise<Recorded> {
    await this.#finish('it was stopped');
    return this.done;
  }

  /** The start time of the file, ms of `performance.now()`. */
  get began(): number {
    return this.#media.began;
  }

  get #control(): ConferenceControl | undefined {
    return this.#push.desks.get(`meeting:${this.#options.meetId}`)?.control;
  }

  #log(line: string): void {
    this.#options.log?.(line);
  }

  async #join(): Promise<void> {
    const { url, credentials, meetId, insecure } = this.#options;
    const { watch } = createClient(contract.conferences, sendTo(url, credentials));
    const participant = await Participant.connect({
      ...(await watch({ params: { meetId } })),
      reconnect: true,
      askAgain: true,
      ...(insecure ? { insecure } : {}),
    });
    if (this.#over) {
      participant.leave();
      return;
    }
    this.#participant = participant;
    participant.on('track', (track) => this.#add(track));
    participant.on('trackGone', (track) => {
      this.#media.remove(track);
      this.#follow();
    });
    participant.on('participant', () => this.#follow());
    participant.on('speakers', (speakers) => {
      this.#speakers = updateSpeakers(
        this.#speakers,
        speakers.map(({ identity }) => identity),
        performance.now(),
      );
      this.#follow();
    });
    participant.on('left', ({ reason }) => void this.#comeBack(reason));
    for (const track of participant.tracks.values()) this.#add(track);
  }

  #add(track: RemoteTrack): void {
    this.#media.add(track).then(
      () => this.#follow(),
      (error: unknown) => this.#log(`A track of ${track.identity} cannot be recorded: ${String(error)}`),
    );
  }

  /** The media connection is lost: reconnects. The recording has a gap. */
  async #comeBack(reason: string): Promise<void> {
    while (!this.#over) {
      this.#log(`The media connection is lost (${reason}); connecting again.`);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      try {
        if (!this.#over) await this.#join();
        return;
      } catch (error) {
        this.#log(String(error));
      }
    }
  }

  /** Applies the picture on air from the state. */
  #follow(): void {
    const control = this.#control;
    if (control === undefined || this.#over) return;
    const present = new Set(Object.keys(control.terminals).filter((termId) => control.terminals[termId]?.present));
    this.#speakers = keepSpeakers(this.#speakers, present);
    const sharing = this.#media.sharing();
    const picture = programmeOf({ control, sharing, speakers: this.#speakers.recent, present });
    const warm: (ProgrammePicture | null)[] = [
      ...this.#speakers.recent.slice(0, WARM_SPEAKERS).map((termId) => ({ termId, kind: 'camera' as const })),
      control.polling?.next ? { termId: control.polling.next, kind: 'camera' } : null,
      sharing.length > 0 ? { termId: sharing.at(-1)!, kind: 'screen' } : null,
    ];
    const now = performance.now();
    this.#media.show(picture, now);
    this.#media.want(
      [picture, ...warm].filter((wanted) => wanted !== null),
      this.#participant,
    );
    this.#media.setControl(control, now);
    this.#noteOnAir(picture, control, now);
  }

  /** Records and logs a change of the picture on air. */
  #noteOnAir(picture: ProgrammePicture | null, control: ConferenceControl, now: number): void {
    const before = this.#onAir;
    if (before !== undefined && before?.termId === picture?.termId && before?.kind === picture?.kind) return;
    this.#onAir = picture;
    this.#recorded.programme.push({ at: Math.round(now - this.#media.began), picture });
    const name = picture && (control.terminals[picture.termId]?.name ?? picture.termId);
    this.#log(`On air: ${picture === null ? 'nobody' : `${name} (${picture.kind})`}`);
  }

  #tick(): void {
    const now = performance.now();
    const speakers = tickSpeakers(this.#speakers, now);
    if (speakers !== this.#speakers) {
      this.#speakers = speakers;
      this.#follow();
    }
    if (this.#media.tick(now)) this.#follow();
    if (this.#file.failure !== undefined) void this.#finish('the file cannot be written');
  }

  #close(): void {
    this.#over = true;
    clearInterval(this.#timer);
    this.#push.close();
    if (this.#participant?.ended === false) this.#participant.leave();
    this.#recorded.milliseconds = this.#media.close(performance.now());
  }

  async #finish(why: string): Promise<void> {
    if (this.#over) return;
    this.#close();
    try {
      await this.#file.finish();
      this.#log(`Recorded ${(this.#recorded.milliseconds / 1_000).toFixed(1)} s to ${this.#recorded.path}: ${why}.`);
      this.#settle(this.#recorded);
    } catch (error) {
      this.#fail(error);
    }
  }
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
