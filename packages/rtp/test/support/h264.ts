import { rtpPacket } from './packets.ts';

/** Parameter sets of 1280 x 720, by x264. */
export const SPS = Buffer.from('6742c01fd9805005ba10000003001000000301e0f1832680', 'hex');
export const PPS = Buffer.from('68ce3c80', 'hex');

/** A slice of a type that begins its picture, of this length. */
export function slice(type: 1 | 5, length = 60): Buffer {
  const unit = Buffer.alloc(length, 0xaa);
  unit[0] = 0x60 | type;
  return unit;
}

/** The packets of an access unit from its payloads. */
export function packetsOf(payloads: readonly Buffer[], sequence: number, timestamp: number): Buffer[] {
  return payloads.map((payload, n) =>
    rtpPacket({ sequence: sequence + n, timestamp, ssrc: 7, marker: n === payloads.length - 1, payload }),
  );
}

/** A STAP-A payload. */
export function aggregate(...units: Buffer[]): Buffer {
  return Buffer.concat([
    Buffer.from([0x78]),
    ...units.flatMap((unit) => [Buffer.from([unit.length >> 8, unit.length & 0xff]), unit]),
  ]);
}
