import type { SessionDescription } from '@livekit/protocol';
import {
  ArrivalLog,
  MAX_REPORT_BLOCKS,
  readRtcp,
  RtpPacket,
  unwrapRtx,
  writeReceiverReport,
  type ReportBlock,
} from '@rmeet/rtp';
import { readCandidates, readDescription } from '@rmeet/rtp/sdp';
import { LOSSY, RELIABLE } from './publisher.ts';
import type { RemoteTrack } from './remote-track.ts';
import { negotiatedId, receivedSections, subscriberAnswer } from './sdp.ts';
import type { ReceivedSection, TransportDescription } from './sdp.ts';
import { Transport, type TransportOptions } from './transport.ts';
import { schedule } from './wheel.ts';

const REPORT_INTERVAL = 1_000;
/** Interval of transport-wide feedback, ms; browsers use 50 to 250 ms. */
const FEEDBACK_INTERVAL = 100;

/** The server requests an ICE restart, which libdatachannel does not support: the participant has to join again. */
export class IceRestart extends Error {
  constructor() {
    super('the server restarts ICE');
    this.name = 'IceRestart';
  }
}

/** The server's offer: its text, and which track each section carries. */
type Offer = Pick<SessionDescription, 'sdp' | 'midToTrackId'>;

/** The connection the server offers: what this side receives. */
export class Subscriber {
  readonly transport: Transport;
  #own: TransportDescription | undefined;
  #remoteUfrag: string | undefined;
  #version = 0;
  readonly #packet = new RtpPacket();
  /** Ids of header extensions; 0 if not negotiated. */
  #midId = 0;
  #transportSequenceId = 0;
  #sections: (ReceivedSection & { sid: string })[] = [];
  #byMid = new Map<string, RemoteTrack>();
  #bySsrc = new Map<number, RemoteTrack>();
  #heldCandidates: string[] = [];
  #answered = false;
  #turn: Promise<unknown> = Promise.resolve();
  #stopReports: () => void;
  /** Arrivals for transport-wide feedback; undefined without it. */
  #arrivals: ArrivalLog | undefined;
  #stopFeedback: (() => void) | undefined;
  readonly #takesRtx: boolean;
  /** Retransmission payload types, each with that of its media. */
  #rtx = new Map<number, number>();
  /** Packets that belong to no known track. */
  unknownPackets = 0;

  constructor(name: string, options: TransportOptions & { askAgain?: boolean } = {}) {
    // What was lost is repeated as RTX, since SRTP must not use a number twice.
    this.#takesRtx = (options.feedback ?? false) || (options.askAgain ?? false);
    this.transport = new Transport(`${name}/subscriber`, options);
    if (options.feedback) this.#startFeedback(new ArrivalLog());
    this.transport.onRtp = (packet) => this.#onRtp(packet);
    this.transport.onRtcp = (packet) => {
      readRtcp(packet, {
        handleSenderReport: (report) => this.#bySsrc.get(report.ssrc)?.handleSenderReport(report),
      });
    };
    this.#stopReports = schedule(performance.now() + REPORT_INTERVAL * (1 + Math.random()), (now) => {
      this.#report();
      return now + REPORT_INTERVAL;
    });
  }

  #startFeedback(arrivals: ArrivalLog): void {
    this.#arrivals = arrivals;
    this.#stopFeedback = schedule(performance.now() + FEEDBACK_INTERVAL * (1 + Math.random()), (now) => {
      for (let packet = arrivals.feedback(now); packet; packet = arrivals.feedback(now)) this.transport.send(packet);
      return now + FEEDBACK_INTERVAL;
    });
  }

  /** Accepts the server's offer. Returns the SDP of the answer. @throws IceRestart */
  accept(offer: Offer): Promise<string> {
    const turn = this.#turn.then(() => this.#accept(offer));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /**
   * Binds the sections of the last offer to their tracks. `find` returns the track of a sid; undefined if it is
   * unknown: an offer may arrive before the update that announces its tracks, so this is called after both. Returns the
   * sids offered.
   */
  bindTracks(find: (sid: string) => RemoteTrack | undefined): Set<string> {
    this.#byMid.clear();
    this.#bySsrc.clear();
    for (const section of this.#sections) {
      const track = find(section.sid);
      if (!track) continue;
      track.bind(section.codecs);
      this.#byMid.set(section.mid, track);
      for (const ssrc of section.ssrcs) this.#bySsrc.set(ssrc, track);
    }
    return new Set(this.#sections.map((section) => section.sid));
  }

  async #accept(offer: Offer): Promise<string> {
    const description = readDescription(offer.sdp);
    const { peer } = description;
    this.#remoteUfrag ??= peer.iceUfrag;
    if (peer.iceUfrag !== this.#remoteUfrag) throw new IceRestart();
    this.#midId = negotiatedId(description, 'mid') || this.#midId;
    if (this.#arrivals)
      this.#transportSequenceId = negotiatedId(description, 'transportSequence') || this.#transportSequenceId;
    this.#sections = receivedSections(description).map((section) =>
      Object.assign(section, { sid: offer.midToTrackId[section.mid] ?? trackSid(section) }),
    );
    if (!this.#own) {
      const candidates = readCandidates(offer.sdp);
      this.#heldCandidates.push(...candidates);
      this.#own = await this.transport.answer({ ...peer, candidates });
    }
    this.#rtx = new Map(this.#takesRtx ? this.#sections.flatMap((section) => [...section.rtx]) : []);
    const does = { feedback: this.#arrivals !== undefined, rtx: this.#takesRtx };
    return subscriberAnswer(description, this.#own, ++this.#version, does);
  }

  /** The server has the answer: connecting may begin. */
  handleAnswered(): void {
    this.#answered = true;
    for (const candidate of this.#heldCandidates.splice(0)) this.transport.addCandidate(candidate);
  }

  /** Waits until media and both kinds of data can be received. */
  async ready(): Promise<void> {
    await this.transport.whenConnected();
    await Promise.all([this.transport.channelOpen(RELIABLE), this.transport.channelOpen(LOSSY)]);
  }

  addCandidate(candidate: string): void {
    if (this.#answered) this.transport.addCandidate(candidate);
    else this.#heldCandidates.push(candidate);
  }

  #onRtp(buffer: Buffer): void {
    const packet = this.#packet;
    if (!packet.parse(buffer)) return;
    if (this.#transportSequenceId !== 0 && packet.findExtension(this.#transportSequenceId))
      this.#arrivals?.received(buffer.readUInt16BE(packet.extensionOffset), packet.ssrc, performance.now());
    const media = this.#rtx.get(packet.payloadType);
    if (media !== undefined) {
      const track = this.#bySsrc.get(packet.ssrc);
      if (track && track.ssrc !== 0 && unwrapRtx(packet, track.ssrc, media)) track.handlePacket(packet);
      return;
    }
    const track = this.#bySsrc.get(packet.ssrc) ?? this.#byMidOf(packet);
    if (track) track.handlePacket(packet);
    else this.unknownPackets++;
  }

  /** The track of a stream that is identified by the mid in its packets. */
  #byMidOf(packet: RtpPacket): RemoteTrack | undefined {
    const mid = packet.extensionText(this.#midId);
    const track = mid === undefined ? undefined : this.#byMid.get(mid);
    if (track) this.#bySsrc.set(packet.ssrc, track);
    return track;
  }

  #report(): void {
    if (!this.transport.connected) return;
    const blocks = [...new Set(this.#bySsrc.values())]
      .map((track) => track.report())
      .filter((block): block is ReportBlock => block !== undefined);
    for (let at = 0; at < blocks.length; at += MAX_REPORT_BLOCKS)
      this.transport.send(writeReceiverReport(blocks.slice(at, at + MAX_REPORT_BLOCKS)));
  }

  close(): void {
    this.#stopReports();
    this.#stopFeedback?.();
    this.transport.close();
  }
}

/**
 * The sid of a section's track where the offer has no map: LiveKit writes `participant|track` as the stream of msid,
 * and the track again as its track.
 */
function trackSid(section: ReceivedSection): string {
  const [, second] = section.streamId.split('|');
  return second?.startsWith('TR_') ? second : section.trackId;
}
