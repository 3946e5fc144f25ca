import { describe, expect, it } from 'vitest';
import { RtpPacket, unwrapRtx } from '@rmeet/rtp';
import { Forwarder } from '../src/forwarding/forwarder.ts';
import { PublishedTrack } from '../src/forwarding/published-track.ts';
import { Counters } from '../src/counters.ts';
import { redPayload } from '../../rtp/test/support/red.ts';
import { rtpPacket, vp8Payload, type PacketFields } from '../../rtp/test/support/packets.ts';

const OPUS = 111;
const RED = 63;
const FRAME = 960;

function received(fields: PacketFields): RtpPacket {
  const packet = new RtpPacket();
  expect(packet.parse(rtpPacket(fields))).toBe(true);
  return packet;
}

/** Records received packets as `<payload type> <number> <timestamp> <payload>`, both counted from the first. */
class Receiver {
  readonly got: string[] = [];
  readonly raw: RtpPacket[] = [];
  readonly forwarder: Forwarder;
  #first: RtpPacket | undefined;

  constructor(
    track: PublishedTrack,
    format: { payloadType: number; redPayloadType?: number; rtxPayloadType?: number },
  ) {
    const sendMedia = (shared: Buffer) => {
      const packet = new RtpPacket();
      packet.parse(Buffer.from(shared));
      this.#first ??= packet;
      this.raw.push(packet);
      const number = (packet.sequenceNumber - this.#first.sequenceNumber) & 0xffff;
      const time = (packet.timestamp - this.#first.timestamp) >>> 0;
      this.got.push(
        `${packet.payloadType} ${number} ${time} ` +
          packet.buffer.toString('latin1', packet.payloadOffset, packet.payloadEnd),
      );
      return true;
    };
    this.forwarder = new Forwarder(track, { connected: true, send: () => true, sendMedia }, new Counters());
    track.addForwarder(this.forwarder);
    this.forwarder.configure({ rtxPayloadType: 0, redPayloadType: 0, descriptorId: 0, transportId: 0, ...format });
  }
}

describe('sound with redundancy', () => {
  function scene() {
    const asked: number[][] = [];
    const counters = new Counters();
    const track = new PublishedTrack(
      'TR_1',
      'opus',
      { requestKeyframe: () => undefined, requestPackets: (_ssrc, list) => asked.push(list) },
      counters,
    );
    const takesRed = new Receiver(track, { payloadType: OPUS, redPayloadType: RED });
    const plain = new Receiver(track, { payloadType: 109 });
    const layer = track.addLayer(5, 2, 0);
    layer.redPayloadType = RED;
    for (const { forwarder } of [takesRed, plain]) forwarder.restart();
    const send = (sequence: number, timestamp: number, payload: Buffer, payloadType = RED) =>
      track.handleRtp(
        layer,
        received({
          ssrc: 5,
          sequence,
          timestamp,
          payloadType,
          payload,
          ...(payload.length === 0 ? { padding: 50 } : {}),
        }),
        sequence * 20,
      );
    return { asked, counters, takesRed, plain, send };
  }

  it('passes unchanged to subscribers that support it, as single frames with repaired losses to others', () => {
    const { asked, counters, takesRed, plain, send } = scene();
    send(1, FRAME, redPayload('one', []));
    send(2, 2 * FRAME, redPayload('two', [[FRAME, 'one']]));
    send(4, 4 * FRAME, redPayload('four', [[FRAME, 'three']]));
    expect(plain.got).toEqual(['109 0 0 one', '109 1 960 two', '109 2 1920 three', '109 3 2880 four']);
    expect(takesRed.got[2]).toBe('111 2 1920 three');
    expect(takesRed.got[3]).toMatch(/^63 3 2880 .*threefour$/);
    expect(asked).toEqual([]);
    expect(counters.recovered).toBe(1);
    plain.forwarder.handleNack([plain.raw[3]!.sequenceNumber], 100);
    expect(plain.got[4]).toBe('109 3 2880 four');
    takesRed.forwarder.handleNack([takesRed.raw[1]!.sequenceNumber], 100);
    expect(takesRed.raw[4]!.buffer).toEqual(takesRed.raw[1]!.buffer);
  });

  it('requests what no packet repeats, and passes plain frames in between', () => {
    const { asked, takesRed, plain, send } = scene();
    send(1, FRAME, redPayload('one', []));
    send(4, 4 * FRAME, redPayload('four', [[FRAME, 'three']]));
    expect(asked).toEqual([[2]]);
    send(2, 2 * FRAME, redPayload('two', [[FRAME, 'one']]));
    send(5, 5 * FRAME, Buffer.from('five'), OPUS);
    expect(plain.got).toEqual([
      '109 0 0 one',
      '109 2 1920 three',
      '109 3 2880 four',
      '109 1 960 two',
      '109 4 3840 five',
    ]);
    expect(takesRed.got.at(-1)).toBe('111 4 3840 five');
  });

  it('closes the gap of empty packets, and does not mistake one for a lost frame', () => {
    const { plain, send } = scene();
    send(1, FRAME, redPayload('one', []));
    send(2, FRAME, Buffer.alloc(0));
    send(3, 2 * FRAME, redPayload('two', [[FRAME, 'one']]));
    // 4 was padding, lost: the packet after it repeats what came before
    send(5, 3 * FRAME, redPayload('three', [[FRAME, 'two']]));
    expect(plain.got).toEqual(['109 0 0 one', '109 1 960 two', '109 3 1920 three']);
  });
});

describe('retransmission', () => {
  function scene() {
    const counters = new Counters();
    const track = new PublishedTrack(
      'TR_1',
      'vp8',
      { requestKeyframe: () => undefined, requestPackets: () => undefined },
      counters,
    );
    const receiver = new Receiver(track, { payloadType: 96, rtxPayloadType: 97 });
    const layer = track.addLayer(7, 2, 0);
    receiver.forwarder.restart();
    for (let i = 0; i < 5; i += 1) {
      const payload = vp8Payload({ keyframe: i === 0, pictureId: i });
      track.handleRtp(
        layer,
        received({ ssrc: 7, sequence: 100 + i, timestamp: i * 3000, payload, marker: true }),
        i * 33,
      );
    }
    return { counters, track, layer, receiver };
  }

  it('uses a stream of its own, and restores the lost packet', () => {
    const { receiver } = scene();
    const lost = receiver.raw[2]!;
    receiver.forwarder.handleNack([lost.sequenceNumber], 200);
    const repeat = receiver.raw[5]!;
    expect(repeat).toMatchObject({
      ssrc: receiver.forwarder.rtxSsrc,
      payloadType: 97,
      marker: true,
      timestamp: lost.timestamp,
    });
    expect(unwrapRtx(repeat, lost.ssrc, 96)).toBe(true);
    expect(repeat.buffer).toEqual(lost.buffer);
  });

  it('is not repeated within a round trip, nor endlessly', () => {
    const { receiver } = scene();
    const lost = receiver.raw[2]!.sequenceNumber;
    receiver.forwarder.roundTripMs = 80;
    receiver.forwarder.handleNack([lost], 200);
    receiver.forwarder.handleNack([lost], 250);
    expect(receiver.raw).toHaveLength(6);
    receiver.forwarder.handleNack([lost], 281);
    expect(receiver.raw).toHaveLength(7);
    receiver.forwarder.roundTripMs = 0;
    for (let now = 300; now < 20_000; now += 20)
      receiver.forwarder.handleNack(
        receiver.raw.slice(0, 5).map(({ sequenceNumber }) => sequenceNumber),
        now,
      );
    expect(receiver.raw.length).toBeLessThan(20 * 410);
  });

  it('serves as a probe: sent packets, then padding, of the requested size', () => {
    const { receiver } = scene();
    const sent = receiver.forwarder.sendProbe(1000);
    const probes = receiver.raw.slice(5);
    expect(probes.every(({ ssrc, payloadType }) => ssrc === receiver.forwarder.rtxSsrc && payloadType === 97)).toBe(
      true,
    );
    expect(probes.reduce((sum, { buffer }) => sum + buffer.length, 0)).toBe(sent);
    expect(sent).toBeGreaterThanOrEqual(1000);
    expect(sent).toBeLessThan(1300);
    expect(probes.some(({ payloadOffset, payloadEnd }) => payloadOffset === payloadEnd)).toBe(true);
    const numbers = probes.map(({ sequenceNumber }) => sequenceNumber);
    expect(numbers).toEqual(numbers.map((_unused, index) => (numbers[0]! + index) & 0xffff));
  });

  it('from the publisher fills gaps, once, and only places that are still awaited', () => {
    const { counters, track, layer, receiver } = scene();
    const after = vp8Payload({ pictureId: 6 });
    track.handleRtp(layer, received({ ssrc: 7, sequence: 106, timestamp: 18_000, payload: after }), 200);
    const repeat = () =>
      received({
        ssrc: 8,
        payloadType: 97,
        sequence: 9,
        timestamp: 15_000,
        payload: Buffer.concat([Buffer.from([0, 105]), vp8Payload({ pictureId: 5 })]),
      });
    for (let round = 0; round < 2; round += 1) {
      const packet = repeat();
      expect(unwrapRtx(packet, 7, 96)).toBe(true);
      expect(packet).toMatchObject({ ssrc: 7, payloadType: 96, sequenceNumber: 105 });
      track.handleRepeated(layer, packet, 250);
    }
    expect(receiver.raw).toHaveLength(7);
    expect(receiver.got[6]).toMatch(/^96 5 15000 /);
    expect(counters.recovered).toBe(1);
    expect(unwrapRtx(received({ ssrc: 8, payload: Buffer.alloc(0), padding: 200 }), 7, 96)).toBe(false);
  });
});
