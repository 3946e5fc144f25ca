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
function acceptedExtensions(section: MediaSection, codec: CodecName | undefined): HeaderExtension[] {
  // senders of other codecs would add the descriptor to every packet although it is not used
  const withoutDescriptor = isSending(section) && codec !== 'av1' && codec !== 'vp9';
  const usable = section.extensions.filter(
    ({ uri, id }) =>
      accepted.has(uri) && id >= 1 && id <= 255 && !(withoutDescriptor && uri === extensionUris.dependencyDescriptor),
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

/** What this side does in a section of the peer's offer; neither means inactive for now. */
export interface SectionRole {
  receives?: {
    codec: CodecName;
    /** Whether an audio sender omits silence. */
    dtx: boolean;
    /** Whether an audio sender repeats earlier frames in each packet (RFC 2198), if it can. */
    red: boolean;
    stereo: boolean;
  };
  sends?: { codec: CodecName; stream: SentStream };
}

/**
 * Opus for sending, independent of what the sender wants to receive: without silence and in stereo only if the sender
 * announced it.
 */
function withAudioParameters<T extends PayloadFormat & { codec: CodecName }>(format: T, role: SectionRole): T {
  if (!role.receives || format.codec !== 'opus') return format;
  const { dtx, stereo } = role.receives;
  const others = format.parameters.split(';').filter((part) => !/^(usedtx|stereo|sprop-stereo)=|^$/.test(part.trim()));
  const parameters = [...others, ...(dtx ? ['usedtx=1'] : []), ...(stereo ? ['stereo=1'] : [])].join(';');
  return { ...format, parameters };
}

/**
 * Start value of Chromium's own estimate, kbit/s (a parameter of its SDP; other browsers ignore it). From its default
 * of 300 it takes half a minute to reach the best layer of a camera that shows little movement.
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

/** The accepted formats of a section, `codec` first, each with its retransmission or redundancy format. */
function answerFormats(section: MediaSection, role: SectionRole, codec: CodecName | undefined): WrittenFormat[] {
  const rtx = rtxFormats(section);
  const red = redFormat(section);
  return usableFormats(section, codec).flatMap((format): WrittenFormat[] => {
    const written = withStart(withAudioParameters(format, role), section, role);
    const retransmission = rtx.get(format.payloadType);
    if (retransmission) return [written, retransmission];
    if (!red || format.codec !== 'opus') return [written];
    // a sender uses the first format
    if (role.receives) return role.receives.red ? [red, written] : [written];
    return [written, red];
  });
}

/**
 * The answer to one section of an offer. The section's mid and rid extensions are always accepted, or Chromium rejects
 * its own later simulcast offer.
 */
export function answerSection(section: MediaSection, role: SectionRole): WrittenSection {
  const sending = isSending(section);
  const codec = role.receives?.codec ?? role.sends?.codec;
  const formats = answerFormats(section, role, codec);
  const usable = section.alive && (section.kind === 'application' || formats.length > 0);
  const direction = role.sends ? 'sendonly' : sending ? 'recvonly' : 'inactive';
  const extensions = acceptedExtensions(section, codec);
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
