import type { SessionDescription as SignalledDescription } from '@livekit/protocol';
import { LOSSY, RELIABLE } from './publisher.ts';
import type { RemoteTrack } from './remote-track.ts';
import { readRtcp, receiverReport, type ReportBlock } from './rtcp.ts';
import { readExtension } from './rtp.ts';
import { midExtension, parseSdp, readSections, readTransport, subscriberAnswer } from './sdp.ts';
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
  /** Packets no track could be found for. */
  unknownPackets = 0;

  constructor(name: string, options: TransportOptions = {}) {
    this.transport = new Transport(`${name}/subscriber`, options);
    this.transport.onRtp = (packet) => this.#onRtp(packet);
    this.transport.onRtcp = (packet) => {
      readRtcp(packet, { senderReport: (ssrc, ntpMiddle) => this.#bySsrc.get(ssrc)?.handleSenderReport(ssrc, ntpMiddle) });
    };
    this.#stopReports = schedule(performance.now() + REPORT_INTERVAL * (1 + Math.random()), (now) => {
      this.#report();
      return now + REPORT_INTERVAL;
    });
  }

  /** Takes the server's offer and answers the SDP to send back. @throws IceRestart */
  accept(offer: SignalledDescription): Promise<string> {
    const turn = this.#turn.then(() => this.#accept(offer));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /**
   * Leads the sections of the last offer to their tracks. `find` gives the track of a sid, undefined while nothing is known of it:
   * an offer may come before the update that announces its tracks, so this is called after either. Answers the sids offered.
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

  async #accept(offer: SignalledDescription): Promise<string> {
    const description = parseSdp(offer.sdp);
    const remote = readTransport(description);
    this.#remoteUfrag ??= remote.ufrag;
    if (remote.ufrag !== this.#remoteUfrag) throw new IceRestart();
    this.#midExtension = midExtension(description) ?? this.#midExtension;
    this.#sections = readSections(offer.sdp, description).filter((section) => section.active)
      .map((section) => Object.assign(section, { sid: offer.midToTrackId[section.mid] ?? trackSid(section) }));
    if (!this.#own) {
      this.#heldCandidates.push(...remote.candidates);
      this.#own = await this.transport.answer(remote);
    }
    return subscriberAnswer(description, this.#own, ++this.#version);
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

  #report(): void {
    if (!this.transport.connected) return;
    const blocks = [...new Set(this.#bySsrc.values())].map((track) => track.report()).filter((block): block is ReportBlock => block !== undefined);
    for (let at = 0; at < blocks.length; at += MAX_BLOCKS) this.transport.send(receiverReport(blocks.slice(at, at + MAX_BLOCKS)));
  }

  close(): void {
    this.#stopReports();
    this.transport.close();
  }
}

/** The sid of a section's track where the offer has no map: LiveKit writes `participant|track` as the stream of msid, and the track again as its track. */
function trackSid(section: ReceivedSection): string {
  const [, second] = section.msidStream.split('|');
  return second?.startsWith('TR_') ? second : section.msidTrack;
}
