import { parse } from 'sdp-transform';
import { limits } from '../limits.ts';
import type { PeerParameters } from '../transport/media-transport.ts';

export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

export interface PayloadFormat {
  payloadType: number;
  /** Encoding name as written, e.g. `VP8`, `opus`, `rtx`. */
  name: string;
  clockRate: number;
  channels: number | undefined;
  /** The fmtp line's parameters, empty when there is none. */
  parameters: string;
}

export interface HeaderExtension {
  id: number;
  uri: string;
}

/** One m-line of a peer's description. */
export interface MediaSection {
  mid: string;
  kind: 'audio' | 'video' | 'application';
  protocol: string;
  /** False when the peer set the port to 0 and left the bundle: the section is dead. */
  alive: boolean;
  direction: Direction;
  formats: PayloadFormat[];
  extensions: HeaderExtension[];
  /**
   * The id of the track it sends, out of msid; undefined where none is named, which says nothing of whether it sends.
   */
  trackId: string | undefined;
  /** Simulcast streams it sends, worst first as the peer lists them; empty without simulcast. */
  rids: string[];
  simulcast: string | undefined;
  ssrcs: number[];
  /** The media stream each retransmission stream belongs to, by SSRC (RFC 4588: FID groups). */
  repeats: ReadonlyMap<number, number>;
}

/** True when the peer sends media in this section. */
export function isSending(section: MediaSection): boolean {
  const sends = section.direction === 'sendonly' || section.direction === 'sendrecv';
  return section.alive && section.kind !== 'application' && sends;
}

export interface Description {
  peer: PeerParameters;
  sections: MediaSection[];
}

/** An SDP the engine cannot work with. The message names the reason, never the content. */
export class SdpError extends Error {}

type Parsed = ReturnType<typeof parse>;
type ParsedSection = Parsed['media'][number];

/** What is read of a description. The rest is left out before it is taken apart, which costs by the line. */
const READ_LINES =
  /^(?:[vostm]=|a=(?:ice-ufrag|ice-pwd|fingerprint|setup|mid|msid|sendrecv|sendonly|recvonly|inactive|rtpmap|fmtp|extmap|rid|simulcast|ssrc|bundle-only|group)\b)/;

const TOKEN = /^[\w!#$%&'*+\-.^`{|}~]{1,64}$/;

/** sdp-transform makes numbers of values that look like one, whatever its types say. */
function text(value: string | number | undefined): string {
  return value === undefined ? '' : String(value);
}

function readPeer(session: Parsed): PeerParameters {
  const first = session.media.find((section) => section.iceUfrag !== undefined) ?? session.media[0];
  const iceUfrag = first?.iceUfrag ?? session.iceUfrag;
  const icePwd = first?.icePwd ?? session.icePwd;
  const fingerprint = first?.fingerprint ?? session.fingerprint;
  const setup = first?.setup ?? session.setup ?? 'actpass';
  if (iceUfrag === undefined || !/^[A-Za-z0-9+/]{4,256}$/.test(iceUfrag)) throw new SdpError('no usable ice-ufrag');
  if (icePwd === undefined || !/^[A-Za-z0-9+/]{22,256}$/.test(icePwd)) throw new SdpError('no usable ice-pwd');
  if (fingerprint?.type.toLowerCase() !== 'sha-256' || !/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/i.test(fingerprint.hash)) {
    throw new SdpError('no SHA-256 fingerprint');
  }
  if (setup !== 'active' && setup !== 'passive' && setup !== 'actpass') throw new SdpError('unknown setup');
  return { iceUfrag: text(iceUfrag), icePwd: text(icePwd), fingerprint: fingerprint.hash.toUpperCase(), setup };
}

/** `a=msid:<stream> [<track>]`: two tokens of at most 64 characters, the second one optional (RFC 8830). */
const MSID = /^a=msid:([\w!#$%&'*+\-.^`{|}~]{1,64})(?: ([\w!#$%&'*+\-.^`{|}~]{1,64}))?\s*$/;

/**
 * The track of a section, out of its own lines: sdp-transform knows other characters than the RFC, and gives nothing of
 * an msid with braces, which Firefox writes. Several lines name several streams of one track.
 */
function readTrackId(lines: readonly string[]): string | undefined {
  return lines.map((line) => MSID.exec(line)?.[2]).find((track) => track !== undefined);
}

/** The lines of each section. */
function bySection(lines: readonly string[]): string[][] {
  const sections: string[][] = [];
  for (const line of lines) {
    if (line.startsWith('m=')) sections.push([]);
    sections.at(-1)?.push(line);
  }
  return sections;
}

/** SSRCs of retransmissions and what they repeat: `a=ssrc-group:FID <media> <retransmission>`. */
function readRepeats(section: ParsedSection): Map<number, number> {
  const repeats = new Map<number, number>();
  for (const group of section.ssrcGroups ?? []) {
    const [media, repeat] = text(group.ssrcs).split(' ').map(Number);
    if (group.semantics === 'FID' && media !== undefined && repeat !== undefined) repeats.set(repeat, media);
  }
  return repeats;
}

function readSection(section: ParsedSection, lines: readonly string[]): MediaSection {
  const kind = section.type;
  if (kind !== 'audio' && kind !== 'video' && kind !== 'application') throw new SdpError('unknown media type');
  const mid = text(section.mid);
  if (!TOKEN.test(mid)) throw new SdpError('no usable mid');
  const parameters = new Map(section.fmtp.map((line) => [line.payload, line.config]));
  const rids = (section.rids ?? []).filter((rid) => rid.direction === 'send').map((rid) => text(rid.id));
  if (!rids.every((rid) => TOKEN.test(rid))) throw new SdpError('unusable rid');
  const sending = section.simulcast?.dir1 === 'send' ? section.simulcast.list1 : undefined;
  return {
    mid,
    kind,
    protocol: section.protocol,
    alive: section.port !== 0 || (section as { bundleOnly?: unknown }).bundleOnly !== undefined,
    direction: section.direction ?? 'sendrecv',
    formats: section.rtp.map((format) => ({
      payloadType: format.payload,
      name: format.codec,
      clockRate: format.rate ?? 0,
      channels: format.encoding,
      parameters: parameters.get(format.payload) ?? '',
    })),
    extensions: (section.ext ?? []).map((extension) => ({ id: extension.value, uri: extension.uri })),
    trackId: readTrackId(lines),
    rids: rids.slice(0, limits.layersPerTrack),
    simulcast: sending !== undefined && /^[\w~;,-]{1,64}$/.test(sending) ? sending : undefined,
    ssrcs: [...new Set((section.ssrcs ?? []).map((line) => line.id))],
    repeats: readRepeats(section),
  };
}

/** Reads an offer or answer of a peer. Throws SdpError when it is too large or lacks what the engine needs. */
export function readDescription(sdp: string): Description {
  if (sdp.length > limits.sdpBytes) throw new SdpError('too long');
  const lines = sdp.split(/\r?\n/).filter((line) => READ_LINES.test(line));
  const session = parse(lines.join('\r\n'));
  if (session.media.length === 0 || session.media.length > limits.mediaSections)
    throw new SdpError('no or too many sections');
  const sections = bySection(lines);
  return {
    peer: readPeer(session),
    sections: session.media.map((section, at) => readSection(section, sections[at] ?? [])),
  };
}
