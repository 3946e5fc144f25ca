import type { CodecName } from '../forwarding/codecs.ts';
import { limits } from '../limits.ts';
import type { LocalParameters } from '../transport/media-transport.ts';
import type { Candidate } from '../transport/addresses.ts';
import type { Direction, HeaderExtension } from './description.ts';
import { extensionUris } from './formats.ts';

/** This side of a peer connection, the same in every section. */
export interface LocalSide {
  parameters: LocalParameters;
  candidates: readonly Candidate[];
  sessionId: number;
  sessionVersion: number;
}

/** The stream this side sends in a section. */
export interface SentStream {
  ssrc: number;
  /** Of its retransmissions (RFC 4588), 0 for none. */
  rtxSsrc: number;
  /** First part of msid: participant and stream, as LiveKit's clients take it apart. */
  streamId: string;
  trackId: string;
  /** Same for all streams of one participant, so that receivers play them in step. */
  cname: string;
}

export interface WrittenFormat {
  payloadType: number;
  /** Undefined for formats that carry others', as rtx. */
  codec?: CodecName;
  name: string;
  clockRate: number;
  channels: number | undefined;
  parameters: string;
}

/** One section this side writes. */
export interface WrittenSection {
  mid: string;
  kind: 'audio' | 'video' | 'application';
  protocol: string;
  /** Undefined refuses the section (port 0). */
  direction: Direction | undefined;
  formats: readonly WrittenFormat[];
  /** Written when no format is left: SDP needs one. */
  fallbackPayloadType?: number | undefined;
  extensions: readonly HeaderExtension[];
  sent?: SentStream | undefined;
  rids?: readonly string[];
  simulcast?: string | undefined;
}

const VIDEO_FEEDBACK = ['ccm fir', 'nack', 'nack pli'];

function formatLines(section: WrittenSection): string[] {
  const numbered = section.extensions.some((extension) => extension.uri === extensionUris.transportSequence);
  const estimation = numbered ? ['transport-cc'] : section.kind === 'video' ? ['goog-remb'] : [];
  return section.formats.flatMap((format) => {
    const channels = format.channels === undefined ? '' : `/${format.channels}`;
    const feedback = format.codec ? [...estimation, ...(section.kind === 'video' ? VIDEO_FEEDBACK : ['nack'])] : [];
    return [
      `a=rtpmap:${format.payloadType} ${format.name}/${format.clockRate}${channels}`,
      ...(format.parameters === '' ? [] : [`a=fmtp:${format.payloadType} ${format.parameters}`]),
      ...feedback.map((type) => `a=rtcp-fb:${format.payloadType} ${type}`),
    ];
  });
}

function streamLines(section: WrittenSection, sent: SentStream): string[] {
  const msid = `${sent.streamId} ${sent.trackId}`;
  const repeated = sent.rtxSsrc !== 0 && section.formats.some(({ name }) => name.toLowerCase() === 'rtx');
  const ssrcs = repeated ? [sent.ssrc, sent.rtxSsrc] : [sent.ssrc];
  return [
    `a=msid:${msid}`,
    ...(repeated ? [`a=ssrc-group:FID ${ssrcs.join(' ')}`] : []),
    ...ssrcs.flatMap((ssrc) => [`a=ssrc:${ssrc} cname:${sent.cname}`, `a=ssrc:${ssrc} msid:${msid}`]),
  ];
}

/** A candidate as SDP and trickle write it (RFC 8839 section 5.1). */
export function candidateText({ address, port, priority }: Candidate, index: number): string {
  return `candidate:${index + 1} 1 udp ${priority} ${address} ${port} typ host`;
}

function transportLines(local: LocalSide): string[] {
  const { iceUfrag, icePwd, fingerprint, setup } = local.parameters;
  return [
    'c=IN IP4 0.0.0.0',
    `a=ice-ufrag:${iceUfrag}`,
    `a=ice-pwd:${icePwd}`,
    `a=fingerprint:sha-256 ${fingerprint}`,
    `a=setup:${setup}`,
    ...local.candidates.map((candidate, index) => `a=${candidateText(candidate, index)}`),
    // without any, they follow by trickle
    ...(local.candidates.length > 0 ? ['a=end-of-candidates'] : []),
  ];
}

function sectionLines(section: WrittenSection, local: LocalSide): string[] {
  if (section.kind === 'application') {
    return [
      'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
      ...transportLines(local),
      `a=mid:${section.mid}`,
      'a=sctp-port:5000',
      `a=max-message-size:${limits.dataMessageBytes}`,
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
    ...(section.rids ?? []).map((rid) => `a=rid:${rid} recv`),
    ...(section.simulcast === undefined ? [] : [`a=simulcast:recv ${section.simulcast}`]),
  ];
}

/** The text of an offer or answer of this side; all live sections share one transport. */
export function writeDescription(local: LocalSide, sections: readonly WrittenSection[]): string {
  const bundled = sections.filter((section) => section.direction !== undefined || section.kind === 'application');
  return [
    'v=0',
    `o=- ${local.sessionId} ${local.sessionVersion} IN IP4 127.0.0.1`,
    's=-',
    't=0 0',
    `a=group:BUNDLE ${bundled.map((section) => section.mid).join(' ')}`,
    'a=extmap-allow-mixed',
    'a=msid-semantic: WMS *',
    ...sections.flatMap((section) => sectionLines(section, local)),
    '',
  ].join('\r\n');
}
