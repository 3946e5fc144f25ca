/** Valid packets with random choices; the caller corrupts them. */
import { crc32 } from 'node:zlib';
import { protocol } from '@rmeet/participant/rtc';
import { mutate, type Random } from './random.ts';
import { EXTENSION_IDS, PAYLOAD_TYPES, RIDS, SENT } from './sdp.ts';

function extensionBlock(values: readonly (readonly [id: number, value: Buffer])[], twoByte: boolean): Buffer {
  const body = Buffer.concat(
    values.map(([id, value]) =>
      Buffer.concat([
        twoByte ? Buffer.from([id, value.length]) : Buffer.from([(id << 4) | ((value.length - 1) & 15)]),
        value,
      ]),
    ),
  );
  const block = Buffer.alloc(4 + Math.ceil(body.length / 4) * 4);
  block.writeUInt16BE(twoByte ? 0x1000 : 0xbede, 0);
  block.writeUInt16BE(Math.ceil(body.length / 4), 2);
  body.copy(block, 4);
  return block;
}

/** The codec's first bytes (RFC 7741, RFC 6184, RFC 9628, the AV1 RTP specification), at random. */
function payload(codec: (typeof SENT)[number]['codec'], random: Random): Buffer {
  const rest = random.bytes(random.below(60));
  const start = random.pick<readonly number[]>(
    {
      opus: [[0xf8, 0xff, 0xfe], [0x78]],
      vp8: [
        [
          0x90,
          0xf0,
          0x80 | random.below(128),
          random.below(256),
          random.below(256),
          random.below(32),
          0,
          0,
          0,
          0x9d,
          0x01,
          0x2a,
          64,
          1,
          180,
          0,
        ],
        [0x80, 0x80, 5],
        [0x10],
      ],
      h264: [
        [0x65, 0x88],
        [0x67, 0x42, 0xe0, 0x1f],
        [0x78, 0, 4, 0x67, 0x42, 0xe0, 0x1f, 0, 2, 0x65, 1],
        [0x7c, 0x85, 1, 2],
        [0x7c, 0x45, 1, 2],
        [0x41, 3],
      ],
      vp9: [
        [0x8c, 0x80 | random.below(128), random.below(256), 0x40 | random.below(16), random.below(256)],
        [0xbe, 0x81, 1, 2, 3, 0x38, 1, 64, 0, 180, 2, 0x54, 1, 0x54],
        [0x0c, 1],
      ],
      av1: [
        [0x18, 0x0a, 4, 1, 2, 3, 4, 0x32],
        [0x10, 0x32],
        [0xd0, 200, 1],
      ],
    }[codec],
  );
  return Buffer.concat([Buffer.from(start), rest]);
}

/**
 * One RTP packet of one of a peer's streams: media, a retransmission (RFC 4588), or redundant audio (RFC 2198). Its
 * sequence number is about `n`: packets that are far behind or duplicates are dropped at decryption as replayed (RFC
 * 3711, section 3.3.2).
 */
export function rtp(random: Random, n: number): Buffer {
  const sent = random.pick(SENT);
  const rid = random.pick(RIDS);
  const repeated = sent.video && random.chance(0.2);
  const redundant = sent.codec === 'opus' && random.chance(0.4);
  const audioType = redundant ? PAYLOAD_TYPES.red : PAYLOAD_TYPES.opus;
  const videoType = sent.codec === 'opus' ? audioType : PAYLOAD_TYPES[sent.codec];
  const type = repeated ? videoType + 1 : videoType;
  const values: (readonly [number, Buffer])[] = [
    [EXTENSION_IDS.mid, Buffer.from(sent.mid)],
    [EXTENSION_IDS.transportSequence, random.bytes(2)],
  ];
  if (sent.video) values.push([repeated ? EXTENSION_IDS.repairedRid : EXTENSION_IDS.rid, Buffer.from(rid)]);
  else values.push([EXTENSION_IDS.level, random.bytes(1)]);
  if (sent.video && random.chance(0.4)) values.push([EXTENSION_IDS.descriptor, descriptor(random)]);
  const header = Buffer.alloc(12);
  header[0] = 0x90 | (random.chance(0.1) ? 0x20 : 0);
  header[1] = (random.chance(0.5) ? 0x80 : 0) | type;
  header.writeUInt16BE((1000 + n - random.below(8)) & 0xffff, 2);
  header.writeUInt32BE((3_000 * (n >> 2)) >>> 0, 4);
  header.writeUInt32BE(ssrcOf(sent.mid, rid, repeated), 8);
  let media = payload(sent.codec, random);
  if (repeated) media = Buffer.concat([random.bytes(2), media]);
  if (redundant) media = Buffer.concat([Buffer.from([0x80 | 111, 0x0f, 0, media.length & 0xff, 111]), media, media]);
  if ((header[0] & 0x20) !== 0) media = Buffer.concat([media, Buffer.from([0, 0, random.pick([3, 0, 255])])]);
  return Buffer.concat([header, extensionBlock(values, random.chance(0.2)), media]);
}

/** A dependency descriptor: the mandatory three bytes, sometimes with a template structure. */
function descriptor(random: Random): Buffer {
  return random.chance(0.5)
    ? random.bytes(3)
    : Buffer.concat([
        Buffer.from([0x80 | random.below(64), 0, random.below(256), 0x80]),
        random.bytes(random.below(random.chance(0.1) ? 200 : 12)),
      ]);
}

function ssrcOf(mid: string, rid: string, repeated: boolean): number {
  return 1_000 + Number(mid) * 16 + RIDS.indexOf(rid as (typeof RIDS)[number]) * 2 + (repeated ? 1 : 0);
}

function rtcpHeader(count: number, type: number, body: Buffer): Buffer {
  const packet = Buffer.alloc(4 + Math.ceil(body.length / 4) * 4);
  packet[0] = 0x80 | (count & 31);
  packet[1] = type;
  packet.writeUInt16BE(packet.length / 4 - 1, 2);
  body.copy(packet, 4);
  return packet;
}

const u32 = (value: number): Buffer =>
  Buffer.from([value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]);

/**
 * One compound RTCP packet: reports, NACK, PLI, FIR, REMB, transport-wide feedback, goodbye, application data.
 * `received`: SSRCs of received streams.
 */
export function rtcp(random: Random, received: readonly number[]): Buffer {
  const sent = ssrcOf(random.pick(SENT).mid, random.pick(RIDS), false);
  const stream = (): Buffer => u32(received.length > 0 && random.chance(0.7) ? random.pick(received) : sent);
  const one = (): Buffer => {
    switch (random.below(10)) {
      case 0:
        return rtcpHeader(
          random.below(4),
          200,
          Buffer.concat([u32(sent), random.bytes(20), stream(), random.bytes(20)]),
        );
      case 1:
        return rtcpHeader(1, 201, Buffer.concat([u32(1), stream(), random.bytes(20)]));
      case 2:
        return rtcpHeader(
          1,
          205,
          Buffer.concat([u32(1), stream(), random.bytes(4 * (1 + random.below(random.chance(0.1) ? 300 : 4)))]),
        );
      case 3:
        return rtcpHeader(1, 206, Buffer.concat([u32(1), stream()]));
      case 4:
        return rtcpHeader(4, 206, Buffer.concat([u32(1), u32(0), stream(), random.bytes(4)]));
      case 5:
        return rtcpHeader(
          15,
          206,
          Buffer.concat([u32(1), u32(0), Buffer.from('REMB'), Buffer.from([1]), random.bytes(3), stream()]),
        );
      case 6:
        return rtcpHeader(
          15,
          205,
          Buffer.concat([
            u32(1),
            stream(),
            random.bytes(2),
            Buffer.from([0, random.below(256)]),
            random.bytes(4 + random.below(40)),
          ]),
        );
      case 7:
        return rtcpHeader(1, 203, stream());
      case 8:
        return rtcpHeader(
          1,
          202,
          Buffer.concat([stream(), Buffer.from([1, 4]), Buffer.from('name'), Buffer.from([0, 0])]),
        );
      default:
        return rtcpHeader(random.below(32), 192 + random.below(24), random.bytes(random.below(40)));
    }
  };
  return Buffer.concat(Array.from({ length: 1 + random.below(4) }, one));
}

/** A connectivity check (RFC 8445, section 7.1) with valid length and fingerprint; its integrity cannot be valid. */
export function stun(random: Random, names: readonly string[]): Buffer {
  const attribute = (type: number, value: Buffer): Buffer => {
    const padded = Buffer.alloc(4 + Math.ceil(value.length / 4) * 4);
    padded.writeUInt16BE(type, 0);
    padded.writeUInt16BE(value.length, 2);
    value.copy(padded, 4);
    return padded;
  };
  const attributes = [
    attribute(0x0006, Buffer.from(`${random.pick(names)}:${random.bytes(4).toString('hex')}`)),
    attribute(0x0024, random.bytes(4)),
    ...(random.chance(0.5)
      ? [attribute(0x8029, random.bytes(8))]
      : [attribute(0x802a, random.bytes(8)), attribute(0x0025, Buffer.alloc(0))]),
    attribute(0x0008, random.bytes(20)),
  ];
  const body = Buffer.concat(attributes);
  const header = Buffer.concat([
    Buffer.from([0, random.pick([1, 1, 1, 0x11]), 0, 0]),
    u32(0x2112_a442),
    random.bytes(12),
  ]);
  header.writeUInt16BE(body.length + 8, 2);
  const message = Buffer.concat([header, body]);
  return Buffer.concat([message, attribute(0x8028, u32((crc32(message) ^ 0x5354_554e) >>> 0))]);
}

const {
  ChatMessage,
  DataPacket,
  DataPacket_Kind,
  DataStream_Chunk,
  DataStream_Header,
  DataStream_Trailer,
  MetricsBatch,
  RpcAck,
  RpcRequest,
  RpcResponse,
  SipDTMF,
  SpeakerInfo,
  ActiveSpeakerUpdate,
  Transcription,
  UserPacket,
} = protocol;

/** One data packet of each kind (livekit.DataPacket). */
export function dataPacket(random: Random, identities: readonly string[]): Uint8Array {
  const bytes = random.bytes(random.below(64));
  const identity = random.pick(identities);
  const value = random.pick<protocol.DataPacket['value']>([
    {
      case: 'user',
      value: new UserPacket({
        payload: bytes,
        topic: 't',
        participantIdentity: identity,
        destinationIdentities: [identity],
        destinationSids: ['PA_x'],
      }),
    },
    {
      case: 'speaker',
      value: new ActiveSpeakerUpdate({ speakers: [new SpeakerInfo({ sid: 'PA_x', level: 1, active: true })] }),
    },
    { case: 'chatMessage', value: new ChatMessage({ id: 'x', message: 'y', timestamp: 1n }) },
    { case: 'transcription', value: new Transcription({ transcribedParticipantIdentity: identity, trackId: 'TR_x' }) },
    { case: 'metrics', value: new MetricsBatch({ strData: ['a', 'b'] }) },
    { case: 'rpcRequest', value: new RpcRequest({ id: 'r', method: 'm', payload: 'p' }) },
    { case: 'rpcAck', value: new RpcAck({ requestId: 'r' }) },
    { case: 'rpcResponse', value: new RpcResponse({ requestId: 'r' }) },
    { case: 'sipDtmf', value: new SipDTMF({ code: 1, digit: '1' }) },
    { case: 'streamHeader', value: new DataStream_Header({ streamId: 's', topic: 't', totalLength: 9n }) },
    {
      case: 'streamChunk',
      value: new DataStream_Chunk({ streamId: 's', chunkIndex: BigInt(random.below(9)), content: bytes }),
    },
    { case: 'streamTrailer', value: new DataStream_Trailer({ streamId: 's' }) },
  ]);
  return new DataPacket({
    kind: random.pick([DataPacket_Kind.RELIABLE, DataPacket_Kind.LOSSY]),
    participantIdentity: identity,
    destinationIdentities: random.chance(0.5) ? [identity] : [],
    sequence: random.below(2 ** 31),
    value,
  }).toBinary();
}

/** A message, corrupted nine times in ten: valid ones carry the corrupted ones into deeper parts. */
export function mostlyWrong(message: Uint8Array, random: Random): Buffer {
  return random.chance(0.1) ? Buffer.from(message) : mutate(message, random);
}
