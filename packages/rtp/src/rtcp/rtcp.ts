/** RTCP: sender and receiver reports (RFC 3550), NACK and PLI (RFC 4585), FIR (RFC 5104), and REMB. */

export interface SenderReport {
  ssrc: number;
  /** 64-bit NTP time in two halves. */
  ntpHigh: number;
  ntpLow: number;
  rtpTimestamp: number;
}

export interface ReportBlock {
  ssrc: number;
  /** Packets lost since the previous report, in 1/256 of the packets expected. */
  fractionLost: number;
  cumulativeLost: number;
  highestSequence: number;
  jitter: number;
  /** The middle 32 bits of the NTP time in the last sender report; 0 before the first one. */
  lastSenderReport: number;
  /** Time since that report arrived, in 1/65536 s. */
  delaySinceLastSenderReport: number;
}

/** Receives the contents of a compound packet, one call per item. Items without a method are skipped. */
export interface RtcpHandler {
  handleSenderReport?(report: SenderReport): void;
  handleReportBlock?(block: ReportBlock): void;
  handleNack?(ssrc: number, sequenceNumbers: number[]): void;
  /** The receiver requests a key frame (PLI or FIR). */
  handleKeyframeRequest?(ssrc: number): void;
  /** The receiver's bandwidth estimate (REMB), bits per second. */
  handleBandwidthEstimate?(bitrate: number): void;
  /** A transport-wide feedback message, from `start` to `end` of the packet; see FeedbackReader. */
  handleTransportFeedback?(buffer: Buffer, start: number, end: number): void;
}

/** Report blocks in one packet: the count has five bits. */
export const MAX_REPORT_BLOCKS = 31;

const SENDER_REPORT = 200;
const RECEIVER_REPORT = 201;
const TRANSPORT_FEEDBACK = 205;
const PAYLOAD_FEEDBACK = 206;
/** The sender SSRC of feedback messages: they come from the whole endpoint, not from one of its streams. */
const SENDER_SSRC = 1;
/** Seconds between the NTP epoch (1900) and the Unix epoch (1970). */
const NTP_TO_UNIX_SECONDS = 2_208_988_800;

/** The NTP time of a sender report as Unix time in ms. */
export function ntpToUnixMs({ ntpHigh, ntpLow }: Pick<SenderReport, 'ntpHigh' | 'ntpLow'>): number {
  return (ntpHigh - NTP_TO_UNIX_SECONDS + ntpLow / 2 ** 32) * 1000;
}

/** Sets the NTP time of a sender report from Unix time in ms. */
export function unixMsToNtp(unixMs: number, report: Pick<SenderReport, 'ntpHigh' | 'ntpLow'>): void {
  report.ntpHigh = (Math.floor(unixMs / 1000) + NTP_TO_UNIX_SECONDS) >>> 0;
  report.ntpLow = Math.floor(((unixMs % 1000) / 1000) * 2 ** 32) >>> 0;
}

function readBlocks(buffer: Buffer, offset: number, count: number, end: number, handler: RtcpHandler): void {
  if (!handler.handleReportBlock) return;
  for (let i = 0, at = offset; i < count && at + 24 <= end; i += 1, at += 24) {
    handler.handleReportBlock({
      ssrc: buffer.readUInt32BE(at),
      fractionLost: buffer[at + 4]!,
      cumulativeLost: buffer.readIntBE(at + 5, 3),
      highestSequence: buffer.readUInt32BE(at + 8),
      jitter: buffer.readUInt32BE(at + 12),
      lastSenderReport: buffer.readUInt32BE(at + 16),
      delaySinceLastSenderReport: buffer.readUInt32BE(at + 20),
    });
  }
}

function readNack(buffer: Buffer, start: number, end: number, handler: RtcpHandler): void {
  if (!handler.handleNack) return;
  const lost: number[] = [];
  for (let at = start + 12; at + 4 <= end; at += 4) {
    const first = buffer.readUInt16BE(at);
    lost.push(first);
    const following = buffer.readUInt16BE(at + 2);
    for (let bit = 0; bit < 16; bit += 1) {
      if ((following & (1 << bit)) !== 0) lost.push((first + bit + 1) & 0xffff);
    }
  }
  if (lost.length > 0) handler.handleNack(buffer.readUInt32BE(start + 8), lost);
}

function readPayloadFeedback(buffer: Buffer, start: number, end: number, format: number, handler: RtcpHandler): void {
  if (format === 1) handler.handleKeyframeRequest?.(buffer.readUInt32BE(start + 8));
  else if (format === 4) {
    // full intra request (RFC 5104): the media SSRC is in each entry, not in the header
    for (let at = start + 12; at + 8 <= end; at += 8) handler.handleKeyframeRequest?.(buffer.readUInt32BE(at));
  } else if (format === 15 && start + 20 <= end && buffer.toString('latin1', start + 12, start + 16) === 'REMB') {
    const exponent = buffer[start + 17]! >> 2;
    const mantissa = ((buffer[start + 17]! & 3) << 16) | buffer.readUInt16BE(start + 18);
    handler.handleBandwidthEstimate?.(mantissa * 2 ** exponent);
  }
}

/** Reads one RTCP packet of a compound packet. */
function readPacket(buffer: Buffer, start: number, end: number, handler: RtcpHandler): void {
  const type = buffer[start + 1]!;
  const count = buffer[start]! & 0x1f;
  const size = end - start;
  if (type === SENDER_REPORT && size >= 28) {
    handler.handleSenderReport?.({
      ssrc: buffer.readUInt32BE(start + 4),
      ntpHigh: buffer.readUInt32BE(start + 8),
      ntpLow: buffer.readUInt32BE(start + 12),
      rtpTimestamp: buffer.readUInt32BE(start + 16),
    });
    readBlocks(buffer, start + 28, count, end, handler);
  } else if (type === RECEIVER_REPORT) readBlocks(buffer, start + 8, count, end, handler);
  else if (type === TRANSPORT_FEEDBACK && count === 1 && size >= 16) readNack(buffer, start, end, handler);
  else if (type === TRANSPORT_FEEDBACK && count === 15 && size >= 20)
    handler.handleTransportFeedback?.(buffer, start, end);
  else if (type === PAYLOAD_FEEDBACK && size >= 12) readPayloadFeedback(buffer, start, end, count, handler);
}

/** Reads a compound packet. Stops without an error at the first malformed part, as RFC 3550 asks of receivers. */
export function readRtcp(buffer: Buffer, handler: RtcpHandler): void {
  let start = 0;
  while (start + 8 <= buffer.length) {
    if (buffer[start]! >> 6 !== 2) return;
    const end = start + (buffer.readUInt16BE(start + 2) + 1) * 4;
    if (end > buffer.length) return;
    readPacket(buffer, start, end, handler);
    start = end;
  }
}

function writeHead(packet: Buffer, type: number, count: number): Buffer {
  packet[0] = 0x80 | count;
  packet[1] = type;
  packet.writeUInt16BE(packet.length / 4 - 1, 2);
  packet.writeUInt32BE(SENDER_SSRC, 4);
  return packet;
}

/** A picture loss indication (RFC 4585 section 6.3.1). */
export function writeKeyframeRequest(ssrc: number): Buffer {
  const packet = writeHead(Buffer.alloc(12), PAYLOAD_FEEDBACK, 1);
  packet.writeUInt32BE(ssrc, 8);
  return packet;
}

/** Generic NACK for ascending sequence numbers, packed as pairs of first and following sixteen. */
export function writeNack(ssrc: number, sequenceNumbers: readonly number[]): Buffer {
  const entries: Array<{ first: number; following: number }> = [];
  for (const sequence of sequenceNumbers) {
    const last = entries.at(-1);
    const distance = last ? (sequence - last.first) & 0xffff : 0;
    if (last && distance >= 1 && distance <= 16) last.following |= 1 << (distance - 1);
    else entries.push({ first: sequence, following: 0 });
  }
  const packet = writeHead(Buffer.alloc(12 + entries.length * 4), TRANSPORT_FEEDBACK, 1);
  packet.writeUInt32BE(ssrc, 8);
  entries.forEach(({ first, following }, index) => {
    packet.writeUInt16BE(first, 12 + index * 4);
    packet.writeUInt16BE(following, 14 + index * 4);
  });
  return packet;
}

/** A receiver report for at most MAX_REPORT_BLOCKS streams. */
export function writeReceiverReport(blocks: readonly ReportBlock[]): Buffer {
  const packet = writeHead(Buffer.alloc(8 + blocks.length * 24), RECEIVER_REPORT, blocks.length);
  blocks.forEach((block, index) => {
    const at = 8 + index * 24;
    packet.writeUInt32BE(block.ssrc, at);
    packet[at + 4] = block.fractionLost;
    packet.writeIntBE(Math.max(-0x800000, Math.min(0x7fffff, block.cumulativeLost)), at + 5, 3);
    packet.writeUInt32BE(block.highestSequence >>> 0, at + 8);
    packet.writeUInt32BE(block.jitter >>> 0, at + 12);
    packet.writeUInt32BE(block.lastSenderReport >>> 0, at + 16);
    packet.writeUInt32BE(block.delaySinceLastSenderReport >>> 0, at + 20);
  });
  return packet;
}

/** The size of a sender report without report blocks. */
export const SENDER_REPORT_BYTES = 28;

/** A sender report without report blocks, written into `packet`, which has SENDER_REPORT_BYTES bytes. */
export function writeSenderReport(
  report: SenderReport,
  packets: number,
  bytes: number,
  packet: Buffer = Buffer.alloc(SENDER_REPORT_BYTES),
): Buffer {
  writeHead(packet, SENDER_REPORT, 0);
  packet.writeUInt32BE(report.ssrc, 4);
  packet.writeUInt32BE(report.ntpHigh, 8);
  packet.writeUInt32BE(report.ntpLow, 12);
  packet.writeUInt32BE(report.rtpTimestamp, 16);
  packet.writeUInt32BE(packets >>> 0, 20);
  packet.writeUInt32BE(bytes >>> 0, 24);
  return packet;
}

/** Receiver estimated maximum bitrate (draft-alvestrand-rmcat-remb-03), bits per second. */
export function writeBandwidthEstimate(bitrate: number, ssrcs: readonly number[]): Buffer {
  let mantissa = Math.floor(bitrate);
  let exponent = 0;
  while (mantissa > 0x3ffff) {
    mantissa = Math.floor(mantissa / 2);
    exponent += 1;
  }
  const packet = writeHead(Buffer.alloc(20 + ssrcs.length * 4), PAYLOAD_FEEDBACK, 15);
  packet.write('REMB', 12, 'latin1');
  packet[16] = ssrcs.length;
  packet[17] = (exponent << 2) | (mantissa >> 16);
  packet.writeUInt16BE(mantissa & 0xffff, 18);
  ssrcs.forEach((ssrc, index) => packet.writeUInt32BE(ssrc, 20 + index * 4));
  return packet;
}
