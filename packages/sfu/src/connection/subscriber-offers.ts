import { SessionDescription, SignalTarget, TrickleRequest } from '@livekit/protocol';
import {
  extensionUris,
  hasTransportSequence,
  type HeaderExtension,
  type LocalSide,
  writeDescription,
  type WrittenFormat,
  type WrittenSection,
} from '@rmeet/rtp/sdp';
import { candidateText } from '../transport/addresses.ts';
import { limits } from '../limits.ts';
import { feedbackTypes } from '../sdp/answer.ts';
import { readClientDescription } from '../sdp/description.ts';
import { receivable } from '../sdp/receivable.ts';
import type { Transport } from '../transport/transport.ts';
import type { Candidate } from '../transport/addresses.ts';
import type { SignalMessage } from '../signalling/signal.ts';
import type { Subscription } from '../tracks/subscription.ts';

const audioFormats: WrittenFormat[] = [
  {
    payloadType: 111,
    codec: 'opus',
    name: 'opus',
    clockRate: 48_000,
    channels: 2,
    parameters: 'minptime=10;useinbandfec=1',
  },
  { payloadType: 63, name: 'red', clockRate: 48_000, channels: 2, parameters: '111/111' },
];
const h264Parameters = 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f';
/** Clients decode stereo only if the offer announces it. */
const stereoFormats = audioFormats.map((format) =>
  format.codec ? { ...format, parameters: `${format.parameters};sprop-stereo=1` } : format,
);
const mediaFormats = [
  { payloadType: 96, codec: 'vp8', name: 'VP8', clockRate: 90_000, channels: undefined, parameters: '' },
  { payloadType: 98, codec: 'vp9', name: 'VP9', clockRate: 90_000, channels: undefined, parameters: 'profile-id=0' },
  { payloadType: 102, codec: 'h264', name: 'H264', clockRate: 90_000, channels: undefined, parameters: h264Parameters },
  { payloadType: 45, codec: 'av1', name: 'AV1', clockRate: 90_000, channels: undefined, parameters: '' },
] as const;
/** Each with retransmissions (RFC 4588). */
const videoFormats = mediaFormats.flatMap((format): WrittenFormat[] => [
  format,
  {
    payloadType: format.payloadType + 1,
    name: 'rtx',
    clockRate: 90_000,
    channels: undefined,
    parameters: `apt=${format.payloadType}`,
  },
]);
const extensions: HeaderExtension[] = [
  { id: 3, uri: extensionUris.transportSequence },
  { id: 4, uri: extensionUris.sendTime },
];
const videoExtensions: HeaderExtension[] = [...extensions, { id: 12, uri: extensionUris.dependencyDescriptor }];

/** One media section of the offer, by its place. Without a subscription it is rejected (port 0). */
interface Slot {
  mid: string;
  video: boolean;
  subscription: Subscription | undefined;
}

/** The receiving half of a client with two peer connections (`/rtc`): the server offers, the client answers. */
export class SubscriberOffers {
  readonly #transport: Transport;
  readonly #candidates: readonly Candidate[];
  readonly #send: (message: SignalMessage) => void;
  /** The client supports transport-wide sequence numbers. */
  readonly #handleNumbered: () => void;
  readonly #slots: Slot[] = [];
  #local: LocalSide | undefined;
  #connecting = false;
  /** The next answer is that to an ICE restart. */
  #restarting = false;
  #offerId = 0;
  #mids = 0;
  #pending = false;
  #again = false;

  constructor(
    transport: Transport,
    candidates: readonly Candidate[],
    send: (message: SignalMessage) => void,
    handleNumbered: () => void,
  ) {
    this.#transport = transport;
    this.#candidates = candidates;
    this.#send = send;
    this.#handleNumbered = handleNumbered;
  }

  /** Offers the current subscriptions, after the answer to a pending offer. */
  update(subscriptions: readonly Subscription[]): void {
    if (this.#pending) {
      this.#again = true;
      return;
    }
    this.#place(subscriptions);
    this.#offer();
  }

  /** Signalling was resumed: a pending offer or answer is lost. */
  resumed(subscriptions: readonly Subscription[]): void {
    this.#pending = false;
    // a client that resumes restarts ICE of both its connections, this one by the next offer
    if (!this.restartIce(subscriptions)) this.update(subscriptions);
  }

  /** Has the client restart ICE by an offer. Returns false if that is not possible now. */
  restartIce(subscriptions: readonly Subscription[]): boolean {
    if (!this.#local || !this.#connecting || this.#pending || !this.#transport.restart) return false;
    this.#local.parameters = { ...this.#transport.restart(), setup: 'actpass' };
    this.#restarting = true;
    this.update(subscriptions);
    return true;
  }

  /** Applies the answer. Returns the subscriptions that the client cannot decode. @throws SdpError */
  handleAnswer(message: SessionDescription, subscriptions: readonly Subscription[]): Subscription[] {
    if (!this.#pending || (message.id !== 0 && message.id !== this.#offerId)) return [];
    const answer = readClientDescription(message.sdp);
    this.#pending = false;
    if (!this.#connecting || this.#restarting) this.#transport.complete(answer.peer);
    this.#restarting = false;
    if (!this.#connecting) {
      this.#connecting = true;
      this.#sendCandidates();
    }
    if (answer.sections.some(hasTransportSequence)) this.#handleNumbered();
    const refused: Subscription[] = [];
    for (const section of answer.sections) {
      const subscription = this.#slots.find((slot) => slot.mid === section.mid)?.subscription;
      if (!subscription) continue;
      const accepted = section.alive && section.direction !== 'inactive';
      if (!subscription.negotiated(accepted ? receivable(section) : undefined)) refused.push(subscription);
    }
    if (this.#again) {
      this.#again = false;
      this.update(subscriptions);
    }
    return refused;
  }

  /**
   * Candidates are sent only now: libdatachannel accepts connections before it knows the client's fingerprint and then
   * rejects its certificate, so a client faster than its own answer would fail.
   */
  #sendCandidates(): void {
    if (this.#local) this.#local.candidates = this.#candidates.map(candidateText);
    for (const [index, candidate] of this.#candidates.entries()) {
      const candidateInit = JSON.stringify({
        candidate: candidateText(candidate, index),
        sdpMid: '0',
        sdpMLineIndex: 0,
      });
      this.#send({ case: 'trickle', value: new TrickleRequest({ candidateInit, target: SignalTarget.SUBSCRIBER }) });
    }
  }

  #place(subscriptions: readonly Subscription[]): void {
    const live = new Set(subscriptions);
    // A section is refused for one round and then taken again under a new mid (RFC 8829 section 5.2.2):
    // only so do browsers make a new track, whose id tells clients what they receive.
    const ended = new Set(this.#slots.filter((slot) => slot.subscription && !live.has(slot.subscription)));
    for (const slot of ended) slot.subscription = undefined;
    const placed = new Set(this.#slots.map((slot) => slot.subscription));
    for (const subscription of subscriptions) {
      if (placed.has(subscription)) continue;
      const video = subscription.publication.isVideo;
      let slot = this.#slots.find(
        (candidate) => candidate.video === video && !candidate.subscription && !ended.has(candidate),
      );
      if (!slot) {
        slot = { mid: '', video, subscription: undefined };
        this.#slots.push(slot);
      }
      this.#mids += 1;
      slot.mid = String(this.#mids);
      slot.subscription = subscription;
      subscription.mid = slot.mid;
    }
  }

  #offer(): void {
    this.#local ??= {
      parameters: { ...this.#transport.offer(), setup: 'actpass' },
      candidates: [],
      sessionId: Date.now(),
      sessionVersion: 0,
      maxMessageBytes: limits.dataMessageBytes,
    };
    this.#local.sessionVersion += 1;
    const data: WrittenSection = {
      mid: '0',
      kind: 'application',
      protocol: '',
      direction: undefined,
      formats: [],
      feedback: [],
      extensions: [],
    };
    const media = this.#slots.map(({ mid, video, subscription }): WrittenSection => ({
      mid,
      kind: video ? 'video' : 'audio',
      protocol: 'UDP/TLS/RTP/SAVPF',
      direction: subscription ? 'sendonly' : undefined,
      formats: video ? videoFormats : subscription?.publication.info.stereo === true ? stereoFormats : audioFormats,
      feedback: feedbackTypes(video ? 'video' : 'audio', extensions),
      extensions: video ? videoExtensions : extensions,
      sent: subscription?.sent,
    }));
    const pairs = this.#slots.flatMap((slot) =>
      slot.subscription ? [[slot.mid, slot.subscription.publication.sid]] : [],
    );
    this.#pending = true;
    this.#offerId += 1;
    const value = new SessionDescription({
      type: 'offer',
      sdp: writeDescription(this.#local, [data, ...media]),
      id: this.#offerId,
      midToTrackId: Object.fromEntries(pairs) as Record<string, string>,
    });
    this.#send({ case: 'offer', value });
  }
}
