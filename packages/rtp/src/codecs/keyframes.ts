import type { CodecName } from './codecs.ts';
import { H264 } from './h264.ts';
import { Vp8Descriptor } from './vp8-descriptor.ts';

const vp8 = new Vp8Descriptor();

/**
 * H.264 (RFC 6184): a sequence parameter set, alone, in an aggregate, or as the start of a fragment. Without one, a new
 * receiver cannot decode an IDR picture.
 */
function isH264Keyframe(buffer: Buffer, start: number, end: number): boolean {
  const type = buffer[start]! & 0x1f;
  if (type === H264.sps) return true;
  if (type === H264.fragment) {
    const fragment = buffer[start + 1] ?? 0;
    return start + 1 < end && (fragment & 0x80) !== 0 && (fragment & 0x1f) === H264.sps;
  }
  if (type !== H264.aggregate) return false;
  for (let at = start + 1; at + 2 < end; at += 2 + ((buffer[at]! << 8) | buffer[at + 1]!)) {
    if ((buffer[at + 2]! & 0x1f) === H264.sps) return true;
  }
  return false;
}

/** VP9 (RFC 9628): the start of a frame that is not inter-predicted, in the lowest spatial layer. */
function isVp9Keyframe(buffer: Buffer, start: number, end: number): boolean {
  const first = buffer[start]!;
  if ((first & 0x40) !== 0 || (first & 0x08) === 0) return false;
  if ((first & 0x20) === 0) return true;
  let at = start + 1;
  if ((first & 0x80) !== 0) at += at < end && (buffer[at]! & 0x80) !== 0 ? 2 : 1;
  return at < end && ((buffer[at]! >> 1) & 0x07) === 0;
}

/** Whether a payload is the first of a key frame; true for audio. */
export function isKeyframe(codec: CodecName, buffer: Buffer, start: number, end: number): boolean {
  if (start >= end) return false;
  if (codec === 'vp8') return vp8.parse(buffer, start, end) && vp8.keyframe;
  if (codec === 'h264') return isH264Keyframe(buffer, start, end);
  if (codec === 'vp9') return isVp9Keyframe(buffer, start, end);
  // AV1 (RTP payload format, section 4.4): N marks the start of a coded video sequence
  if (codec === 'av1') return (buffer[start]! & 0x08) !== 0;
  return true;
}
