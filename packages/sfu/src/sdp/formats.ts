import { codecName, type CodecName } from '../forwarding/codecs.ts';
import type { NamedSection } from '../forwarding/section-name.ts';
import type { HeaderExtension, MediaSection, PayloadFormat } from './description.ts';

export const extensionUris = {
  mid: 'urn:ietf:params:rtp-hdrext:sdes:mid',
  rid: 'urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id',
  repairedRid: 'urn:ietf:params:rtp-hdrext:sdes:repaired-rtp-stream-id',
  audioLevel: 'urn:ietf:params:rtp-hdrext:ssrc-audio-level',
  sendTime: 'http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time',
  transportSequence: 'http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01',
  dependencyDescriptor: 'https://aomediacodec.github.io/av1-rtp-spec/#dependency-descriptor-rtp-header-extension',
} as const;

const accepted = new Set<string>(Object.values(extensionUris));

/**
 * The header extensions of a section that the engine answers with. Absolute send times serve only peers without
 * transport-wide feedback.
 */
export function acceptedExtensions(section: MediaSection): HeaderExtension[] {
  const usable = section.extensions.filter(
    (extension) => accepted.has(extension.uri) && extension.id >= 1 && extension.id <= 255,
  );
  const numbered = usable.some((extension) => extension.uri === extensionUris.transportSequence);
  return numbered ? usable.filter((extension) => extension.uri !== extensionUris.sendTime) : usable;
}

/** The id a section gives an extension, 0 when it has none. */
export function extensionId(section: MediaSection, uri: string): number {
  return section.extensions.find((extension) => extension.uri === uri)?.id ?? 0;
}

function parameter(format: PayloadFormat, name: string): string | undefined {
  const pair = format.parameters.split(';').find((part) => part.trim().toLowerCase().startsWith(`${name}=`));
  return pair?.split('=')[1]?.trim().toLowerCase();
}

/** Profiles every browser decodes: VP9 profile 0, AV1 main, H.264 in packetization mode 1. */
function isCommonProfile(codec: CodecName, format: PayloadFormat): boolean {
  if (codec === 'vp9') return (parameter(format, 'profile-id') ?? '0') === '0';
  if (codec === 'av1') return (parameter(format, 'profile') ?? '0') === '0';
  if (codec === 'h264') return parameter(format, 'packetization-mode') === '1';
  return true;
}

/** Constrained baseline first: what phones and old hardware encode and decode. */
function rank(format: PayloadFormat): number {
  const profile = parameter(format, 'profile-level-id') ?? '';
  if (profile.startsWith('42e0')) return 0;
  return profile.startsWith('42') ? 1 : 2;
}

/** The formats of a section the engine can carry, one per codec, `first` leading when it is there. */
export function usableFormats(section: MediaSection, first?: CodecName): Array<PayloadFormat & { codec: CodecName }> {
  const best = new Map<CodecName, PayloadFormat & { codec: CodecName }>();
  for (const format of section.formats) {
    const codec = codecName(format.name);
    if (!codec || !isCommonProfile(codec, format)) continue;
    const before = best.get(codec);
    if (!before || (codec === 'h264' && rank(format) < rank(before))) best.set(codec, { ...format, codec });
  }
  const list = [...best.values()];
  return first === undefined ? list : list.toSorted((a, b) => Number(b.codec === first) - Number(a.codec === first));
}

/** What a peer takes in one of its sections: the codecs it can receive, and the ids of the extensions it knows. */
export interface ReceivableSection {
  payloadTypes: ReadonlyMap<CodecName, number>;
  /** Payload types of retransmissions (RFC 4588), by that of the media. */
  rtx: ReadonlyMap<number, number>;
  /** Payload type of sound with redundancy (RFC 2198), 0 for none. */
  red: number;
  descriptorId: number;
  transportId: number;
  section: NamedSection;
}

/** The retransmission formats of a section, by the payload type they repeat. */
export function rtxFormats(section: MediaSection): Map<number, PayloadFormat> {
  const found = new Map<number, PayloadFormat>();
  for (const format of section.formats) {
    const repeats = Number(parameter(format, 'apt') ?? Number.NaN);
    if (format.name.toLowerCase() === 'rtx' && Number.isInteger(repeats)) found.set(repeats, format);
  }
  return found;
}

/** Whether packets in a section carry transport-wide sequence numbers. */
export function isNumbered(section: MediaSection): boolean {
  return section.alive && extensionId(section, extensionUris.transportSequence) !== 0;
}

/** A section's format for Opus with redundancy (RFC 2198). */
export function redFormat(section: MediaSection): PayloadFormat | undefined {
  const [opus] = usableFormats(section, 'opus');
  if (opus?.codec !== 'opus') return undefined;
  return section.formats.find(
    ({ name, parameters }) =>
      name.toLowerCase() === 'red' &&
      parameters.split('/').every((payloadType) => Number(payloadType) === opus.payloadType),
  );
}

/** What can be sent in a section of a peer's offer or answer. */
export function receivable(section: MediaSection): ReceivableSection {
  return {
    payloadTypes: new Map(usableFormats(section).map(({ codec, payloadType }) => [codec, payloadType])),
    rtx: new Map([...rtxFormats(section)].map(([repeats, { payloadType }]) => [repeats, payloadType])),
    red: redFormat(section)?.payloadType ?? 0,
    descriptorId: extensionId(section, extensionUris.dependencyDescriptor),
    transportId: extensionId(section, extensionUris.transportSequence),
    section: { mid: section.mid, extensionId: extensionId(section, extensionUris.mid) },
  };
}
