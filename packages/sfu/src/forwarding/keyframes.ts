import type { CodecName } from './codecs.ts';

/** H.264 (RFC 6184): an SPS or IDR, alone, first in an aggregate, or as the start of a fragment. */
function isH264Keyframe(buffer: Buffer, start: number, end: number): boolean {
  const type = buffer[start]! & 0x1f;
  if (type === 5 || type === 7) return true;
  if (type === 24) return start + 3 < end && [5, 7].includes(buffer[start + 3]! & 0x1f);
  if (type !== 28 || start + 1 >= end) return false;
  const fragment = buffer[start + 1]!;
  return (fragment & 0x80) !== 0 && [5, 7].includes(fragment & 0x1f);
}

/** VP9 (RFC 9628): begin of a frame that is not predicted, in the lowest spatial layer. */
function isVp9Keyframe(buffer: Buffer, start: number, end: number): boolean {
  const first = buffer[start]!;
  if ((first & 0x40) !== 0 || (first & 0x08) === 0) return false;
  if ((first & 0x20) === 0) return true;
  let at = start + 1;
  if ((first & 0x80) !== 0) at += at < end && (buffer[at]! & 0x80) !== 0 ? 2 : 1;
  return at < end && ((buffer[at]! >> 1) & 0x07) === 0;
}

/** True for the first packet of a key frame. VP8 is read by its own descriptor. */
export function isKeyframe(codec: CodecName, buffer: Buffer, start: number, end: number): boolean {
  if (start >= end) return false;
  if (codec === 'h264') return isH264Keyframe(buffer, start, end);
  if (codec === 'vp9') return isVp9Keyframe(buffer, start, end);
  // AV1 (RTP payload format 4.4): N says a new coded video sequence starts here
  if (codec === 'av1') return (buffer[start]! & 0x08) !== 0;
  return true;
}
