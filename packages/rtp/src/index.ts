/** RTP, RTCP and codec payload formats, shared by the media engine, the participant and the recorder. */
export { codecName, codecs, type CodecName, type MediaKind } from './codecs/codecs.ts';
export { DependencyDescriptor, NOT_PRESENT, SWITCH, type DependencyStructure } from './codecs/dependency-descriptor.ts';
export { annexBUnits, H264, readSps, unitType, type H264Sps } from './codecs/h264.ts';
export { H264Depacketizer, type H264Frame } from './codecs/h264-depacketizer.ts';
export { isKeyframe } from './codecs/keyframes.ts';
export { packetizeH264, packetizeVp8, VP8_PICTURE_ID_OFFSET } from './codecs/packetize.ts';
export { Vp8Depacketizer, type Vp8Frame } from './codecs/vp8-depacketizer.ts';
export { Vp8Descriptor } from './codecs/vp8-descriptor.ts';
export { writeHeader, type ExtensionValue } from './header.ts';
export { isRtcp, RtpPacket, SEQUENCE_OFFSET, sequenceDistance, TIMESTAMP_OFFSET, timestampDistance } from './packet.ts';
export { arrivals } from './receiving/missing-packets.ts';
export { ReceivedStream } from './receiving/received-stream.ts';
export { ReceptionStatistics } from './receiving/reception-statistics.ts';
export { ReorderBuffer, type OrderedPacketHandler } from './receiving/reorder-buffer.ts';
export { RedPayload } from './red.ts';
export {
  MAX_REPORT_BLOCKS,
  ntpToUnixMs,
  readRtcp,
  SENDER_REPORT_BYTES,
  unixMsToNtp,
  writeBandwidthEstimate,
  writeKeyframeRequest,
  writeNack,
  writeReceiverReport,
  writeSenderReport,
  type ReportBlock,
  type RtcpHandler,
  type SenderReport,
} from './rtcp/rtcp.ts';
export { ArrivalLog, FeedbackReader } from './rtcp/transport-feedback.ts';
export { unwrapRtx } from './rtx.ts';
