import type { SessionDescription } from '@livekit/protocol';
import { TransportFeedback } from './feedback.ts';
import { LOSSY, RELIABLE } from './publisher.ts';
import type { RemoteTrack } from './remote-track.ts';
import { readRtcp, receiverReport, type ReportBlock } from './rtcp.ts';
import { extensionAt, payloadOffset, readExtension } from './rtp.ts';
import { extensionNumber, parseSdp, readSections, readTransport, subscriberAnswer } from './sdp.ts';
import type { ReceivedSection } from './sdp.ts';
import { Transport, type TransportOptions, type TransportParameters } from './transport.ts';
import { schedule } from './wheel.ts';

const REPORT_INTERVAL = 1_000;
const MAX_BLOCKS = 31;

/** The server wants ICE restarted, which libdatachannel cannot do: only joining anew helps. */
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
  #own: TransportParameters | undefined;
  #remoteUfrag: string | undefined;
  #version = 0;
  #midExtension: number | undefined;
  #sections: (ReceivedSection & { sid: string })[] = [];
  #byMid = new Map<string, RemoteTrack>();
  #bySsrc = new Map<number, RemoteTrack>();
  #heldCandidates: string[] = [];
  #answered = false;
  #turn: Promise<unknown> = Promise.resolve();
  #stopReports: () => void;
  #feedback: TransportFeedback | undefined;
  #transportSequence: number | undefined;
  /** Payload types of repetitions, with those of what they repeat. */
  #repairs = new Map<number, number>();
  /** Packets no track could be found for. */
  unknownPackets = 0;

  constructor(name: string, options: TransportOptions = {}) {
    this.transport = new Transport(`${name}/subscriber`, options);
    if (options.feedback) this.#feedback = new TransportFeedback((packet) => this.transport.send(packet));
    this.transport.onRtp = (packet) => this.#onRtp(packet);
    this.transport.onRtcp = (packet) => {
      readRtcp(packet, {
        senderReport: (ssrc, ntpMiddle, timestamp, unixMs) =>
          this.#bySsrc.get(ssrc)?.handleSenderReport(ssrc, ntpMiddle, { timestamp, unixMs }),
      });
    };
    this.#stopReports = schedule(performance.now() + REPORT_INTERVAL * (1 + Math.random()), (now) => {
      this.#report();
      return now + REPORT_INTERVAL;
    });
  }

  /** Takes the server's offer and answers the SDP to send back. @throws IceRestart */
  accept(offer: Offer): Promise<string> {
    const turn = this.#turn.then(() => this.#accept(offer));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /**
   * Leads the sections of the last offer to their tracks. `find` gives the track of a sid, undefined while nothing is
   * known of it: an offer may come before the update that announces its tracks, so this is called after either. Answers
   * the sids offered.
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
    const description = parseSdp(offer.sdp);
    const remote = readTransport(description);
    this.#remoteUfrag ??= remote.ufrag;
    if (remote.ufrag !== this.#remoteUfrag) throw new IceRestart();
    this.#midExtension = extensionNumber(description, 'mid') ?? this.#midExtension;
    if (this.#feedback)
      this.#transportSequence = extensionNumber(description, 'transportSequence') ?? this.#transportSequence;
    this.#sections = readSections(offer.sdp, description)
      .filter((section) => section.active)
      .map((section) => Object.assign(section, { sid: offer.midToTrackId[section.mid] ?? trackSid(section) }));
    if (!this.#own) {
      this.#heldCandidates.push(...remote.candidates);
      this.#own = await this.transport.answer(remote);
    }
    this.#repairs = new Map(this.#feedback ? this.#sections.flatMap((section) => [...section.repairs]) : []);
    return subscriberAnswer(description, this.#own, ++this.#version, this.#feedback !== undefined);
  }

  /** The server has the answer: connecting may begin. */
  handleAnswered(): void {
    this.#answered = true;
    for (const candidate of this.#heldCandidates.splice(0)) this.transport.addCandidate(candidate);
  }

  /** Waits until media and both kinds of data can come. */
  async ready(): Promise<void> {
    await this.transport.whenConnected();
    await Promise.all([this.transport.channelOpen(RELIABLE), this.transport.channelOpen(LOSSY)]);
  }

  addCandidate(candidate: string): void {
    if (this.#answered) this.transport.addCandidate(candidate);
    else this.#heldCandidates.push(candidate);
  }

  #onRtp(packet: Buffer): void {
    if (this.#transportSequence !== undefined) {
      const at = extensionAt(packet, this.#transportSequence);
      if (at > 0) this.#feedback?.received(packet.readUInt16BE(at), performance.now());
    }
    const repeated = this.#repairs.get(packet[1]! & 0x7f);
    if (repeated !== undefined) {
      this.#onRepair(packet, repeated);
      return;
    }
    const ssrc = packet.readUInt32BE(8);
    let track = this.#bySsrc.get(ssrc);
    if (!track && this.#midExtension !== undefined) {
      const mid = readExtension(packet, this.#midExtension)?.toString('latin1');
      track = mid === undefined ? undefined : this.#byMid.get(mid);
      if (track) this.#bySsrc.set(ssrc, track);
    }
    if (track) track.handlePacket(packet);
    else this.unknownPackets++;
  }

  /** A packet sent again as one of the stream it belongs to; padding alone probes the way here and is passed over. */
  #onRepair(packet: Buffer, payloadType: number): void {
    const at = payloadOffset(packet);
    const padding = (packet[0]! & 0x20) === 0 ? 0 : packet[packet.length - 1]!;
    if (packet.length - padding < at + 2) return;
    const track = this.#bySsrc.get(packet.readUInt32BE(8));
    if (!track || track.ssrc === 0) return;
    const original = Buffer.concat([packet.subarray(0, at), packet.subarray(at + 2)]);
    original[1] = (original[1]! & 0x80) | payloadType;
    packet.copy(original, 2, at, at + 2);
    original.writeUInt32BE(track.ssrc, 8);
    track.handlePacket(original);
  }

  #report(): void {
    if (!this.transport.connected) return;
    const blocks = [...new Set(this.#bySsrc.values())]
      .map((track) => track.report())
      .filter((block): block is ReportBlock => block !== undefined);
    for (let at = 0; at < blocks.length; at += MAX_BLOCKS)
      this.transport.send(receiverReport(blocks.slice(at, at + MAX_BLOCKS)));
  }

  close(): void {
    this.#stopReports();
    this.#feedback?.close();
    this.transport.close();
  }
}

/**
 * The sid of a section's track where the offer has no map: LiveKit writes `participant|track` as the stream of msid,
 * and the track again as its track.
 */
function trackSid(section: ReceivedSection): string {
  const [, second] = section.msidStream.split('|');
  return second?.startsWith('TR_') ? second : section.msidTrack;
}
