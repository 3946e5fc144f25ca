import { beforeEach, describe, expect, it } from 'vitest';
import { RtpPacket, sequenceDistance, Vp8Descriptor } from '@rmeet/rtp';
import { Forwarder, type SendFormat } from '../src/forwarding/forwarder.ts';
import type { Layer } from '../src/forwarding/layer.ts';
import { PublishedTrack } from '../src/forwarding/published-track.ts';
import { SequenceShift } from '../src/forwarding/sequence-shift.ts';
import { Counters } from '../src/counters.ts';
import { rtpPacket, vp8Payload, type PacketFields } from '../../rtp/test/support/packets.ts';

interface Sent {
  sequence: number;
  timestamp: number;
  ssrc: number;
  payloadType: number;
  marker: boolean;
  pictureId: number;
  bytes: Buffer;
}

/** The format of a subscriber without extensions and retransmissions. */
function format(payloadType: number): SendFormat {
  return { payloadType, rtxPayloadType: 0, redPayloadType: 0, descriptorId: 0, transportId: 0 };
}

/** A track with two layers and one subscriber, whose packets are recorded. */
class Scene {
  readonly counters = new Counters();
  readonly keyframesAsked: number[] = [];
  readonly sent: Sent[] = [];
  readonly reports: Buffer[] = [];
  readonly track: PublishedTrack;
  readonly forwarder: Forwarder;
  readonly low: Layer;
  readonly high: Layer;
  now = 10_000;
  readonly sink: { connected: boolean; send: (shared: Buffer) => boolean; sendMedia: (shared: Buffer) => boolean };

  constructor({ connected = true } = {}) {
    const feedback = {
      requestKeyframe: (ssrc: number) => this.keyframesAsked.push(ssrc),
      requestPackets: () => undefined,
    };
    this.track = new PublishedTrack('TR_1', 'vp8', feedback, this.counters);
    const send = (shared: Buffer): boolean => {
      // the transport copies, and so does this: the buffer is reused for the next subscriber
      this.keep(Buffer.from(shared));
      return true;
    };
    this.sink = { connected, send, sendMedia: send };
    this.forwarder = new Forwarder(this.track, this.sink, this.counters);
    this.track.addForwarder(this.forwarder);
    this.low = this.track.addLayer(11, 0, this.now);
    this.high = this.track.addLayer(33, 2, this.now);
    this.forwarder.configure(format(120));
  }

  feed(layer: Layer, fields: PacketFields & { picture?: Parameters<typeof vp8Payload>[0] }): void {
    const packet = new RtpPacket();
    const { picture, ...rest } = fields;
    expect(packet.parse(rtpPacket({ payload: vp8Payload(picture), ssrc: layer.stream.ssrc, ...rest }))).toBe(true);
    this.track.handleRtp(layer, packet, this.now);
  }

  private keep(bytes: Buffer): void {
    if (bytes[1] === 200) {
      this.reports.push(bytes);
      return;
    }
    const packet = new RtpPacket();
    packet.parse(bytes);
    const descriptor = new Vp8Descriptor();
    descriptor.parse(bytes, packet.payloadOffset, packet.payloadEnd);
    const { sequenceNumber: sequence, timestamp, ssrc, payloadType, marker } = packet;
    this.sent.push({ sequence, timestamp, ssrc, payloadType, marker, pictureId: descriptor.pictureId, bytes });
  }
}

describe('forwarder', () => {
  let scene: Scene;
  beforeEach(() => {
    scene = new Scene();
  });

  it('requests a key frame once the subscriber is connected, not before', () => {
    const early = new Scene({ connected: false });
    expect(early.keyframesAsked).toEqual([]);
    early.sink.connected = true;
    early.forwarder.restart();
    expect(early.keyframesAsked).toEqual([33]);
  });

  it('starts at a key frame, in its own numbers, with the payload untouched', () => {
    scene.feed(scene.high, { sequence: 500, picture: { pictureId: 4 } });
    expect(scene.sent).toEqual([]);
    scene.feed(scene.high, { sequence: 501, timestamp: 7000, marker: true, picture: { keyframe: true, pictureId: 5 } });
    scene.feed(scene.high, { sequence: 502, timestamp: 10_000, picture: { pictureId: 6 } });
    expect(scene.sent).toHaveLength(2);
    const [first, second] = scene.sent as [Sent, Sent];
    expect(first).toMatchObject({ ssrc: scene.forwarder.ssrc, payloadType: 120, marker: true, pictureId: 5 });
    expect(sequenceDistance(first.sequence, second.sequence)).toBe(1);
    expect((second.timestamp - first.timestamp) >>> 0).toBe(3000);
    expect(second.bytes.subarray(20)).toEqual(vp8Payload({ pictureId: 6 }));
    expect(scene.keyframesAsked).toContain(33);
  });

  it("names the section of the stream until the subscriber's first report of it", () => {
    const named = () => {
      const packet = new RtpPacket();
      packet.parse(scene.sent.at(-1)!.bytes);
      return packet.extensionText(3);
    };
    scene.forwarder.configure({ ...format(120), section: { mid: '12', extensionId: 3 } });
    scene.feed(scene.high, { sequence: 501, timestamp: 7000, picture: { keyframe: true } });
    expect(named()).toBe('12');
    scene.forwarder.handleReportBlock(
      {
        ssrc: scene.forwarder.ssrc,
        fractionLost: 0,
        cumulativeLost: 0,
        jitter: 0,
        highestSequence: 0,
        lastSenderReport: 0,
        delaySinceLastSenderReport: 0,
      },
      scene.now,
    );
    scene.feed(scene.high, { sequence: 502, timestamp: 10_000, picture: {} });
    expect(named()).toBeUndefined();
    expect(scene.sent.map(({ bytes }) => bytes.subarray(-vp8Payload().length))).toEqual([
      vp8Payload({ keyframe: true }),
      vp8Payload(),
    ]);
  });

  it('repeats a limited number of packets per second', () => {
    scene.feed(scene.high, { sequence: 500, picture: { keyframe: true } });
    for (let sequence = 501; sequence < 1_000; sequence += 1) scene.feed(scene.high, { sequence, picture: {} });
    const numbers = scene.sent.map(({ sequence }) => sequence);
    const resentAfter = (ms: number): number => {
      scene.now += ms;
      scene.forwarder.handleNack(numbers, scene.now);
      return scene.counters.retransmitted;
    };
    expect([resentAfter(0), resentAfter(500), resentAfter(1_000)]).toEqual([400, 400, 800]);
  });

  it('changes layer only at a key frame of the other one, without a jump in any number', () => {
    scene.feed(scene.high, { sequence: 501, timestamp: 7000, picture: { keyframe: true, pictureId: 5 } });
    scene.forwarder.setWanted(false, 0);
    scene.now += 33;
    scene.feed(scene.low, { sequence: 60_000, timestamp: 900_000, picture: { pictureId: 300 } });
    scene.feed(scene.high, { sequence: 502, timestamp: 10_000, picture: { pictureId: 6 } });
    expect(scene.sent.map((sent) => sent.pictureId)).toEqual([5, 6]);
    scene.now += 33;
    scene.feed(scene.low, { sequence: 60_001, timestamp: 903_000, picture: { keyframe: true, pictureId: 301 } });
    scene.feed(scene.high, { sequence: 503, timestamp: 13_000, picture: { pictureId: 7 } });
    expect(scene.sent.map((sent) => sent.pictureId)).toEqual([5, 6, 7]);
    const [, before, after] = scene.sent as [Sent, Sent, Sent];
    expect(sequenceDistance(before.sequence, after.sequence)).toBe(1);
    expect(after.timestamp - before.timestamp).toBe(2970);
    expect(scene.forwarder.currentQuality).toBe(0);
  });

  it("places a new layer on the time line by the sender's clock once that is known", () => {
    const ntpHigh = 3_900_000_000;
    scene.feed(scene.high, { sequence: 1, timestamp: 100_000, picture: { keyframe: true } });
    scene.track.handleSenderReport(scene.high, { ssrc: 33, ntpHigh, ntpLow: 0, rtpTimestamp: 100_000 }, scene.now);
    scene.track.handleSenderReport(scene.low, { ssrc: 11, ntpHigh, ntpLow: 0, rtpTimestamp: 5_000_000 }, scene.now);
    expect(scene.reports).toHaveLength(1);
    expect(scene.reports[0]?.readUInt32BE(16)).toBe(scene.sent[0]?.timestamp);
    scene.forwarder.setWanted(false, 0);
    scene.now += 80; // late in the network, 40 ms by the sender's clock
    scene.feed(scene.low, { sequence: 9, timestamp: 5_003_600, picture: { keyframe: true } });
    expect((scene.sent[1]!.timestamp - scene.sent[0]!.timestamp) >>> 0).toBe(3600);
  });

  it('closes the gap that padding leaves, and repeats lost packets', () => {
    scene.feed(scene.high, { sequence: 1, picture: { keyframe: true, pictureId: 1 } });
    scene.feed(scene.high, { sequence: 2, payload: Buffer.alloc(0), padding: 100 });
    scene.feed(scene.high, { sequence: 3, picture: { pictureId: 2 } });
    const [first, second] = scene.sent as [Sent, Sent];
    expect(sequenceDistance(first.sequence, second.sequence)).toBe(1);
    scene.forwarder.handleNack([second.sequence, 12_345], scene.now);
    expect(scene.sent[2]?.bytes).toEqual(second.bytes);
    expect(scene.counters).toMatchObject({ nacksIn: 2, retransmitted: 1 });
    scene.feed(scene.high, { sequence: 4, picture: { pictureId: 3 } });
    expect(scene.sent[3]).toMatchObject({ pictureId: 3, sequence: (second.sequence + 1) & 0xffff });
  });

  it('pauses, and continues at a key frame', () => {
    scene.feed(scene.high, { sequence: 1, picture: { keyframe: true } });
    scene.forwarder.setWanted(true, 2);
    expect(scene.track.wantedQuality()).toBe(-1);
    scene.feed(scene.high, { sequence: 2 });
    scene.keyframesAsked.length = 0;
    scene.high.keyframeAskedAt = Number.NEGATIVE_INFINITY;
    scene.forwarder.setWanted(false, 2);
    expect(scene.keyframesAsked).toEqual([33]);
    scene.feed(scene.high, { sequence: 3 });
    expect(scene.sent).toHaveLength(1);
    scene.feed(scene.high, { sequence: 4, picture: { keyframe: true } });
    expect(sequenceDistance(scene.sent[0]!.sequence, scene.sent[1]!.sequence)).toBe(1);
  });

  it('leaves no gap in the numbers of muted sound', () => {
    const track = new PublishedTrack(
      'TR_2',
      'opus',
      { requestKeyframe: () => undefined, requestPackets: () => undefined },
      scene.counters,
    );
    const forwarder = new Forwarder(track, scene.sink, scene.counters);
    track.addForwarder(forwarder);
    const layer = track.addLayer(44, 2, scene.now);
    forwarder.configure(format(111));
    const speak = (sequence: number) => {
      const packet = new RtpPacket();
      expect(
        packet.parse(rtpPacket({ payload: Buffer.from('sound'), ssrc: 44, sequence, timestamp: sequence * 960 })),
      ).toBe(true);
      track.handleRtp(layer, packet, scene.now);
    };
    speak(1);
    track.setMuted(true);
    for (let sequence = 2; sequence < 100; sequence += 1) speak(sequence);
    scene.now += 99 * 20;
    track.setMuted(false);
    speak(100);
    speak(101);
    const [before, after, next] = scene.sent;
    expect(scene.sent).toHaveLength(3);
    expect(sequenceDistance(before!.sequence, after!.sequence)).toBe(1);
    expect(sequenceDistance(after!.sequence, next!.sequence)).toBe(1);
    expect((after!.timestamp - before!.timestamp) >>> 0).toBe(99 * 960);
    expect((next!.timestamp - after!.timestamp) >>> 0).toBe(960);
  });

  it('continues without a key frame after a negotiation without changes', () => {
    scene.feed(scene.high, { sequence: 1, picture: { keyframe: true } });
    scene.keyframesAsked.length = 0;
    scene.high.keyframeAskedAt = Number.NEGATIVE_INFINITY;
    scene.forwarder.configure(format(120));
    scene.feed(scene.high, { sequence: 2 });
    expect(scene.sent).toHaveLength(2);
    expect(scene.keyframesAsked).toEqual([]);
    scene.forwarder.configure(format(121));
    scene.feed(scene.high, { sequence: 3 });
    expect(scene.sent).toHaveLength(2);
    expect(scene.keyframesAsked).toEqual([33]);
  });

  it('leaves a stopped layer after a few of its frames: soon at 15 a second, not at once at one', () => {
    for (const interval of [66, 1000]) {
      const { track, low, high, forwarder } = new Scene();
      const packet = new RtpPacket();
      let now = 10_000;
      const send = (layer: Layer, frame: number) => {
        packet.parse(
          rtpPacket({
            ssrc: layer.stream.ssrc,
            sequence: frame,
            timestamp: frame * 3000,
            payload: vp8Payload({ keyframe: true }),
          }),
        );
        track.handleRtp(layer, packet, now);
      };
      for (let frame = 0; frame < 20; frame += 1, now += interval) for (const layer of [low, high]) send(layer, frame);
      expect(forwarder.currentQuality).toBe(2);
      let missed = 0;
      for (let frame = 20; forwarder.currentQuality === 2 && missed < 20; frame += 1, missed += 1, now += interval) {
        send(low, frame);
        track.tick(now);
      }
      expect([interval, missed]).toEqual([interval, interval === 66 ? 7 : 4]);
    }
  });

  it('falls back to a live layer when its own has stopped', () => {
    scene.feed(scene.high, { sequence: 1, picture: { keyframe: true } });
    scene.now += 1500;
    scene.feed(scene.low, { sequence: 1 });
    scene.track.retarget(scene.now);
    scene.feed(scene.low, { sequence: 2, picture: { keyframe: true } });
    expect(scene.forwarder.currentQuality).toBe(0);
  });
});

describe('sequence numbers with omitted packets', () => {
  it('map late packets by the shift at their place, over several wraps', () => {
    const shift = new SequenceShift();
    shift.restart(100, 1000);
    expect(shift.map(99)).toBe(-1);
    expect([shift.map(100), shift.map(102)]).toEqual([1000, 1002]);
    shift.drop(103);
    expect(shift.map(104)).toBe(1003);
    expect([shift.map(101), shift.map(103)]).toEqual([1001, -1]);
    const wrong: number[] = [];
    const check = (i: number) => {
      if (shift.map(i & 0xffff) !== ((i + 899) & 0xffff)) wrong.push(i);
    };
    for (let i = 105; i < 200_000; i += 1) {
      check(i);
      if (i % 1000 === 7 && i > 200) check(i - 50);
    }
    expect(wrong).toEqual([]);
  });
});
