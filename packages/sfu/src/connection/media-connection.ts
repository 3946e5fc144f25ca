import {
  MediaSectionsRequirement,
  SessionDescription,
  StreamState,
  StreamStateInfo,
  StreamStateUpdate,
} from '@livekit/protocol';
import { readRtcp, type RtcpHandler, writeKeyframeRequest, writeNack } from '@rmeet/rtp';
import {
  hasTransportSequence,
  type LocalSide,
  type MediaSection,
  type TransportParameters,
  writeDescription,
} from '@rmeet/rtp/sdp';
import { readClientDescription } from '../sdp/description.ts';
import { receivable } from '../sdp/receivable.ts';
import { processLag } from '../bandwidth/loop-lag.ts';
import type { SubscribedStream } from '../bandwidth/subscribed-stream.ts';
import { SubscriberBandwidth } from '../bandwidth/subscriber-bandwidth.ts';
import type { PacketSink } from '../forwarding/forwarder.ts';
import { answerSection, type SectionRole } from '../sdp/answer.ts';
import { limits } from '../limits.ts';
import { candidateText, type Candidate } from '../transport/addresses.ts';
import type { MediaPort, Transport } from '../transport/transport.ts';
import type { FloodGuard } from './flood-guard.ts';
import { PathWatch } from './path-watch.ts';
import type { Publications, ReceivedSection } from '../tracks/publications.ts';
import type { SignalMessage } from '../signalling/signal.ts';
import { SectionPlan } from './section-plan.ts';
import { SubscriberOffers } from './subscriber-offers.ts';
import type { Subscription } from '../tracks/subscription.ts';
import type { Subscriptions } from '../tracks/subscriptions.ts';

/** Several changes within this time share a negotiation. */
const BATCH_MS = 5;
/** After this time a requirement counts as lost and may be sent again. */
const REQUIREMENT_TIMEOUT_MS = 3000;

export interface ConnectionHandler {
  handleConnected(): void;
  /** Nothing reaches the client any more, because its address may have changed; false: something does again. */
  handleSilence(isSilent: boolean): void;
  /** A transport is closed for good. */
  handleLost(): void;
  handleData(label: string, message: Buffer): void;
  /** The client's codecs do not cover this subscription. */
  handleUndecodable(subscription: Subscription): void;
}

export interface ConnectionOptions {
  name: string;
  /** Two peer connections (`/rtc`) instead of one (`/rtc/v1`). */
  dual: boolean;
  /** The client can restart ICE whenever it is asked to. */
  restartsIce: boolean;
  mediaPort: MediaPort;
  candidates: readonly Candidate[];
  send: (message: SignalMessage) => void;
}

/** What the engine does in a section of the client's offer. */
function roleOf(received: ReceivedSection | undefined, subscription: Subscription | undefined): SectionRole {
  const role: SectionRole = {};
  if (received) {
    const { track } = received;
    const { dtx, red, info } = received.publication;
    role.receives = { codec: track.codec, dtx, red, stereo: info.stereo };
  }
  if (subscription) role.sends = { codec: subscription.forwarder.track.codec, stream: subscription.sent };
  return role;
}

/** The peer connection of a participant, or two of them: negotiation and packet routing. */
export class MediaConnection {
  readonly #options: ConnectionOptions;
  readonly #handler: ConnectionHandler;
  readonly #publisher: Transport;
  readonly #subscriber: Transport;
  /** The bandwidth estimate of the subscriber, and its allocation. */
  readonly bandwidth: SubscriberBandwidth<SubscribedStream>;
  readonly #offers: SubscriberOffers | undefined;
  readonly #plan = new SectionPlan();
  readonly #path: PathWatch;
  #publications: Publications | undefined;
  #subscriptions: Subscriptions | undefined;
  #local: LocalSide | undefined;
  #fingerprint = '';
  #iceUfrag = '';
  #pendingUpdate: NodeJS.Timeout | undefined;
  #requiredAt = Number.NEGATIVE_INFINITY;
  #closed = false;
  /** RTP and RTCP received since the last `checkReceived`. */
  #packets = 0;
  #bytes = 0;

  constructor(options: ConnectionOptions, handler: ConnectionHandler) {
    this.#options = options;
    this.#handler = handler;
    this.#publisher = this.#createTransport('publisher', !options.dual);
    this.#subscriber = options.dual ? this.#createTransport('subscriber', true) : this.#publisher;
    this.bandwidth = new SubscriberBandwidth(this.#subscriber, processLag(), {
      streams: () => this.#subscriptions?.streams ?? [],
      handlePauses: (streams) => this.#notifyPauses(streams),
    });
    this.#path = new PathWatch(this.bandwidth);
    if (options.dual)
      this.#offers = new SubscriberOffers(this.#subscriber, options.candidates, options.send, () =>
        this.bandwidth.negotiated(),
      );
  }

  /** Where subscribed media goes. */
  get sink(): PacketSink {
    return this.bandwidth;
  }

  /** Must be called before anything else. */
  attach(publications: Publications, subscriptions: Subscriptions): void {
    this.#publications = publications;
    this.#subscriptions = subscriptions;
  }

  /** The client's offer of its publishing (or only) peer connection. @throws SdpError */
  handleOffer(message: SessionDescription): void {
    const offer = readClientDescription(message.sdp);
    const local = this.#followPeer(offer.peer);
    if (!local) {
      this.#handler.handleLost();
      return;
    }
    const received = this.#publications!.handleSections(offer.sections);
    const carried: ReadonlyMap<string, Subscription> = this.#offers
      ? new Map()
      : this.#plan.assign(offer.sections, this.#subscriptions!.all);
    const sections = offer.sections.map((section) =>
      answerSection(section, roleOf(received.get(section.mid), carried.get(section.mid))),
    );
    const midToTrackId: Record<string, string> = {};
    for (const [mid, { publication }] of received) midToTrackId[mid] = publication.sid;
    for (const [mid, subscription] of carried) {
      midToTrackId[mid] = subscription.publication.sid;
      subscription.mid = mid;
    }
    const sdp = writeDescription(local, sections);
    this.#options.send({
      case: 'answer',
      value: new SessionDescription({ type: 'answer', sdp, id: message.id, midToTrackId }),
    });
    if (!this.#offers && offer.sections.some(hasTransportSequence)) this.bandwidth.negotiated();
    for (const section of offer.sections) {
      const subscription = carried.get(section.mid);
      if (subscription) this.#startSending(section, subscription);
    }
    this.#requiredAt = Number.NEGATIVE_INFINITY;
    if (!this.#offers) this.update();
  }

  /**
   * The local side for an answer to this peer; undefined if the connection cannot follow the peer: it has a new peer
   * connection, or a new address.
   */
  #followPeer(peer: TransportParameters): LocalSide | undefined {
    const { fingerprint, iceUfrag } = peer;
    const isRestart = this.#iceUfrag !== '' && iceUfrag !== this.#iceUfrag;
    if (this.#local && fingerprint !== this.#fingerprint) return undefined;
    if (isRestart && !this.#publisher.restart && this.#path.isDeadAtRestart(performance.now())) return undefined;
    this.#fingerprint = fingerprint;
    this.#iceUfrag = iceUfrag;
    // libdatachannel answers an ICE restart with the existing credentials: media continues while the old path works.
    if (isRestart && this.#local && this.#publisher.restart) this.#local.parameters = this.#publisher.restart(peer);
    this.#local ??= {
      parameters: this.#publisher.accept(peer),
      candidates: this.#options.candidates.map(candidateText),
      sessionId: Date.now(),
      sessionVersion: 0,
      maxMessageBytes: limits.dataMessageBytes,
    };
    this.#local.sessionVersion += 1;
    return this.#local;
  }

  /** The client's answer to an offer of the subscribing peer connection. Throws SdpError. */
  handleAnswer(message: SessionDescription): void {
    const refused = this.#offers?.handleAnswer(message, this.#subscriptions!.all) ?? [];
    for (const subscription of refused) this.#handler.handleUndecodable(subscription);
  }

  /** Subscriptions have changed: negotiates soon, once for all changes. */
  update(): void {
    this.#pendingUpdate ??= setTimeout(() => {
      this.#pendingUpdate = undefined;
      if (!this.#closed) this.#negotiate();
    }, BATCH_MS);
  }

  /** Signalling was resumed: restarts a pending negotiation. */
  resumed(): void {
    this.#requiredAt = Number.NEGATIVE_INFINITY;
    if (this.#offers) this.#offers.resumed(this.#subscriptions!.all);
    else this.update();
  }

  requestKeyframe(ssrc: number): void {
    this.#publisher.send(writeKeyframeRequest(ssrc));
  }

  requestPackets(ssrc: number, sequenceNumbers: number[]): void {
    this.#publisher.send(writeNack(ssrc, sequenceNumbers));
  }

  /**
   * Every 50 ms: sends transport-wide feedback to the publisher when it is due, and allocates the subscriber's
   * bandwidth.
   */
  tick(nowMs: number): void {
    const feedback = this.#publications!.arrivalFeedback(nowMs);
    if (feedback) this.#publisher.send(feedback);
    this.bandwidth.tick(nowMs);
    if (this.#restartsIce && this.#path.fallsSilent(nowMs)) this.#restartPath();
  }

  get #restartsIce(): boolean {
    return this.#options.restartsIce && this.#subscriber.restart !== undefined;
  }

  /** Has the client send checks from where it is now: with two peer connections by an offer, with one by itself. */
  #restartPath(): void {
    this.#offers?.restartIce(this.#subscriptions!.all);
    this.#handler.handleSilence(true);
  }

  /** Whether the client is connected but receives nothing any more, so that it has to reconnect. */
  isDead(nowMs: number): boolean {
    // a transport that can restart also follows the peer's address
    return !this.#publisher.restart && this.#path.isDead(nowMs);
  }

  /** Once a second: sends receiver reports to the publisher. */
  sendReports(nowMs: number): void {
    if (!this.#publisher.connected) return;
    for (const report of this.#publications!.reports(nowMs)) this.#publisher.send(report);
  }

  /** Every 50 ms: checks the client's rates of packets and bytes. */
  checkReceived(guard: FloodGuard, nowMs: number): void {
    const [packets, bytes] = [this.#packets, this.#bytes];
    this.#packets = 0;
    this.#bytes = 0;
    if (packets > 0) this.#path.heard(nowMs);
    if (guard.allows('mediaPackets', packets, nowMs)) guard.allows('mediaBytes', bytes, nowMs);
  }

  sendData(label: string, message: Uint8Array): 'sent' | 'dropped' | 'overflow' {
    return this.#subscriber.sendData(label, message);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#pendingUpdate);
    this.bandwidth.close();
    this.#publisher.close();
    this.#subscriber.close();
  }

  #createTransport(role: string, primary: boolean): Transport {
    const rtcp: RtcpHandler = {
      handleSenderReport: (report) => this.#publications?.handleSenderReport(report),
      handleReportBlock: (block) => {
        this.#path.handleReport(block.ssrc, block.highestSequence, performance.now());
        this.#subscriptions?.handleReportBlock(block);
      },
      handleNack: (ssrc, sequenceNumbers) => this.#subscriptions?.handleNack(ssrc, sequenceNumbers),
      handleKeyframeRequest: (ssrc) => this.#subscriptions?.handleKeyframeRequest(ssrc),
      handleBandwidthEstimate: (bitrate) => this.bandwidth.handleReceiverEstimate(bitrate),
      handleTransportFeedback: (buffer, start, end) => {
        if (this.#path.handleFeedback(performance.now())) this.#handler.handleSilence(false);
        this.bandwidth.handleFeedback(buffer, start, end);
      },
    };
    return this.#options.mediaPort.create(`${this.#options.name}/${role}`, {
      handleConnected: () => {
        if (!primary) return;
        this.#subscriptions?.restart();
        this.#handler.handleConnected();
      },
      handleMoved: () => {
        if (!primary) return;
        this.bandwidth.moved();
        this.#subscriptions?.requestKeyframes(performance.now());
      },
      handleClosed: () => {
        if (!this.#closed) this.#handler.handleLost();
      },
      handleRtp: (packet) => {
        this.#packets += 1;
        this.#bytes += packet.length;
        this.#publications?.handleRtp(packet);
      },
      handleRtcp: (packet) => {
        this.#packets += 1;
        this.#bytes += packet.length;
        readRtcp(packet, rtcp);
      },
      handleData: (label, message) => this.#handler.handleData(label, message),
    });
  }

  #notifyPauses(streams: readonly SubscribedStream[]): void {
    const streamStates = streams.map(
      ({ publisherSid, trackSid, paused }) =>
        new StreamStateInfo({
          participantSid: publisherSid,
          trackSid,
          state: paused ? StreamState.PAUSED : StreamState.ACTIVE,
        }),
    );
    this.#options.send({ case: 'streamStateUpdate', value: new StreamStateUpdate({ streamStates }) });
  }

  #negotiate(): void {
    const subscriptions = this.#subscriptions!.all;
    if (this.#offers) {
      this.#offers.update(subscriptions);
      return;
    }
    // before the first offer there is nothing to renegotiate: it will include all subscriptions
    if (!this.#local || !this.#plan.isStale(subscriptions)) return;
    const now = performance.now();
    if (now - this.#requiredAt < REQUIREMENT_TIMEOUT_MS) return;
    this.#requiredAt = now;
    const { audios, videos } = this.#plan.needed(subscriptions);
    this.#options.send({
      case: 'mediaSectionsRequirement',
      value: new MediaSectionsRequirement({ numAudios: audios, numVideos: videos }),
    });
  }

  #startSending(section: MediaSection, subscription: Subscription): void {
    if (!subscription.negotiated(receivable(section))) this.#handler.handleUndecodable(subscription);
  }
}
