/** RTCP: feedback a sender answers (RFC 4585, RFC 5104), reports both sides make (RFC 3550, section 6.4). */

/** Seconds between 1900 (NTP) and 1970 (Unix). */
const NTP_TO_UNIX_SECONDS = 2_208_988_800;

export interface Feedback {
  /** The sender is asked for a key frame of this stream (PLI or FIR). */
  keyFrame?(ssrc: number): void;
  /** Packets of a stream the receiver misses. */
  nack?(ssrc: number, sequence: number): void;
  /** A report of the stream's sender: NTP time (middle 32 bits), RTP timestamp, and the NTP time as ms of Unix time. */
  senderReport?(ssrc: number, ntpMiddle: number, timestamp: number, unixMs: number): void;
}

/** Reads a compound packet; unknown and broken parts are passed over. */
export function readRtcp(packet: Buffer, to: Feedback): void {
  for (let at = 0; at + 8 <= packet.length;) {
    const format = packet[at]! & 31;
    const type = packet[at + 1]!;
    const end = at + (packet.readUInt16BE(at + 2) + 1) * 4;
    if (end > packet.length) return;
    if (type === 200 && end - at >= 28) {
      const unixMs =
        (packet.readUInt32BE(at + 8) - NTP_TO_UNIX_SECONDS + packet.readUInt32BE(at + 12) / 2 ** 32) * 1000;
      to.senderReport?.(
        packet.readUInt32BE(at + 4),
        packet.readUInt32BE(at + 10),
        packet.readUInt32BE(at + 16),
        unixMs,
      );
    }
    if (type === 206 && format === 1 && end - at >= 12) to.keyFrame?.(packet.readUInt32BE(at + 8));
    else if (type === 206 && format === 4)
      for (let fci = at + 12; fci + 8 <= end; fci += 8) to.keyFrame?.(packet.readUInt32BE(fci));
    else if (type === 205 && format === 1) readNack(packet, at, end, to);
    at = end;
  }
}

function readNack(packet: Buffer, at: number, end: number, to: Feedback): void {
  if (!to.nack || end - at < 12) return;
  const ssrc = packet.readUInt32BE(at + 8);
  for (let fci = at + 12; fci + 4 <= end; fci += 4) {
    const sequence = packet.readUInt16BE(fci);
    const following = packet.readUInt16BE(fci + 2);
    to.nack(ssrc, sequence);
    for (let bit = 0; bit < 16; bit++) if (following & (1 << bit)) to.nack(ssrc, (sequence + bit + 1) & 0xffff);
  }
}

/** A picture loss indication for one stream. */
export function pli(ssrc: number): Buffer {
  const packet = Buffer.alloc(12);
  packet[0] = 0x81;
  packet[1] = 206;
  packet.writeUInt16BE(2, 2);
  packet.writeUInt32BE(1, 4);
  packet.writeUInt32BE(ssrc, 8);
  return packet;
}

/** A negative acknowledgement of ascending sequence numbers (modulo 65,536). */
export function nack(ssrc: number, sequences: readonly number[]): Buffer {
  const fields: [number, number][] = [];
  for (const sequence of sequences) {
    const last = fields.at(-1);
    const distance = last ? (sequence - last[0]) & 0xffff : 0;
    if (last && distance <= 16) last[1] |= 1 << (distance - 1);
    else fields.push([sequence, 0]);
  }
  const packet = Buffer.alloc(12 + fields.length * 4);
  packet[0] = 0x81;
  packet[1] = 205;
  packet.writeUInt16BE(2 + fields.length, 2);
  packet.writeUInt32BE(1, 4);
  packet.writeUInt32BE(ssrc, 8);
  fields.forEach(([sequence, following], i) => {
    packet.writeUInt16BE(sequence, 12 + i * 4);
    packet.writeUInt16BE(following, 14 + i * 4);
  });
  return packet;
}

/** Writes a sender report into `packet` (28 bytes at least). `now` is Unix time in ms. */
export function writeSenderReport(
  packet: Buffer,
  ssrc: number,
  now: number,
  timestamp: number,
  packets: number,
  bytes: number,
): void {
  packet[0] = 0x80;
  packet[1] = 200;
  packet.writeUInt16BE(6, 2);
  packet.writeUInt32BE(ssrc, 4);
  packet.writeUInt32BE((Math.floor(now / 1000) + NTP_TO_UNIX_SECONDS) >>> 0, 8);
  packet.writeUInt32BE(Math.floor(((now % 1000) / 1000) * 2 ** 32) >>> 0, 12);
  packet.writeUInt32BE(timestamp >>> 0, 16);
  packet.writeUInt32BE(packets >>> 0, 20);
  packet.writeUInt32BE(bytes >>> 0, 24);
}

export interface ReportBlock {
  ssrc: number;
  /** Share lost since the last report, in 1/256. */
  fraction: number;
  lost: number;
  highest: number;
  /** RTP timestamp units. */
  jitter: number;
  lastReport: number;
  /** Since the last sender report came, in 1/65,536 s. */
  delay: number;
}

/** A receiver report; more than 31 blocks need several. */
export function receiverReport(blocks: readonly ReportBlock[]): Buffer {
  const packet = Buffer.alloc(8 + blocks.length * 24);
  packet[0] = 0x80 | blocks.length;
  packet[1] = 201;
  packet.writeUInt16BE(packet.length / 4 - 1, 2);
  packet.writeUInt32BE(1, 4);
  blocks.forEach((block, i) => {
    const at = 8 + i * 24;
    packet.writeUInt32BE(block.ssrc, at);
    packet.writeUInt32BE(
      ((block.fraction << 24) | (Math.max(0, Math.min(block.lost, 0x7fffff)) & 0xffffff)) >>> 0,
      at + 4,
    );
    packet.writeUInt32BE(block.highest >>> 0, at + 8);
    packet.writeUInt32BE(block.jitter >>> 0, at + 12);
    packet.writeUInt32BE(block.lastReport >>> 0, at + 16);
    packet.writeUInt32BE(block.delay >>> 0, at + 20);
  });
  return packet;
}
