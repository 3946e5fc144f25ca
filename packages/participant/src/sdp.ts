import { parse, type MediaDescription, type SessionDescription } from 'sdp-transform';
import type { TransportParameters } from './transport.ts';

export const EXTENSIONS = {
  mid: 'urn:ietf:params:rtp-hdrext:sdes:mid',
  rid: 'urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id',
  level: 'urn:ietf:params:rtp-hdrext:ssrc-audio-level',
  transportSequence: 'http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01',
} as const;
/**
 * The numbers this side gives the extensions in its offers; an answer may only take them over (RFC 8285, section 6).
 */
export const EXTENSION_IDS = { mid: 1, rid: 2, level: 3, transportSequence: 4 } as const;

/** Payload types and format lines of what this side sends. */
export const CODECS = {
  opus: { payloadType: 111, name: 'opus/48000/2', fmtp: 'minptime=10;useinbandfec=1' },
  vp8: { payloadType: 96, name: 'VP8/90000', fmtp: '' },
  h264: {
    payloadType: 102,
    name: 'H264/90000',
    fmtp: 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f',
  },
} as const;
export type Codec = keyof typeof CODECS;

/** One section of the publisher's offer. Sections keep their place and are never taken away, only made inactive. */
export interface SendSection {
  mid: string;
  codec: Codec;
  /** The track's client id; LiveKit finds the announced track by it. */
  cid: string;
  /** Simulcast layers; empty for a single stream, which is named by `ssrc` then. */
  rids: readonly string[];
  ssrc: number;
  active: boolean;
  /** Packets are numbered for transport-wide feedback. */
  numbered: boolean;
}

/** A stream the other side sends. */
export interface ReceivedSection {
  mid: string;
  kind: 'audio' | 'video';
  /** The track part of msid (RFC 8830). */
  msidTrack: string;
  msidStream: string;
  ssrcs: number[];
  active: boolean;
  /** payload type -> `codec` in lower case. */
  codecs: Map<number, string>;
  /** Payload types of repetitions (RFC 4588) and of what they repeat. */
  repairs: Map<number, number>;
}

function transportLines(own: TransportParameters): string[] {
  return [
    'c=IN IP4 0.0.0.0',
    `a=ice-ufrag:${own.ufrag}`,
    `a=ice-pwd:${own.pwd}`,
    `a=fingerprint:sha-256 ${own.fingerprint}`,
    `a=setup:${own.setup}`,
    ...own.candidates.map((candidate) => `a=${candidate}`),
    'a=end-of-candidates',
  ];
}

function sessionLines(mids: readonly string[], version: number): string[] {
  return [
    'v=0',
    `o=- 1 ${version} IN IP4 127.0.0.1`,
    's=-',
    't=0 0',
    `a=group:BUNDLE ${mids.join(' ')}`,
    'a=msid-semantic: WMS *',
  ];
}

const DATA_MID = '0';
const dataSection = (own: TransportParameters, mid: string): string[] => [
  'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
  ...transportLines(own),
  `a=mid:${mid}`,
  'a=sctp-port:5000',
  'a=max-message-size:262144',
];

const FEEDBACK = ['ccm fir', 'nack', 'nack pli'];

function sendSection(section: SendSection, own: TransportParameters): string[] {
  const { payloadType, name, fmtp } = CODECS[section.codec];
  const video = section.codec !== 'opus';
  const extensions = [
    ...(video ? (['mid', 'rid'] as const) : (['mid', 'level'] as const)),
    ...(section.numbered ? (['transportSequence'] as const) : []),
  ];
  return [
    `m=${video ? 'video' : 'audio'} 9 UDP/TLS/RTP/SAVPF ${payloadType}`,
    ...transportLines(own),
    `a=mid:${section.mid}`,
    `a=${section.active ? 'sendonly' : 'inactive'}`,
    'a=rtcp-mux',
    'a=rtcp-rsize',
    `a=rtpmap:${payloadType} ${name}`,
    ...(fmtp ? [`a=fmtp:${payloadType} ${fmtp}`] : []),
    ...[...(video ? FEEDBACK : ['nack']), ...(section.numbered ? ['transport-cc'] : [])].map(
      (feedback) => `a=rtcp-fb:${payloadType} ${feedback}`,
    ),
    ...extensions.map((extension) => `a=extmap:${EXTENSION_IDS[extension]} ${EXTENSIONS[extension]}`),
    ...(section.active ? [`a=msid:- ${section.cid}`] : []),
    ...(section.rids.length > 0 && section.active
      ? [...section.rids.map((rid) => `a=rid:${rid} send`), `a=simulcast:send ${section.rids.join(';')}`]
      : section.active
        ? [`a=ssrc:${section.ssrc} cname:rmeet`, `a=ssrc:${section.ssrc} msid:- ${section.cid}`]
        : []),
  ];
}

/** The publisher's offer: data first, where there is any, then each track there ever was. */
export function publisherOffer(
  own: TransportParameters,
  sections: readonly SendSection[],
  version: number,
  data = true,
): string {
  const mids = sections.map((section) => section.mid);
  return [
    ...sessionLines(data ? [DATA_MID, ...mids] : mids, version),
    ...(data ? dataSection(own, DATA_MID) : []),
    ...sections.flatMap((section) => sendSection(section, own)),
    '',
  ].join('\r\n');
}

/**
 * Codecs a subscriber takes; redundancy formats are left out, so the sender leaves them out as well; repair is taken
 * with feedback only.
 */
const RECEIVED = new Set(['opus', 'vp8', 'h264', 'vp9', 'av1']);

/** Payload types of repetitions of what is taken, each with the one it repeats (RFC 4588, section 8.6). */
function repairsOf(media: MediaDescription): Map<number, number> {
  const taken = new Set(media.rtp.filter((rtp) => RECEIVED.has(rtp.codec.toLowerCase())).map((rtp) => rtp.payload));
  return new Map(
    media.rtp
      .filter((rtp) => rtp.codec.toLowerCase() === 'rtx')
      .flatMap(({ payload }) => {
        const repeated = Number(
          /apt=(\d+)/.exec(media.fmtp.find((line) => line.payload === payload)?.config ?? '')?.[1],
        );
        return taken.has(repeated) ? [[payload, repeated] as const] : [];
      }),
  );
}

function codecLines(
  media: MediaDescription,
  { payload, codec, rate, encoding }: MediaDescription['rtp'][number],
): string[] {
  const lines = [`a=rtpmap:${payload} ${codec}/${rate}${encoding ? `/${encoding}` : ''}`];
  const fmtp = media.fmtp.find((line) => line.payload === payload);
  if (fmtp) lines.push(`a=fmtp:${payload} ${fmtp.config}`);
  if (media.type === 'video' && RECEIVED.has(codec.toLowerCase()))
    for (const feedback of FEEDBACK) lines.push(`a=rtcp-fb:${payload} ${feedback}`);
  return lines;
}

function receiveSection(
  media: MediaDescription & { type: string },
  own: TransportParameters,
  feedback: boolean,
): string[] {
  const repairs = feedback ? repairsOf(media) : new Map<number, number>();
  const codecs = media.rtp.filter((rtp) => RECEIVED.has(rtp.codec.toLowerCase()) || repairs.has(rtp.payload));
  const told = feedback ? (media.rtcpFb ?? []).filter(({ type }) => type === 'transport-cc') : [];
  const sends = media.direction === undefined || media.direction === 'sendrecv' || media.direction === 'sendonly';
  const uris: string[] = feedback ? [EXTENSIONS.mid, EXTENSIONS.transportSequence] : [EXTENSIONS.mid];
  const extensions = media.ext?.filter((extension) => uris.includes(extension.uri)) ?? [];
  return [
    `m=${media.type} 9 ${media.protocol} ${codecs.map((codec) => codec.payload).join(' ')}`,
    ...transportLines(own),
    `a=mid:${media.mid}`,
    `a=${sends ? 'recvonly' : 'inactive'}`,
    'a=rtcp-mux',
    'a=rtcp-rsize',
    ...codecs.flatMap((codec) => codecLines(media, codec)),
    ...told.map(({ payload }) => `a=rtcp-fb:${payload} transport-cc`),
    ...extensions.map(({ value, uri }) => `a=extmap:${value} ${uri}`),
  ];
}

/**
 * The subscriber's answer to the server's offer: takes everything, sends nothing. With `feedback` repair and
 * transport-wide feedback as well.
 */
export function subscriberAnswer(
  offer: SessionDescription,
  own: TransportParameters,
  version: number,
  feedback = false,
): string {
  const mids = offer.media.map((media) => String(media.mid));
  const sections = offer.media.flatMap((media) =>
    media.type === 'application' ? dataSection(own, String(media.mid)) : receiveSection(media, own, feedback),
  );
  return [...sessionLines(mids, version), ...sections, ''].join('\r\n');
}

/** @throws Error where a description names no transport. */
export function readTransport(description: SessionDescription): TransportParameters {
  const media = description.media[0];
  const ufrag = media?.iceUfrag ?? description.iceUfrag;
  const pwd = media?.icePwd ?? description.icePwd;
  const fingerprint = media?.fingerprint ?? description.fingerprint;
  if (!ufrag || !pwd || !fingerprint) throw new Error('the description names no transport');
  const candidates = (media?.candidates ?? []).map(
    (c) =>
      `candidate:${c.foundation} ${c.component} ${c.transport} ${c.priority} ${c.ip} ${c.port} typ ` +
      `${c.type}${c.tcptype ? ` tcptype ${c.tcptype}` : ''}`,
  );
  return {
    ufrag,
    pwd,
    fingerprint: fingerprint.hash,
    setup: (media?.setup ?? description.setup ?? 'actpass') as TransportParameters['setup'],
    candidates,
  };
}

/**
 * The streams in the server's description. msid is read from the text itself: sdp-transform stops at the `|` in
 * LiveKit's stream names. Its two parts are separated by a space.
 */
export function readSections(sdp: string, description: SessionDescription): ReceivedSection[] {
  const texts = sdp.split(/^m=/m).slice(1);
  return description.media.flatMap((media, i) => {
    if (media.type !== 'audio' && media.type !== 'video') return [];
    const [, stream = '', track = ''] = /^a=msid:(\S+)(?: (\S+))?/m.exec(texts[i] ?? '') ?? [];
    return [
      {
        mid: String(media.mid),
        kind: media.type,
        msidStream: stream,
        msidTrack: track,
        ssrcs: [...new Set((media.ssrcs ?? []).map((line) => line.id))],
        active: media.direction === undefined || media.direction === 'sendonly' || media.direction === 'sendrecv',
        codecs: new Map(media.rtp.map((rtp) => [rtp.payload, rtp.codec.toLowerCase()])),
        repairs: repairsOf(media),
      },
    ];
  });
}

/** The number the other side uses for an extension. */
export function extensionNumber(
  description: SessionDescription,
  extension: keyof typeof EXTENSIONS,
): number | undefined {
  return description.media.flatMap((media) => media.ext ?? []).find(({ uri }) => uri === EXTENSIONS[extension])?.value;
}

export { parse as parseSdp, type SessionDescription as ParsedSdp };
