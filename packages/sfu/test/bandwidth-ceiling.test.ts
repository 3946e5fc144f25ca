import { describe, expect, it } from 'vitest';
import { RtpPacket } from '@rmeet/rtp';
import { Forwarder } from '../src/forwarding/forwarder.ts';
import { PublishedTrack } from '../src/forwarding/published-track.ts';
import { Counters } from '../src/counters.ts';
import { rtpPacket, vp8Payload } from '../../rtp/test/support/packets.ts';

/** A track with a low and a high layer, and a subscriber that wants the best. */
function scene() {
  const counters = new Counters();
  const keyframesAsked: number[] = [];
  const track = new PublishedTrack(
    'TR_1',
    'vp8',
    { requestKeyframe: (ssrc) => keyframesAsked.push(ssrc), requestPackets: () => undefined },
    counters,
  );
  const numbers: number[] = [];
  const send = (packet: Buffer) => {
    if (packet[1] !== 200) numbers.push(packet.readUInt16BE(2));
    return true;
  };
  const forwarder = new Forwarder(track, { connected: true, send, sendMedia: send }, counters);
  track.addForwarder(forwarder);
  const layers = [track.addLayer(11, 0, 10_000), track.addLayer(33, 2, 10_000)];
  forwarder.configure({ payloadType: 96, rtxPayloadType: 0, redPayloadType: 0, descriptorId: 0, transportId: 0 });
  let now = 10_000;
  const sequences = [500, 900];
  return {
    forwarder,
    keyframesAsked,
    /** The numbers that the subscriber got of one packet on each layer. */
    frame: (keyframe = false): number[] => {
      now += 500;
      const before = numbers.length;
      for (const [index, layer] of layers.entries()) {
        const packet = new RtpPacket();
        sequences[index]! += 1;
        packet.parse(
          rtpPacket({
            sequence: sequences[index]!,
            timestamp: now * 90,
            ssrc: layer.stream.ssrc,
            payload: vp8Payload({ keyframe }),
          }),
        );
        track.handleRtp(layer, packet, now);
      }
      return numbers.slice(before);
    },
    ceiling: (quality: number, atOnce: boolean) => {
      forwarder.setCeiling(quality, atOnce, now);
    },
  };
}

describe('the ceiling of a forwarder', () => {
  it('moves to a lower layer at its key frame, with continuous numbers', () => {
    const { forwarder, frame, ceiling, keyframesAsked } = scene();
    const [first] = frame(true);
    expect(forwarder.currentQuality).toBe(2);
    ceiling(1, false);
    expect(keyframesAsked.at(-1)).toBe(11);
    expect(frame()).toEqual([first! + 1]);
    expect(forwarder.currentQuality).toBe(2);
    // forwarding switches to the low layer at its key frame; the high one's is not sent
    expect(frame(true)).toEqual([first! + 2]);
    expect(forwarder.currentQuality).toBe(0);
    expect(forwarder.wantedQuality).toBe(2);
  });

  it('stops a layer at once when asked to, and leaves no gap', () => {
    const { forwarder, frame, ceiling } = scene();
    const [first] = frame(true);
    ceiling(0, true);
    expect(frame()).toEqual([]);
    expect(frame(true)).toEqual([first! + 1]);
    expect(forwarder.currentQuality).toBe(0);
  });

  it('pauses and resumes at a key frame', () => {
    const { forwarder, frame, ceiling, keyframesAsked } = scene();
    const [first] = frame(true);
    ceiling(-1, false);
    expect(frame(true)).toEqual([]);
    expect(forwarder.currentQuality).toBeUndefined();
    ceiling(2, false);
    expect(keyframesAsked.at(-1)).toBe(33);
    expect(frame()).toEqual([]);
    expect(frame(true)).toEqual([first! + 1]);
  });
});
