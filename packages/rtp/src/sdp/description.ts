import { parse } from 'sdp-transform';

/** What one side of a connection has to know about the other for ICE and DTLS (RFC 8839, RFC 8122). */
export interface TransportParameters {
  iceUfrag: string;
  icePwd: string;
  /** SHA-256 fingerprint of the certificate, as `AB:CD:...`. */
  fingerprint: string;
  setup: 'active' | 'passive' | 'actpass';
  /** The side is an ICE-lite agent: it only answers checks (RFC 8445 section 2.5). */
  iceLite?: boolean;
}

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

/** One media section of a peer's description. */
export interface MediaSection {
  mid: string;
  kind: 'audio' | 'video' | 'application';
  protocol: string;
  /** False if the section is rejected or removed: its port is 0, and it is not part of the bundle. */
  alive: boolean;
  direction: Direction;
  formats: PayloadFormat[];
  extensions: HeaderExtension[];
  /** The stream and track ids of its msid (RFC 8830); undefined if absent, even if it sends. */
  streamId: string | undefined;
  trackId: string | undefined;
  /** Simulcast streams it sends, lowest first as the peer lists them; empty without simulcast. */
  rids: string[];
  simulcast: string | undefined;
  ssrcs: number[];
  /** Media SSRC by the SSRC of its retransmissions (RFC 4588: FID groups). */
  repeats: ReadonlyMap<number, number>;
}

/** Whether the peer sends media in this section. */
export function isSending(section: MediaSection): boolean {
  const sends = section.direction === 'sendonly' || section.direction === 'sendrecv';
  return section.alive && section.kind !== 'application' && sends;
}

export interface Description {
  peer: TransportParameters;
  sections: MediaSection[];
}

/** Bounds on the descriptions that a peer may send. */
export interface DescriptionLimits {
  bytes: number;
  sections: number;
  /** Simulcast streams of a section; further ones are ignored. */
  rids: number;
}

const NO_LIMITS: DescriptionLimits = { bytes: Infinity, sections: Infinity, rids: Infinity };

/** An unusable SDP. The message gives the reason, never the content. */
export class SdpError extends Error {}

type Parsed = ReturnType<typeof parse>;
type ParsedSection = Parsed['media'][number];

/** The lines that are used. Others are removed before parsing, as parsing costs time per line. */
const ATTRIBUTES =
  'ice-lite|ice-ufrag|ice-pwd|fingerprint|setup|mid|msid|sendrecv|sendonly|recvonly|inactive|' +
  'rtpmap|fmtp|extmap|rid|simulcast|ssrc|bundle-only|group';
const READ_LINES = new RegExp(`^(?:[vostm]=|a=(?:${ATTRIBUTES})\\b)`);

const TOKEN = /^[\w!#$%&'*+\-.^`{|}~]{1,64}$/;

/** sdp-transform turns values that look like numbers into numbers, contrary to its types. */
function text(value: string | number | undefined): string {
  return value === undefined ? '' : String(value);
}

/** The transport attributes of a bundled description: those of a section take precedence over the session's. */
function transportAttributes(session: Parsed) {
  const first = session.media.find((section) => section.iceUfrag !== undefined) ?? session.media[0];
  return {
    iceUfrag: first?.iceUfrag ?? session.iceUfrag,
    icePwd: first?.icePwd ?? session.icePwd,
    fingerprint: first?.fingerprint ?? session.fingerprint,
    setup: first?.setup ?? session.setup,
  };
}

function readPeer(session: Parsed): TransportParameters {
  const { iceUfrag, icePwd, fingerprint, setup = 'actpass' } = transportAttributes(session);
  if (iceUfrag === undefined || !/^[A-Za-z0-9+/]{4,256}$/.test(iceUfrag)) throw new SdpError('no usable ice-ufrag');
  if (icePwd === undefined || !/^[A-Za-z0-9+/]{22,256}$/.test(icePwd)) throw new SdpError('no usable ice-pwd');
  if (fingerprint?.type.toLowerCase() !== 'sha-256' || !/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/i.test(fingerprint.hash)) {
    throw new SdpError('no SHA-256 fingerprint');
  }
  if (setup !== 'active' && setup !== 'passive' && setup !== 'actpass') throw new SdpError('unknown setup');
  const lite = (session as { icelite?: string }).icelite === undefined ? {} : { iceLite: true };
  return {
    iceUfrag: text(iceUfrag),
    icePwd: text(icePwd),
    fingerprint: fingerprint.hash.toUpperCase(),
    setup,
    ...lite,
  };
}

/** `a=msid:<stream> [<track>]`: two tokens of at most 64 characters, the second one optional (RFC 8830). */
const MSID = /^a=msid:([\w!#$%&'*+\-.^`{|}~]{1,64})(?: ([\w!#$%&'*+\-.^`{|}~]{1,64}))?\s*$/;

/**
 * The stream and track of a section. sdp-transform allows fewer characters than the RFC and reads no msid with braces,
 * which Firefox writes. Several lines name several streams of one track.
 */
function readMsid(lines: readonly string[]): { streamId: string | undefined; trackId: string | undefined } {
  const found = lines.map((line) => MSID.exec(line)).filter((match) => match !== null);
  const [, streamId, trackId] = found.find((match) => match[2] !== undefined) ?? found[0] ?? [];
  return { streamId, trackId };
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

/** SSRCs of retransmissions, each with its media SSRC: `a=ssrc-group:FID <media> <retransmission>`. */
function readRepeats(section: ParsedSection): Map<number, number> {
  const repeats = new Map<number, number>();
  for (const group of section.ssrcGroups ?? []) {
    const [media, repeat] = text(group.ssrcs).split(' ').map(Number);
    if (group.semantics === 'FID' && media !== undefined && repeat !== undefined) repeats.set(repeat, media);
  }
  return repeats;
}

function readSection(section: ParsedSection, lines: readonly string[], limits: DescriptionLimits): MediaSection {
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
    ...readMsid(lines),
    rids: rids.slice(0, limits.rids),
    simulcast: sending !== undefined && /^[\w~;,-]{1,64}$/.test(sending) ? sending : undefined,
    ssrcs: [...new Set((section.ssrcs ?? []).map((line) => line.id))],
    repeats: readRepeats(section),
  };
}

/** Reads an offer or answer of a peer. @throws SdpError if it is too large or incomplete */
export function readDescription(sdp: string, limits: DescriptionLimits = NO_LIMITS): Description {
  if (sdp.length > limits.bytes) throw new SdpError('too long');
  const lines = sdp.split(/\r?\n/).filter((line) => READ_LINES.test(line));
  const session = parse(lines.join('\r\n'));
  if (session.media.length === 0 || session.media.length > limits.sections)
    throw new SdpError('no or too many sections');
  const sections = bySection(lines);
  return {
    peer: readPeer(session),
    sections: session.media.map((section, at) => readSection(section, sections[at] ?? [], limits)),
  };
}

/** The peer's ICE candidates in the first section of a bundled description, as `candidate:...`. */
export function readCandidates(sdp: string): string[] {
  const [, first = ''] = sdp.split(/^m=/m, 2);
  return [...first.matchAll(/^a=(candidate:.*?)\r?$/gm)].map((match) => match[1]!);
}
