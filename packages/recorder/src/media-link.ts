import { EventEmitter } from 'node:events';
import { Participant, type RemoteTrack } from '@rmeet/participant';

export interface MediaLinkOptions {
  /** A token that sees and hears and is not seen. */
  join: () => Promise<{ url: string; token: string }>;
  insecure: boolean;
  log: (line: string) => void;
}

interface MediaLinkEvents {
  track: [RemoteTrack];
  trackGone: [RemoteTrack];
  /** Somebody's tracks changed. */
  changed: [];
  /** Identities of those who speak. */
  speakers: [string[]];
}

/** The first attempt to connect again is made at once, the others after this time: a gap lasts as long as they fail. */
const RETRY_MS = 300;
/** Media that came within this time before the connection broke was flowing, ms: silence has a packet every 400 ms. */
const FLOWING_MS = 1_000;

/** The connection to the media engine, which joins again by itself. */
export class MediaLink extends EventEmitter<MediaLinkEvents> {
  #options: MediaLinkOptions;
  #participant: Participant | undefined;
  #isClosed = false;
  #packetAt = Number.NEGATIVE_INFINITY;
  /** When the connection broke, ms of `performance.now()`; undefined while it stands. */
  #brokenAt: number | undefined;

  private constructor(options: MediaLinkOptions) {
    super();
    this.#options = options;
  }

  /** Joins with the listeners that `attach` adds. @throws Error if the engine cannot be joined */
  static async open(options: MediaLinkOptions, attach: (link: MediaLink) => void): Promise<MediaLink> {
    const link = new MediaLink(options);
    attach(link);
    await link.#join();
    return link;
  }

  get participant(): Participant | undefined {
    return this.#participant;
  }

  /** A packet of media came. */
  notePacket(): void {
    this.#packetAt = performance.now();
  }

  /** Since when media that was flowing no longer comes; undefined if the connection stands, or nothing was sent. */
  get lostSince(): number | undefined {
    if (this.#brokenAt === undefined || this.#packetAt < this.#brokenAt - FLOWING_MS) return undefined;
    return this.#packetAt;
  }

  async #join(): Promise<void> {
    const participant = await Participant.connect({
      ...(await this.#options.join()),
      reconnect: true,
      longestWait: RETRY_MS,
      askAgain: true,
      ...(this.#options.insecure ? { insecure: true } : {}),
    });
    if (this.#isClosed) {
      participant.leave();
      return;
    }
    this.#participant = participant;
    this.#brokenAt = undefined;
    participant.on('track', (track) => this.emit('track', track));
    participant.on('trackGone', (track) => this.emit('trackGone', track));
    participant.on('participant', () => this.emit('changed'));
    participant.on('speakers', (speakers) => this.#sayWhoSpeaks(speakers));
    participant.on('reconnecting', () => {
      this.#brokenAt ??= performance.now();
    });
    participant.on('reconnected', () => {
      this.#brokenAt = undefined;
    });
    participant.on('left', ({ reason }) => void this.#comeBack(participant, reason));
    // The engine has told of these while it was joined.
    for (const track of participant.tracks.values()) this.emit('track', track);
    this.#sayWhoSpeaks(participant.speakers);
  }

  #sayWhoSpeaks(speakers: Participant['speakers']): void {
    this.emit(
      'speakers',
      speakers.map(({ identity }) => identity),
    );
  }

  async #comeBack(gone: Participant, reason: string): Promise<void> {
    this.#brokenAt ??= performance.now();
    for (const track of gone.tracks.values()) this.emit('trackGone', track);
    for (let delay = 0; !this.#isClosed; delay = RETRY_MS) {
      this.#options.log(`The media connection is lost (${reason}); connecting again.`);
      await new Promise((resolve) => setTimeout(resolve, delay));
      try {
        if (!this.#isClosed) await this.#join();
        return;
      } catch (error) {
        this.#options.log(String(error));
      }
    }
  }

  close(): void {
    this.#isClosed = true;
    if (this.#participant?.ended === false) this.#participant.leave();
  }
}
