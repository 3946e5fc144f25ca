import { codecs, type CodecName } from '@rmeet/rtp';
import {
  extensionId,
  extensionUris,
  isSending,
  readCandidates,
  readDescription,
  rtxFormats,
  VIDEO_FEEDBACK,
  writeDescription,
  type Description,
  type LocalSide,
  type MediaSection,
  type PayloadFormat,
  type TransportParameters,
  type WrittenFormat,
  type WrittenSection,
} from '@rmeet/rtp/sdp';

/** Parameters of one side of a transport, with its ICE candidates as `candidate:...`. */
export interface TransportDescription extends TransportParameters {
  candidates: string[];
}

/** The ids of header extensions in this side's offers. An answer may only adopt them (RFC 8285 section 6). */
export const EXTENSION_IDS = { mid: 1, rid: 2, audioLevel: 3, transportSequence: 4 } as const;

/** Payload types and parameters of the formats that this side sends. */
export const FORMATS = {
  opus: {
    payloadType: 111,
    codec: 'opus',
    name: 'opus',
    clockRate: 48_000,
    channels: 2,
    parameters: 'minptime=10;useinbandfec=1',
  },
  vp8: { payloadType: 96, codec: 'vp8', name: 'VP8', clockRate: 90_000, channels: undefined, parameters: '' },
  h264: {
    payloadType: 102,
    codec: 'h264',
    name: 'H264',
    clockRate: 90_000,
    channels: undefined,
    parameters: 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f',
  },
} as const satisfies Record<string, WrittenFormat>;
export type Codec = keyof typeof FORMATS;

const MAX_MESSAGE_BYTES = 262_144;
const PROTOCOL = 'UDP/TLS/RTP/SAVPF';
const DATA_MID = '0';

/** One section of the publisher's offer. Sections keep their place and are never removed, only made inactive. */
export interface SendSection {
  mid: string;
  codec: Codec;
  /** The track's client id; LiveKit finds the announced track by it. */
  cid: string;
  /** Simulcast layers; empty for a single stream, which is identified by `ssrc`. */
  rids: readonly string[];
  ssrc: number;
  active: boolean;
  /** Packets carry transport-wide sequence numbers. */
  numbered: boolean;
}

function localSide(own: TransportDescription, version: number): LocalSide {
  return {
    parameters: own,
    candidates: own.candidates,
    sessionId: 1,
    sessionVersion: version,
    maxMessageBytes: MAX_MESSAGE_BYTES,
  };
}

const dataSection = (mid: string): WrittenSection => ({
  mid,
  kind: 'application',
  protocol: '',
  direction: undefined,
  formats: [],
  feedback: [],
  extensions: [],
});

function sendSection({ mid, codec, cid, rids, ssrc, active, numbered }: SendSection): WrittenSection {
  const isVideo = codec !== 'opus';
  const extensions = [
    ...(isVideo ? (['mid', 'rid'] as const) : (['mid', 'audioLevel'] as const)),
    ...(numbered ? (['transportSequence'] as const) : []),
  ];
  const isSimulcast = rids.length > 0;
  return {
    mid,
    kind: isVideo ? 'video' : 'audio',
    protocol: PROTOCOL,
    direction: active ? 'sendonly' : 'inactive',
    formats: [FORMATS[codec]],
    feedback: [...(isVideo ? VIDEO_FEEDBACK : ['nack']), ...(numbered ? ['transport-cc'] : [])],
    extensions: extensions.map((name) => ({ id: EXTENSION_IDS[name], uri: extensionUris[name] })),
    sent: active
      ? { ssrc: isSimulcast ? 0 : ssrc, rtxSsrc: 0, streamId: '-', trackId: cid, cname: 'rmeet' }
      : undefined,
    simulcast: active && isSimulcast ? { direction: 'send', rids, streams: rids.join(';') } : undefined,
  };
}

/** The publisher's offer: data channels first, if any, then every track there ever was. */
export function publisherOffer(
  own: TransportDescription,
  sections: readonly SendSection[],
  version: number,
  data = true,
): string {
  return writeDescription(localSide(own, version), [
    ...(data ? [dataSection(DATA_MID)] : []),
    ...sections.map(sendSection),
  ]);
}

/** The supported codec of a format; undefined for others. */
function codecOf({ name }: PayloadFormat): CodecName | undefined {
  const lower = name.toLowerCase();
  return lower in codecs ? (lower as CodecName) : undefined;
}

/** Retransmission payload types of supported formats, each with that of its media (RFC 4588). */
function rtxPayloadTypes(section: MediaSection): Map<number, number> {
  const supported = new Set(section.formats.filter(codecOf).map(({ payloadType }) => payloadType));
  return new Map(
    [...rtxFormats(section)].flatMap(([media, { payloadType }]) =>
      supported.has(media) ? [[payloadType, media] as const] : [],
    ),
  );
}

/** What a subscriber does besides receiving. */
interface ReceiveOptions {
  /** Reports arrivals for the sender's bandwidth estimate. */
  feedback: boolean;
  /** Takes repeated packets of video as RTX; else they come under their own numbers, if the sender can do that. */
  rtx: boolean;
}

function receiveSection(section: MediaSection, { feedback, rtx: takesRtx }: ReceiveOptions): WrittenSection {
  if (section.kind === 'application') return dataSection(section.mid);
  const rtx = takesRtx ? rtxPayloadTypes(section) : new Map<number, number>();
  const uris: string[] = feedback ? [extensionUris.mid, extensionUris.transportSequence] : [extensionUris.mid];
  const formats = section.formats.flatMap((format): WrittenFormat[] => {
    const codec = codecOf(format);
    if (codec) return [{ ...format, codec }];
    return rtx.has(format.payloadType) ? [format] : [];
  });
  return {
    mid: section.mid,
    kind: section.kind,
    protocol: section.protocol,
    direction: isSending(section) ? 'recvonly' : 'inactive',
    formats,
    feedback: [
      ...(section.kind === 'video' ? VIDEO_FEEDBACK : []),
      ...(feedback && extensionId(section, extensionUris.transportSequence) !== 0 ? ['transport-cc'] : []),
    ],
    extensions: section.extensions.filter(({ uri }) => uris.includes(uri)),
  };
}

/**
 * The subscriber's answer to the server's offer: receives everything, sends nothing.
 */
export function subscriberAnswer(
  offer: Description,
  own: TransportDescription,
  version: number,
  options: ReceiveOptions = { feedback: false, rtx: false },
): string {
  return writeDescription(
    localSide(own, version),
    offer.sections.map((section) => receiveSection(section, options)),
  );
}

/** The other side's transport. @throws SdpError if the description names none */
export function readTransport(sdp: string): TransportDescription {
  return { ...readDescription(sdp).peer, candidates: readCandidates(sdp) };
}

/** A stream that the other side sends. */
export interface ReceivedSection {
  mid: string;
  kind: 'audio' | 'video';
  /** The parts of msid (RFC 8830); empty if absent. */
  streamId: string;
  trackId: string;
  ssrcs: number[];
  /** Encoding names in lower case, by payload type. */
  codecs: Map<number, string>;
  /** Retransmission payload types (RFC 4588), each with that of its media. */
  rtx: Map<number, number>;
}

/** The streams in the server's description. */
export function receivedSections({ sections }: Description): ReceivedSection[] {
  return sections.flatMap((section) => {
    const { mid, kind, streamId = '', trackId = '', ssrcs, formats } = section;
    if (kind === 'application' || !isSending(section)) return [];
    const names = new Map(formats.map(({ payloadType, name }) => [payloadType, name.toLowerCase()]));
    return [{ mid, kind, streamId, trackId, ssrcs, codecs: names, rtx: rtxPayloadTypes(section) }];
  });
}

/** The id that the other side uses for an extension; 0 for none. */
export function negotiatedId({ sections }: Description, extension: keyof typeof EXTENSION_IDS): number {
  return sections.map((section) => extensionId(section, extensionUris[extension])).find((id) => id !== 0) ?? 0;
}
