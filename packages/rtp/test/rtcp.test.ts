import { describe, expect, it } from 'vitest';
import {
  ntpToUnixMs,
  readRtcp,
  unixMsToNtp,
  writeBandwidthEstimate,
  writeKeyframeRequest,
  writeNack,
  writeReceiverReport,
  writeSenderReport,
  type ReportBlock,
  type RtcpHandler,
} from '../src/rtcp/rtcp.ts';

function recorder(): { seen: unknown[]; handler: RtcpHandler } {
  const seen: unknown[] = [];
  return {
    seen,
    handler: {
      handleSenderReport: (report) => seen.push(['sr', report]),
      handleReportBlock: (block) => seen.push(['rr', block]),
      handleNack: (ssrc, sequenceNumbers) => seen.push(['nack', ssrc, sequenceNumbers]),
      handleKeyframeRequest: (ssrc) => seen.push(['pli', ssrc]),
      handleBandwidthEstimate: (bitrate) => seen.push(['remb', bitrate]),
      handleTransportFeedback: (_buffer, start, end) => seen.push(['feedback', start, end]),
    },
  };
}

const block: ReportBlock = {
  ssrc: 7,
  fractionLost: 12,
  cumulativeLost: -3,
  highestSequence: 70_000,
  jitter: 5,
  lastSenderReport: 0xabcd1234,
  delaySinceLastSenderReport: 99,
};
const report = { ssrc: 9, ntpHigh: 0xe0000000, ntpLow: 0x80000000, rtpTimestamp: 0xfffffffe };

describe('RTCP', () => {
  it('reads back what it writes, several packets in one', () => {
    const { seen, handler } = recorder();
    readRtcp(
      Buffer.concat([
        writeReceiverReport([block]),
        writeSenderReport(report, 3, 4),
        writeKeyframeRequest(5),
        writeNack(6, [100, 101, 116, 117, 400]),
        writeBandwidthEstimate(8_000_000, [1, 2]),
      ]),
      handler,
    );
    expect(seen).toEqual([
      ['rr', block],
      ['sr', report],
      ['pli', 5],
      ['nack', 6, [100, 101, 116, 117, 400]],
      ['remb', 8_000_000],
    ]);
  });

  it('reads every entry of a full intra request', () => {
    const { seen, handler } = recorder();
    const request = Buffer.alloc(28);
    request.set([0x84, 206, 0, 6]);
    request.writeUInt32BE(11, 12);
    request.writeUInt32BE(12, 20);
    readRtcp(request, handler);
    expect(seen).toEqual([
      ['pli', 11],
      ['pli', 12],
    ]);
  });

  it('skips packets that the handler does not handle', () => {
    expect(() => readRtcp(Buffer.concat([writeSenderReport(report, 1, 2), writeNack(1, [1])]), {})).not.toThrow();
  });

  it('converts the time of sender reports', () => {
    const time = { ntpHigh: 0, ntpLow: 0 };
    unixMsToNtp(1_700_000_000_250, time);
    expect(time).toEqual({ ntpHigh: 3_908_988_800, ntpLow: 2 ** 30 });
    expect(ntpToUnixMs(time)).toBe(1_700_000_000_250);
  });

  it('packs lost packets across the wrap of sequence numbers', () => {
    const { seen, handler } = recorder();
    const packet = writeNack(1, [0xfffe, 0xffff, 0, 14]);
    expect(packet.length).toBe(16);
    readRtcp(packet, handler);
    expect(seen).toEqual([['nack', 1, [0xfffe, 0xffff, 0, 14]]]);
  });

  it('survives 20,000 mutated packets', () => {
    const { handler } = recorder();
    const whole = Buffer.concat([
      writeSenderReport(report, 1, 2),
      writeReceiverReport([block, block]),
      writeNack(1, [1, 9]),
      writeBandwidthEstimate(1e6, [1]),
    ]);
    let random = 1;
    const run = () => {
      for (let round = 0; round < 20_000; round += 1) {
        const copy = Buffer.from(whole);
        for (let i = 0; i < 4; i += 1) {
          random = (random * 1_103_515_245 + 12_345) & 0x7fffffff;
          copy[random % copy.length] = random >> 8;
        }
        readRtcp(copy.subarray(0, random % (copy.length + 1)), handler);
      }
    };
    expect(run).not.toThrow();
  });
});
