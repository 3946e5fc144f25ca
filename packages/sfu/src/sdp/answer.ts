import type { CodecName, MediaKind } from '@rmeet/rtp';
import {
  extensionUris,
  type HeaderExtension,
  isSending,
  type MediaSection,
  type PayloadFormat,
  redFormat,
  rtxFormats,
  type SentStream,
  usableFormats,
  VIDEO_FEEDBACK,
  type WrittenFormat,
  type WrittenSection,
} from '@rmeet/rtp/sdp';

const accepted = new Set<string>(Object.values(extensionUris));

/**
 * The header extensions that the engine accepts in a section. Absolute send times are used only for peers without
 * transport-wide feedback.
 */
function acceptedExtensions(section: MediaSection): HeaderExtension[] {
  const usable = section.extensions.filter(
    (extension) => accepted.has(extension.uri) && extension.id >= 1 && extension.id <= 255,
  );
  const numbered = usable.some((extension) => extension.uri === extensionUris.transportSequence);
  return numbered ? usable.filter((extension) => extension.uri !== extensionUris.sendTime) : usable;
}

/** RTCP feedback for the codecs of a section: transport-wide if packets are numbered for it, else REMB for video. */
export function feedbackTypes(kind: MediaKind, extensions: readonly HeaderExtension[]): string[] {
  const hasTransportSequence = extensions.some(({ uri }) => uri === extensionUris.transportSequence);
  const estimation = hasTransportSequence ? ['transport-cc'] : kind === 'video' ? ['goog-remb'] : [];
  return [...estimation, ...(kind === 'video' ? VIDEO_FEEDBACK : ['nack'])];
}

/** What this side does in a section of the peer's offer; neither: nothing, now. */
export interface SectionRole {
  receives?: {
    codec: CodecName;
    /** Whether an audio sender leaves silence out. */
    dtx: boolean;
    /** Whether an audio sender repeats earlier frames in each packet (RFC 2198), if it can. */
    red: boolean;
    stereo: boolean;
  };
  sends?: { codec: CodecName; stream: SentStream };
}

/**
 * Opus as this sender should send it, whatever it would like to receive: silence left out and stereo only where it said
 * so.
 */
function withAudioParameters<T extends PayloadFormat & { codec: CodecName }>(format: T, role: SectionRole): T {
  if (!role.receives || format.codec !== 'opus') return format;
  const { dtx, stereo } = role.receives;
  const others = format.parameters.split(';').filter((part) => !/^(usedtx|stereo|sprop-stereo)=|^$/.test(part.trim()));
  const parameters = [...others, ...(dtx ? ['usedtx=1'] : []), ...(stereo ? ['stereo=1'] : [])].join(';');
  return { ...format, parameters };
}

/**
 * Where Chromium's own estimate begins, kbit/s (a parameter of its SDP; others pass over it). From its default of 300
 * it takes half a minute to the best layer of a camera that shows little movement.
 */
const START_KBITS = 1500;

function withStart<T extends PayloadFormat & { codec: CodecName }>(
  format: T,
  section: MediaSection,
  role: SectionRole,
): T {
  if (!role.receives || section.kind !== 'video') return format;
  const start = `x-google-start-bitrate=${START_KBITS}`;
  return { ...format, parameters: format.parameters === '' ? start : `${format.parameters};${start}` };
}

/**
 * What the answer says to one section of an offer. The section's mid and rid extensions are always
 * taken, or Chromium refuses its own later simulcast offer.
 */
export function answerSection(section: MediaSection, role: SectionRole): WrittenSection {
  const sending = isSending(section);
  const codec = role.receives?.codec ?? role.sends?.codec;
  const rtx = rtxFormats(section);
  const red = redFormat(section);
  const formats = usableFormats(section, codec).flatMap((format): WrittenFormat[] => {
    const written = withStart(withAudioParameters(format, role), section, role);
    const repeated = rtx.get(format.payloadType);
    if (repeated) return [written, repeated];
    if (!red || format.codec !== 'opus') return [written];
    // the first is what a sender uses
    if (role.receives) return role.receives.red ? [red, written] : [written];
    return [written, red];
  });
  const usable = section.alive && (section.kind === 'application' || formats.length > 0);
  const direction = role.sends ? 'sendonly' : sending ? 'recvonly' : 'inactive';
  // senders of other codecs would add the descriptor to every packet for nobody
  const withoutDescriptor = sending && codec !== 'av1' && codec !== 'vp9';
  const extensions = acceptedExtensions(section).filter(
    (extension) => !(withoutDescriptor && extension.uri === extensionUris.dependencyDescriptor),
  );
  return {
    mid: section.mid,
    kind: section.kind,
    protocol: section.protocol,
    direction: usable ? direction : undefined,
    formats,
    fallbackPayloadType: section.formats[0]?.payloadType,
    feedback: section.kind === 'application' ? [] : feedbackTypes(section.kind, extensions),
    extensions,
    sent: role.sends?.stream,
    simulcast:
      sending && section.simulcast !== undefined
        ? { direction: 'recv', rids: section.rids, streams: section.simulcast }
        : undefined,
  };
}
