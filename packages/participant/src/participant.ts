import { EventEmitter } from 'node:events';
import {
  DisconnectReason,
  LeaveRequest_Action,
  SignalTarget,
  VideoQuality,
  type JoinResponse,
  type LeaveRequest,
  type ParticipantInfo,
  type SessionDescription,
} from '@livekit/protocol';
import { readData } from './data.ts';
import type { LocalTrack } from './local-track.ts';
import type { ConnectOptions, Left, ParticipantEvents } from './participant-types.ts';
import {
  audioPublication,
  describeTrack,
  rawPublication,
  videoPublication,
  type AudioOptions,
  type Publication,
  type RawOptions,
  type VideoOptions,
} from './publication.ts';
import { Publisher, PublishRefused } from './publisher.ts';
import { RemoteTrack } from './remote-track.ts';
import { Roster } from './roster.ts';
import { Signal, SignalError, type Response } from './signal.ts';
import { IceRestart, Subscriber } from './subscriber.ts';

const LAST_WORD_MS = 300;
const RETRIES_MS = [0, 200, 400, 800, 1_600, 3_000, 3_000, 3_000];
const RETRIED_FOR_MS = RETRIES_MS.reduce((sum, delay) => sum + delay);

/** The waits before attempts to reconnect; with a longest one, more of them within the same time. */
function delaysOf(longest: number | undefined): number[] {
  if (longest === undefined) return RETRIES_MS;
  return [0, ...Array.from({ length: Math.ceil(RETRIED_FOR_MS / longest) }, () => longest)];
}

/**
 * One terminal of a conference without a browser: publishes prepared clips, receives and counts packets, sends and
 * receives data. Uses LiveKit's signalling over /rtc with two peer connections, for LiveKit's own server and for the
 * embedded engine. Once one was created, node-datachannel keeps the process running: a finished program must end itself
 * with `process.exit`.
 */
export class Participant extends EventEmitter<ParticipantEvents> {
  /** Tracks received, by sid. */
  readonly tracks = new Map<string, RemoteTrack>();
  #publications: Publication[] = [];
  #options: ConnectOptions;
  #signal!: Signal;
  #join!: JoinResponse;
  #roster = new Roster();
  #publisher: Publisher | undefined;
  #subscriber!: Subscriber;
  #left: Left | undefined;
  #ended = false;
  #recovering = false;

  private constructor(options: ConnectOptions) {
    super();
    this.#options = { ...options };
  }

  /** Joins. Resolves when media and data can be received. @throws SignalError with the HTTP status if refused. */
  static async connect(options: ConnectOptions): Promise<Participant> {
    const participant = new Participant(options);
    try {
      await participant.#enter();
    } catch (error) {
      participant.raw.kill();
      throw error;
    }
    return participant;
  }

  get identity(): string {
    return this.#join.participant?.identity ?? '';
  }

  get sid(): string {
    return this.#join.participant?.sid ?? '';
  }

  /** The server's unchanged join response. */
  get joinResponse(): JoinResponse {
    return this.#join;
  }

  /** The server's latest information about this participant. */
  get self(): ParticipantInfo {
    return this.#roster.self;
  }

  /** The room's metadata as last received from the server. */
  get metadata(): string {
    return this.#roster.metadata;
  }

  /** Everyone else, by identity. */
  get participants(): ReadonlyMap<string, ParticipantInfo> {
    return this.#roster.participants;
  }

  /** The active speakers, loudest first: as of the last `speakers`, which may have come before there was a listener. */
  get speakers(): { identity: string; level: number }[] {
    return this.#roster.speaking([]);
  }

  /** The published tracks with their requests. */
  get publications(): readonly Publication[] {
    return this.#publications;
  }

  /** Tracks sent, in the order of publishing. */
  get published(): LocalTrack[] {
    return this.#publications.map(({ track }) => track);
  }

  /** Whether the session has ended for good. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Publishes a prepared video. Resolves when it is being sent. @throws PublishRefused, like the others */
  publishVideo(options: VideoOptions = {}): Promise<LocalTrack> {
    return this.publish(videoPublication(options));
  }

  /** Publishes a tone, or silence. */
  publishAudio(options: AudioOptions = {}): Promise<LocalTrack> {
    return this.publish(audioPublication(options));
  }

  /** Publishes packets that look like VP8 and cannot be displayed, for measurements. */
  publishRaw(options: RawOptions): Promise<LocalTrack> {
    return this.publish(rawPublication(options));
  }

  async publish(publication: Publication): Promise<LocalTrack> {
    this.#publications.push(publication);
    try {
      await this.#publisherNow().publish(publication.track, publication.request);
    } catch (error) {
      if (error instanceof PublishRefused)
        this.#publications = this.#publications.filter((other) => other !== publication);
      throw error;
    }
    return publication.track;
  }

  async unpublish(track: LocalTrack): Promise<void> {
    this.#publications = this.#publications.filter((publication) => publication.track !== track);
    await this.#publisher?.unpublish(track);
  }

  /** Stops or starts a sent track, and announces it. */
  mute(track: LocalTrack, muted: boolean): void {
    track.muted = muted;
    this.#signal.send({ case: 'mute', value: { sid: track.sid, muted } });
  }

  /** Subscribes to tracks, or unsubscribes from them. */
  setSubscribed(sids: readonly string[], subscribe: boolean): void {
    this.#signal.send({ case: 'subscription', value: { trackSids: [...sids], subscribe } });
  }

  /** Which simulcast layer of tracks to send here, or that they are not visible now. */
  setTrackSettings(
    sids: readonly string[],
    settings: { quality?: 'LOW' | 'MEDIUM' | 'HIGH'; width?: number; height?: number; disabled?: boolean },
  ): void {
    const { quality = 'HIGH', ...others } = settings;
    this.#signal.send({
      case: 'trackSetting',
      value: { trackSids: [...sids], quality: VideoQuality[quality], ...others },
    });
  }

  /** Sends data to everyone, or to the identities in `to`. Reliable by default. */
  async sendData(
    payload: Uint8Array | string,
    options: { reliable?: boolean; topic?: string; to?: readonly string[] } = {},
  ): Promise<void> {
    const bytes = typeof payload === 'string' ? new TextEncoder().encode(payload) : payload;
    await this.#publisherNow().sendData(bytes, {
      reliable: options.reliable ?? true,
      topic: options.topic,
      to: options.to ?? [],
    });
  }

  /** Announces the leave and closes the connections. */
  leave(): void {
    this.#signal.send({
      case: 'leave',
      value: { reason: DisconnectReason.CLIENT_INITIATED, action: LeaveRequest_Action.DISCONNECT },
    });
    this.#finish({ reason: 'LEFT', action: undefined });
  }

  /** The underlying connections, for tests that break them. */
  readonly raw = {
    /**
     * Drops signalling and media without a LiveKit message. DTLS still closes properly; for a silent failure, kill the
     * process.
     */
    kill: (): void => {
      this.#ended = true;
      // Neither exists yet if joining failed.
      this.#signal?.kill();
      this.#publisher?.close();
      this.#subscriber?.close();
    },
    /** Breaks only the signalling connection. */
    dropSignal: (): void => this.#signal.kill(),
    /** Received packets that belonged to no track. */
    unknownPackets: (): number => this.#subscriber.unknownPackets,
  };

  #publisherNow(): Publisher {
    if (this.#publisher) return this.#publisher;
    const publisher = new Publisher(this.#signal, this.identity, this.#options);
    publisher.transport.on('failed', () => void this.#broken(() => this.#publisher === publisher, 'media'));
    this.#publisher = publisher;
    return publisher;
  }

  async #enter(): Promise<void> {
    const signal = await this.#open();
    this.#signal = signal;
    this.#join = await signal.next('join');
    this.#roster.begin(this.#join);
    this.#subscriber?.close();
    this.#publisher?.close();
    this.#publisher = undefined;
    for (const track of this.tracks.values()) this.emit('trackGone', track);
    this.tracks.clear();
    const subscriber = new Subscriber(this.identity, this.#options);
    subscriber.transport.on('failed', () => void this.#broken(() => this.#subscriber === subscriber, 'media'));
    subscriber.transport.on('data', (_label, message) => readData(message, (data) => this.emit('data', data)));
    this.#subscriber = subscriber;
    this.#updateParticipants(this.#join.otherParticipants);
    this.#attach(signal);
    if (!this.#join.subscriberPrimary) return;
    await this.#subscriber.ready().catch((error: unknown) => {
      throw this.#left ? new Error(`sent away while joining: ${this.#left.reason}`) : error;
    });
  }

  #open(resume?: string): Promise<Signal> {
    const { url, token, autoSubscribe = true, insecure = false } = this.#options;
    return Signal.open({ url, token, autoSubscribe, insecure, ...(resume === undefined ? {} : { resume }) });
  }

  #attach(signal: Signal): void {
    signal.startPing(this.#join.pingInterval);
    signal.on('message', (message) => this.#onSignal(signal, message));
    signal.on('closed', () => void this.#broken(() => this.#signal === signal, 'signal'));
  }

  // oxlint-disable-next-line complexity -- a flat switch over message kinds
  #onSignal(signal: Signal, message: Response): void {
    switch (message.case) {
      case 'offer':
        void this.#answer(signal, message.value);
        break;
      case 'trickle': {
        const { candidate } = JSON.parse(message.value.candidateInit) as { candidate: string };
        (message.value.target === SignalTarget.PUBLISHER ? this.#publisher : this.#subscriber)?.addCandidate(candidate);
        break;
      }
      case 'update':
        this.#updateParticipants(message.value.participants);
        break;
      case 'speakersChanged':
        this.emit('speakers', this.#roster.speaking(message.value.speakers));
        break;
      case 'mute': {
        const { sid, muted } = message.value;
        if (this.#options.obeys ?? true) for (const track of this.published) if (track.sid === sid) track.muted = muted;
        this.emit('muted', { sid, muted });
        break;
      }
      case 'trackUnpublished':
        this.#takenOff(this.published.find((track) => track.sid === message.value.trackSid));
        break;
      case 'roomUpdate':
        this.#roster.metadata = message.value.room?.metadata ?? '';
        this.emit('metadata', this.metadata);
        break;
      case 'refreshToken':
        this.#options.token = message.value;
        break;
      case 'leave':
        void this.#onLeave(message.value);
        break;
      default:
    }
  }

  /** The server unpublished a track. */
  #takenOff(track: LocalTrack | undefined): void {
    if (!track) return;
    if (this.#options.obeys ?? true) {
      // A connection that broke meanwhile is handled elsewhere.
      this.unpublish(track).catch(() => undefined);
    }
    this.emit('withdrawn', track);
  }

  async #answer(signal: Signal, offer: SessionDescription): Promise<void> {
    try {
      const sdp = await this.#subscriber.accept(offer);
      this.#bindTracks();
      signal.send({ case: 'answer', value: { type: 'answer', sdp, id: offer.id } });
      await signal.roundTrip();
      this.#subscriber.handleAnswered();
    } catch (error) {
      // A connection that closed meanwhile is handled elsewhere.
      if (this.#ended || !signal.open) return;
      if (!(error instanceof IceRestart)) throw error;
      await this.#broken(() => this.#signal === signal, 'media');
    }
  }

  #bindTracks(): void {
    const offered = this.#subscriber.bindTracks((sid) => this.#track(sid));
    for (const [sid, track] of this.tracks) {
      if (offered.has(sid)) continue;
      this.tracks.delete(sid);
      this.emit('trackGone', track);
    }
  }

  /** The received track of a sid, created on first use. */
  #track(sid: string): RemoteTrack | undefined {
    const known = this.tracks.get(sid);
    if (known) return known;
    const found = this.#roster.track(sid);
    if (!found) return undefined;
    const track = new RemoteTrack(
      describeTrack(found.info, found.publisher),
      (packet) => this.#subscriber.transport.send(packet),
      this.#options.askAgain ?? false,
    );
    this.tracks.set(sid, track);
    this.emit('track', track);
    return track;
  }

  #updateParticipants(updated: readonly ParticipantInfo[]): void {
    const { self, there, gone } = this.#roster.update(updated);
    if (self) this.emit('self', self);
    for (const info of gone) this.emit('participantGone', info);
    for (const info of there) {
      for (const { sid, muted } of info.tracks) {
        const track = this.tracks.get(sid);
        if (track) track.muted = muted;
      }
      this.emit('participant', info);
    }
    this.#bindTracks();
  }

  /** The server requests to leave, resume or join again (livekit.LeaveRequest). */
  async #onLeave(leave: LeaveRequest): Promise<void> {
    if (leave.action === LeaveRequest_Action.DISCONNECT || !this.#options.reconnect) {
      this.#finish({
        reason: DisconnectReason[leave.reason] as Left['reason'],
        action: LeaveRequest_Action[leave.action] as keyof typeof LeaveRequest_Action,
      });
      return;
    }
    await this.#recover(leave.action === LeaveRequest_Action.RESUME);
  }

  /** A connection broke; `current` returns whether it is still the one in use. */
  async #broken(current: () => boolean, what: 'signal' | 'media'): Promise<void> {
    // A server that removes a participant may close media first; its reason follows.
    if (what === 'media') await new Promise((resolve) => setTimeout(resolve, LAST_WORD_MS));
    if (this.#ended || !current() || this.#recovering) return;
    if (this.#options.reconnect) await this.#recover(what === 'signal');
    else this.#finish({ reason: 'CONNECTION_LOST', action: undefined });
  }

  async #recover(resume: boolean): Promise<void> {
    if (this.#recovering || this.#ended) return;
    this.#recovering = true;
    this.emit('reconnecting');
    this.#signal.kill();
    let resumable = resume;
    for (const delay of delaysOf(this.#options.longestWait)) {
      await new Promise((resolve) => setTimeout(resolve, delay));
      if (this.#ended) return;
      try {
        resumable = resumable && (await this.#resume());
        if (!resumable) await this.#rejoin();
        this.#recovering = false;
        // Left meanwhile: closes the new connections.
        if (this.ended) {
          this.raw.kill();
          return;
        }
        this.emit('reconnected', resumable ? 'resumed' : 'rejoined');
        return;
      } catch (error) {
        // Permanently refused: the token is no longer valid.
        if (error instanceof SignalError && (error.status === 401 || error.status === 403)) break;
      }
    }
    this.#recovering = false;
    this.#finish({ reason: 'CONNECTION_LOST', action: undefined });
  }

  /** Resumes the session on a new signalling connection; false if the server no longer has it. */
  async #resume(): Promise<boolean> {
    const signal = await this.#open(this.sid);
    const response = await signal.next('reconnect').catch(() => undefined);
    if (!response) {
      signal.kill();
      return false;
    }
    this.#signal = signal;
    if (this.#publisher) this.#publisher.signal = signal;
    this.#attach(signal);
    signal.send({
      case: 'syncState',
      value: {
        publishTracks: this.published.flatMap((track) => (track.info ? [{ cid: track.cid, track: track.info }] : [])),
      },
    });
    return true;
  }

  async #rejoin(): Promise<void> {
    await this.#enter();
    for (const { track, request } of this.#publications) {
      try {
        await this.#publisherNow().publish(track, { ...request, muted: track.muted });
      } catch (error) {
        if (!(error instanceof PublishRefused)) throw error;
        this.#takenOff(track);
      }
    }
  }

  #finish(left: Left): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#left = left;
    this.#signal.close();
    this.#publisher?.close();
    this.#subscriber.close();
    this.emit('left', left);
  }
}
