/** The media messages of RTMP: FLV tag bodies (Adobe Flash Video File Format 10.1, annex E) with H.264 and AAC. */

/** Decoder configurations, sent before the first frame and after each change. */
export interface MediaConfig {
  kind: 'video' | 'audio';
  /** AVCDecoderConfigurationRecord (ISO 14496-15, 5.3.3.1), or AudioSpecificConfig (ISO 14496-3, 1.6.2.1). */
  config: Buffer;
}

/** One coded picture or AAC frame. */
export interface MediaFrame {
  kind: 'video' | 'audio';
  /** Decoding time, ms from the start of the stream. */
  time: number;
  /** Presentation time less decoding time, ms; 0 without B-frames, and for audio. */
  offset: number;
  isKeyFrame: boolean;
  /** NAL units with lengths of four bytes, or a raw AAC frame. */
  data: Buffer;
}

/** A media message that is not understood. */
export interface UnknownMedia {
  kind: 'unknown';
  /** What it is, for logs and for the sentence that the encoder's user sees. */
  codec: string;
}

const H264 = 7;
const AAC = 10;
const KEY_FRAME = 1;
const INTER_FRAME = 2;
/** Packet types of a video and an audio tag. */
const SEQUENCE_HEADER = 0;
const CODED = 1;
/** AAC is always marked as 44 kHz, 16 bits, stereo; the configuration has the real values (E.4.2.1). */
const AAC_TAG = (AAC << 4) | 0x0f;
/** Enhanced RTMP marks its video tags by this bit, and names the codec in four characters. */
const ENHANCED = 0x80;

const VIDEO_CODECS: Record<number, string> = { 2: 'H.263', 3: 'Screen', 4: 'VP6', 5: 'VP6', 6: 'Screen', 12: 'HEVC' };
const AUDIO_CODECS: Record<number, string> = {
  0: 'PCM',
  2: 'MP3',
  3: 'PCM',
  5: 'Nellymoser',
  9: 'Enhanced',
  11: 'Speex',
};

export function writeConfig({ kind, config }: MediaConfig): Buffer {
  const head = kind === 'video' ? [(KEY_FRAME << 4) | H264, SEQUENCE_HEADER, 0, 0, 0] : [AAC_TAG, SEQUENCE_HEADER];
  return Buffer.concat([Buffer.from(head), config]);
}

export function writeFrame({ kind, offset, isKeyFrame, data }: MediaFrame): Buffer {
  if (kind === 'audio') return Buffer.concat([Buffer.from([AAC_TAG, CODED]), data]);
  const head = Buffer.from([((isKeyFrame ? KEY_FRAME : INTER_FRAME) << 4) | H264, CODED, 0, 0, 0]);
  head.writeIntBE(offset, 2, 3);
  return Buffer.concat([head, data]);
}

/** Reads a video message that came at `time`; null for an empty one and for the end of a sequence. */
export function readVideo(payload: Buffer, time: number): MediaConfig | MediaFrame | UnknownMedia | null {
  if (payload.length < 5) return null;
  const first = payload[0]!;
  if ((first & ENHANCED) !== 0) return { kind: 'unknown', codec: payload.toString('latin1', 1, 5) };
  const codec = first & 0x0f;
  if (codec !== H264) return { kind: 'unknown', codec: VIDEO_CODECS[codec] ?? `video ${codec}` };
  const data = payload.subarray(5);
  if (payload[1] === SEQUENCE_HEADER) return { kind: 'video', config: data };
  if (payload[1] !== CODED || data.length === 0) return null;
  return { kind: 'video', time, offset: payload.readIntBE(2, 3), isKeyFrame: first >> 4 === KEY_FRAME, data };
}

/** Reads an audio message that came at `time`; null for an empty one. */
export function readAudio(payload: Buffer, time: number): MediaConfig | MediaFrame | UnknownMedia | null {
  if (payload.length < 2) return null;
  const codec = payload[0]! >> 4;
  if (codec !== AAC) return { kind: 'unknown', codec: AUDIO_CODECS[codec] ?? `audio ${codec}` };
  const data = payload.subarray(2);
  if (payload[1] === SEQUENCE_HEADER) return { kind: 'audio', config: data };
  return data.length === 0 ? null : { kind: 'audio', time, offset: 0, isKeyFrame: true, data };
}
