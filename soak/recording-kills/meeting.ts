import { readFile } from 'node:fs/promises';
import type { Colour, RemoteTrack, Tone } from '@rmeet/participant';
import { API_BASE, recordingIndex, recordingKeys, type RecordingIndex } from '@rmeet/contract';
import { bookMeeting, joinAsTerminal, openDesk, until, type Api, type Desk, type Terminal } from '@rmeet/testkit';
import type { Beacon, Span } from './beacon.ts';
import type { Product } from './product.ts';

export const BEACON_TONE: Tone = 1700;
const COLOURS: readonly Colour[] = ['red', 'green', 'blue', 'yellow', 'magenta', 'cyan'];
const TONES: readonly Tone[] = [300, 500, 700, 900, 1100, 1300];
/** Media that does not come for so long is a gap of the meeting, ms. */
const OWN_GAP = 300;
const LONGEST_MINUTES = 24 * 60;
const rz = { res: 'rz' } as const;

/** What a desk was told of a recording. */
export interface Told {
  at: number;
  status: string;
  trouble: string | null;
}

type Account = Api & { token: string };

/** A recorded meeting: the chair has one colour and one tone, the beacon of a guest says what time it is. */
export class RecordedMeeting {
  readonly colour: Colour;
  readonly tone: Tone;
  /** When the guest got no media of the chair. */
  readonly ownGaps: Span[] = [];
  readonly told: Told[] = [];
  recordingId = '';
  endedAt = Number.POSITIVE_INFINITY;
  #product: Product;
  #chair: Account;
  #meetId: string;
  #desk: Desk;
  #people = new Set<Terminal>();
  #isOver = false;
  #mediaAt = 0;

  private constructor(product: Product, chair: Account, meetId: string, desk: Desk, n: number) {
    this.#product = product;
    this.#chair = chair;
    this.#meetId = meetId;
    this.#desk = desk;
    this.colour = COLOURS[n % COLOURS.length]!;
    this.tone = TONES[n % TONES.length]!;
    desk.push.on('event', () => this.#note());
    desk.push.on('snapshot', () => this.#note());
  }

  /** Resolves when it is recorded. */
  static async start(product: Product, chair: Account, beacon: Beacon, n: number): Promise<RecordedMeeting> {
    const { url, api } = product.server;
    const { meetId, numericId, password } = await bookMeeting(chair, { duration: LONGEST_MINUTES });
    const host = await joinAsTerminal(chair, url, { numericId, autoSubscribe: false });
    const desk = await openDesk(url, { meetId, by: chair });
    const meeting = new RecordedMeeting(product, chair, meetId, desk, n);
    const guest = await joinAsTerminal(api, url, { numericId, password: password ?? '', name: `Guest ${n}` });
    await meeting.#take(host, async ({ media }) => {
      await media.publishVideo({ codec: 'h264', colour: meeting.colour, height: 180 });
      await media.publishAudio({ tone: meeting.tone });
    });
    await meeting.#take(guest, async ({ media }) => {
      beacon.add(await media.publishAudio({ tone: BEACON_TONE }));
      for (const track of media.tracks.values()) meeting.#listen(track);
      media.on('track', (track) => meeting.#listen(track));
    });
    await chair.conferences.setConfSpeaker({ params: rz, query: { meetId, termId: host.admission.termId } });
    await chair.conferences.setConfRecord({ query: { meetId, action: 'START' } });
    await until('it is recorded', () => meeting.isRecording, { within: 60_000 });
    meeting.recordingId = (await chair.conferences.getRecordStatus({ query: { meetId } })).recordingId ?? '';
    return meeting;
  }

  get isRecording(): boolean {
    return this.#desk.state.control.recording?.status === 'RECORDING';
  }

  get isPausedByDisk(): boolean {
    const { status, trouble } = this.#desk.state.control.recording ?? {};
    return status === 'PAUSED' && trouble === 'diskFull';
  }

  /** Since when the guest gets no media of the chair; undefined if it comes. */
  get silentSince(): number | undefined {
    return Date.now() - this.#mediaAt > OWN_GAP ? this.#mediaAt : undefined;
  }

  /**
   * A person begins to send, and again each time the engine refuses to resume: after the clock was set back, a token is
   * of the future. Pages ask for a new one, too.
   */
  async #take(person: Terminal, send: (person: Terminal) => Promise<void>): Promise<void> {
    this.#people.add(person);
    person.media.on('left', () => {
      this.#people.delete(person);
      if (this.#isOver) return;
      until('it is inside again', () => person.comeBack(), { within: 30_000, every: 200 })
        .then((again) => this.#take(again, send))
        .catch((error: unknown) => console.log(`A terminal stays away: ${String(error)}`));
    });
    await send(person);
  }

  #note(): void {
    const { status, trouble } = this.#desk.state.control.recording ?? { status: 'NONE', trouble: null };
    const last = this.told.at(-1);
    if (last?.status !== status || last.trouble !== trouble) this.told.push({ at: Date.now(), status, trouble });
  }

  #listen(track: RemoteTrack): void {
    track.onPacket = () => {
      const now = Date.now();
      if (this.#mediaAt > 0 && now - this.#mediaAt > OWN_GAP) this.ownGaps.push({ from: this.#mediaAt, to: now });
      this.#mediaAt = now;
    };
  }

  /** The index in the storage. */
  async index(): Promise<RecordingIndex> {
    const path = this.#product.stored(recordingKeys.index(this.recordingId));
    return recordingIndex.parse(JSON.parse(await readFile(path, 'utf8')));
  }

  /** The gaps that a page shows. */
  async timelineGaps(): Promise<RecordingIndex['gaps']> {
    const { gaps } = await this.#chair.recordings.timeline({ params: { id: this.recordingId } });
    return gaps as RecordingIndex['gaps'];
  }

  /** The signed address of its playlist. */
  async playlist(): Promise<string> {
    const { sign } = await this.#chair.recordings.playback({ params: { id: this.recordingId } });
    const track = `${API_BASE}/recordings/${this.recordingId}/tracks/programme`;
    return `${this.#product.server.url}${track}/playlist.m3u8?sign=${sign}`;
  }

  /** Ends it. Resolves when the recording is complete. */
  async end(): Promise<void> {
    this.endedAt = Date.now();
    this.#isOver = true;
    await until('it ends', () => this.#chair.conferences.end({ params: { meetId: this.#meetId } }).then(() => true));
    await until(
      'the recording is complete',
      async () => (await this.#chair.recordings.detail({ params: { id: this.recordingId } })).state === 'ready',
      { within: 120_000, every: 500 },
    );
    this.close();
  }

  close(): void {
    this.#isOver = true;
    this.#desk.close();
    for (const person of this.#people) person.kill();
  }
}
