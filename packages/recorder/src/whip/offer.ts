import {
  isSending,
  readDescription,
  SdpError,
  VIDEO_FEEDBACK,
  writeDescription,
  type Description,
  type MediaSection,
  type PayloadFormat,
  type TransportParameters,
} from '@rmeet/rtp/sdp';

const LIMITS = { bytes: 65_536, sections: 8, rids: 4 };

/** An offer without H.264 pictures or Opus sound; the message is for the person who set up the encoder. */
export class CodecRefused extends Error {}

/** What an encoder offers, and the formats that are taken of it. */
export interface WhipOffer {
  description: Description;
  video: { mid: string; format: PayloadFormat } | undefined;
  audio: { mid: string; format: PayloadFormat } | undefined;
}

/** H.264 in packetization mode 1 if it is offered, else in mode 0; Opus. */
function formatOf(section: MediaSection): PayloadFormat | undefined {
  const name = section.kind === 'video' ? 'h264' : 'opus';
  const formats = section.formats.filter((format) => format.name.toLowerCase() === name);
  return formats.find(({ parameters }) => /packetization-mode=1/i.test(parameters)) ?? formats[0];
}

/** Reads the offer of an encoder. @throws SdpError; CodecRefused if it cannot send H.264, or Opus. */
export function readOffer(sdp: string): WhipOffer {
  let description: Description;
  try {
    description = readDescription(sdp, LIMITS);
  } catch (error) {
    throw error instanceof SdpError ? error : new SdpError('not a session description');
  }
  const chosen = (kind: 'audio' | 'video') => {
    const section = description.sections.find((one) => one.kind === kind && isSending(one));
    if (!section) return undefined;
    const format = formatOf(section);
    if (!format) throw new CodecRefused(kind === 'video' ? 'Only H.264 is accepted.' : 'Only Opus is accepted.');
    return { mid: section.mid, format };
  };
  const video = chosen('video');
  const audio = chosen('audio');
  if (!video && !audio) throw new SdpError('nothing is sent');
  if (video?.format.payloadType === audio?.format.payloadType) throw new SdpError('formats are not distinct');
  return { description, video, audio };
}

/** The answer: takes one section of pictures and one of sound, and rejects the others. */
export function writeAnswer(offer: WhipOffer, parameters: TransportParameters, candidates: readonly string[]): string {
  const local = { parameters, candidates, sessionId: 1, sessionVersion: 1, maxMessageBytes: 0 };
  return writeDescription(
    local,
    offer.description.sections.map((section) => {
      const taken = [offer.video, offer.audio].find((one) => one?.mid === section.mid);
      const kind = section.kind === 'video' ? ('video' as const) : ('audio' as const);
      return {
        mid: section.mid,
        kind,
        protocol: section.protocol,
        direction: taken ? ('recvonly' as const) : undefined,
        formats: taken ? [{ ...taken.format, codec: kind === 'video' ? ('h264' as const) : ('opus' as const) }] : [],
        fallbackPayloadType: section.formats[0]?.payloadType,
        feedback: kind === 'video' ? [...VIDEO_FEEDBACK, 'goog-remb'] : [],
        extensions: [],
      };
    }),
  );
}

/** The candidates with a copy of each host candidate at the address that is announced to the outside. */
export function announced(candidates: readonly string[], address: string | undefined): string[] {
  if (address === undefined) return [...candidates];
  const outside = candidates.flatMap((candidate) => {
    const words = candidate.split(' ');
    if (words[4] === undefined || words[4].includes(':') !== address.includes(':')) return [];
    return [words.with(0, `${words[0]}9`).with(4, address).join(' ')];
  });
  return [...new Set([...outside.slice(0, 1), ...candidates])];
}
