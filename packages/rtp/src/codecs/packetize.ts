import { annexBUnits, H264, unitType } from './h264.ts';

/** Where the 15-bit picture id stands in a payload of `packetizeVp8`. */
export const VP8_PICTURE_ID_OFFSET = 2;

/**
 * Splits a VP8 frame into payloads of at most `maxBytes` coded bytes, each with a payload descriptor that has a 15-bit
 * picture id of 0 (RFC 7741 section 4.2).
 */
export function packetizeVp8(frame: Buffer, maxBytes: number): Buffer[] {
  const payloads: Buffer[] = [];
  for (let at = 0; at < frame.length; at += maxBytes) {
    const descriptor = Buffer.from([at === 0 ? 0x90 : 0x80, 0x80, 0x80, 0]);
    payloads.push(Buffer.concat([descriptor, frame.subarray(at, at + maxBytes)]));
  }
  return payloads;
}

function fragment(unit: Buffer, maxBytes: number): Buffer[] {
  const fragments: Buffer[] = [];
  for (let at = 1; at < unit.length; at += maxBytes) {
    const flags = (at === 1 ? 0x80 : 0) | (at + maxBytes >= unit.length ? 0x40 : 0);
    const head = Buffer.from([(unit[0]! & 0x60) | H264.fragment, flags | (unit[0]! & 0x1f)]);
    fragments.push(Buffer.concat([head, unit.subarray(at, at + maxBytes)]));
  }
  return fragments;
}

/**
 * Splits an H.264 access unit in Annex B format into single NAL units and FU-A fragments (RFC 6184 sections 5.6 and
 * 5.8). Access unit delimiters are omitted.
 */
export function packetizeH264(accessUnit: Buffer, maxBytes: number): Buffer[] {
  return annexBUnits(accessUnit)
    .filter((unit) => unitType(unit) !== H264.delimiter)
    .flatMap((unit) => (unit.length <= maxBytes ? [unit] : fragment(unit, maxBytes)));
}
