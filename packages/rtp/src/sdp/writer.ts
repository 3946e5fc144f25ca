import type { CodecName } from '../codecs/codecs.ts';
import type { Direction, HeaderExtension, TransportParameters } from './description.ts';

/** The local side of a peer connection, the same in every section. */
export interface LocalSide {
  parameters: TransportParameters;
  /** As `candidate:...`; empty if they follow by trickle. */
  candidates: readonly string[];
  sessionId: number;
  sessionVersion: number;
  /** The largest data channel message that this side accepts, in bytes. */
  maxMessageBytes: number;
}

/** The stream that this side sends in a section. */
export interface SentStream {
  /** 0 for simulcast: its streams are identified by rid. */
  ssrc: number;
  /** SSRC of its retransmissions (RFC 4588); 0 for none. */
  rtxSsrc: number;
  /** First part of msid. LiveKit's clients expect participant and stream in it. */
  streamId: string;
  trackId: string;
  /** The same for all streams of one participant, so that receivers synchronize them. */
  cname: string;
}

export interface WrittenFormat {
  payloadType: number;
  /** Undefined for formats that carry another one, such as rtx. */
  codec?: CodecName;
  name: string;
  clockRate: number;
  channels: number | undefined;
  parameters: string;
}

/** One section of a description that this side writes. */
export interface WrittenSection {
  mid: string;
  kind: 'audio' | 'video' | 'application';
  protocol: string;
  /** Undefined rejects the section (port 0). */
  direction: Direction | undefined;
  formats: readonly WrittenFormat[];
  /** Written if no format is left, as SDP requires one. */
  fallbackPayloadType?: number | undefined;
  /** Types of RTCP feedback for each codec. */
  feedback: readonly string[];
  extensions: readonly HeaderExtension[];
  sent?: SentStream | undefined;
  simulcast?: { direction: 'send' | 'recv'; rids: readonly string[]; streams: string } | undefined;
}

/** RTCP feedback for video: key frame requests and retransmissions. */
export const VIDEO_FEEDBACK: readonly string[] = ['ccm fir', 'nack', 'nack pli'];

function formatLines(section: WrittenSection): string[] {
  return section.formats.flatMap((format) => {
    const channels = format.channels === undefined ? '' : `/${format.channels}`;
    const feedback = format.codec ? section.feedback : [];
    return [
      `a=rtpmap:${format.payloadType} ${format.name}/${format.clockRate}${channels}`,
      ...(format.parameters === '' ? [] : [`a=fmtp:${format.payloadType} ${format.parameters}`]),
      ...feedback.map((type) => `a=rtcp-fb:${format.payloadType} ${type}`),
    ];
  });
}

function streamLines(section: WrittenSection, sent: SentStream): string[] {
  const msid = `${sent.streamId} ${sent.trackId}`;
  if (sent.ssrc === 0) return [`a=msid:${msid}`];
  const repeated = sent.rtxSsrc !== 0 && section.formats.some(({ name }) => name.toLowerCase() === 'rtx');
  const ssrcs = repeated ? [sent.ssrc, sent.rtxSsrc] : [sent.ssrc];
  return [
    `a=msid:${msid}`,
    ...(repeated ? [`a=ssrc-group:FID ${ssrcs.join(' ')}`] : []),
    ...ssrcs.flatMap((ssrc) => [`a=ssrc:${ssrc} cname:${sent.cname}`, `a=ssrc:${ssrc} msid:${msid}`]),
  ];
}

function transportLines(local: LocalSide): string[] {
  const { iceUfrag, icePwd, fingerprint, setup } = local.parameters;
  return [
    'c=IN IP4 0.0.0.0',
    `a=ice-ufrag:${iceUfrag}`,
    `a=ice-pwd:${icePwd}`,
    `a=fingerprint:sha-256 ${fingerprint}`,
    `a=setup:${setup}`,
    ...local.candidates.map((candidate) => `a=${candidate}`),
    ...(local.candidates.length > 0 ? ['a=end-of-candidates'] : []),
  ];
}

function simulcastLines({ simulcast }: WrittenSection): string[] {
  if (simulcast === undefined) return [];
  const { direction, rids, streams } = simulcast;
  return [...rids.map((rid) => `a=rid:${rid} ${direction}`), `a=simulcast:${direction} ${streams}`];
}

function sectionLines(section: WrittenSection, local: LocalSide): string[] {
  if (section.kind === 'application') {
    return [
      'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
      ...transportLines(local),
      `a=mid:${section.mid}`,
      'a=sctp-port:5000',
      `a=max-message-size:${local.maxMessageBytes}`,
    ];
  }
  const payloadTypes = section.formats.map((format) => format.payloadType);
  const types = (payloadTypes.length > 0 ? payloadTypes : [section.fallbackPayloadType ?? 0]).join(' ');
  if (section.direction === undefined) {
    return [
      `m=${section.kind} 0 ${section.protocol} ${types}`,
      'c=IN IP4 0.0.0.0',
      `a=mid:${section.mid}`,
      'a=inactive',
    ];
  }
  return [
    `m=${section.kind} 9 ${section.protocol} ${types}`,
    ...transportLines(local),
    `a=mid:${section.mid}`,
    `a=${section.direction}`,
    'a=rtcp-mux',
    'a=rtcp-rsize',
    ...formatLines(section),
    ...section.extensions.map((extension) => `a=extmap:${extension.id} ${extension.uri}`),
    ...(section.sent ? streamLines(section, section.sent) : []),
    ...simulcastLines(section),
  ];
}

/** Writes an offer or answer. All accepted sections share one transport. */
export function writeDescription(local: LocalSide, sections: readonly WrittenSection[]): string {
  const bundled = sections.filter((section) => section.direction !== undefined || section.kind === 'application');
  return [
    'v=0',
    `o=- ${local.sessionId} ${local.sessionVersion} IN IP4 127.0.0.1`,
    's=-',
    't=0 0',
    ...(local.parameters.iceLite === true ? ['a=ice-lite'] : []),
    `a=group:BUNDLE ${bundled.map((section) => section.mid).join(' ')}`,
    'a=extmap-allow-mixed',
    'a=msid-semantic: WMS *',
    ...sections.flatMap((section) => sectionLines(section, local)),
    '',
  ].join('\r\n');
}
