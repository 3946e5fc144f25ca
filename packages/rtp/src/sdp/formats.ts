import { codecName, type CodecName } from '../codecs/codecs.ts';
import type { MediaSection, PayloadFormat } from './description.ts';

export const extensionUris = {
  mid: 'urn:ietf:params:rtp-hdrext:sdes:mid',
  rid: 'urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id',
  repairedRid: 'urn:ietf:params:rtp-hdrext:sdes:repaired-rtp-stream-id',
  audioLevel: 'urn:ietf:params:rtp-hdrext:ssrc-audio-level',
  sendTime: 'http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time',
  transportSequence: 'http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01',
  dependencyDescriptor: 'https://aomediacodec.github.io/av1-rtp-spec/#dependency-descriptor-rtp-header-extension',
} as const;

/** The id of an extension in a section; 0 if it is not negotiated. */
export function extensionId(section: MediaSection, uri: string): number {
  return section.extensions.find((extension) => extension.uri === uri)?.id ?? 0;
}

function parameter(format: PayloadFormat, name: string): string | undefined {
  const pair = format.parameters.split(';').find((part) => part.trim().toLowerCase().startsWith(`${name}=`));
  return pair?.split('=')[1]?.trim().toLowerCase();
}

/** Whether every browser decodes the profile: VP9 profile 0, AV1 main, H.264 in packetization mode 1. */
function isCommonProfile(codec: CodecName, format: PayloadFormat): boolean {
  if (codec === 'vp9') return (parameter(format, 'profile-id') ?? '0') === '0';
  if (codec === 'av1') return (parameter(format, 'profile') ?? '0') === '0';
  if (codec === 'h264') return parameter(format, 'packetization-mode') === '1';
  return true;
}

/** Constrained baseline ranks first: phones and old hardware encode and decode it. */
function rank(format: PayloadFormat): number {
  const profile = parameter(format, 'profile-level-id') ?? '';
  if (profile.startsWith('42e0')) return 0;
  return profile.startsWith('42') ? 1 : 2;
}

/** The supported formats of a section, one per codec; that of codec `first` leads if there is one. */
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

/** The retransmission formats of a section (RFC 4588), by the payload type of the media. */
export function rtxFormats(section: MediaSection): Map<number, PayloadFormat> {
  const found = new Map<number, PayloadFormat>();
  for (const format of section.formats) {
    const repeats = Number(parameter(format, 'apt') ?? Number.NaN);
    if (format.name.toLowerCase() === 'rtx' && Number.isInteger(repeats)) found.set(repeats, format);
  }
  return found;
}

/** Whether the packets of a section carry transport-wide sequence numbers. */
export function hasTransportSequence(section: MediaSection): boolean {
  return section.alive && extensionId(section, extensionUris.transportSequence) !== 0;
}

/** The format for redundant Opus (RED, RFC 2198) of a section. */
export function redFormat(section: MediaSection): PayloadFormat | undefined {
  const [opus] = usableFormats(section, 'opus');
  if (opus?.codec !== 'opus') return undefined;
  return section.formats.find(
    ({ name, parameters }) =>
      name.toLowerCase() === 'red' &&
      parameters.split('/').every((payloadType) => Number(payloadType) === opus.payloadType),
  );
}
