import { describe, expect, it } from 'vitest';
import { RtpPacket } from '@rmeet/rtp';
import { Forwarder } from '../src/forwarding/forwarder.ts';
import { PublishedTrack } from '../src/forwarding/published-track.ts';
import { Counters } from '../src/counters.ts';
import {
  descriptor,
  l2t1,
  l2t1Key,
  type DescriptorFields,
  type StructureFields,
} from '../../rtp/test/support/descriptor.ts';
import { rtpPacket } from '../../rtp/test/support/packets.ts';

const DESCRIPTOR_ID = 12;
const LOW = 0;
const MEDIUM = 1;
const HIGH = 2;

/** A scalable track and one subscriber. Each picture has one packet of the low and two of the high layer. */
class Scene {
  readonly sent: Array<{ sequence: number; marker: boolean; frame: string }> = [];
  keyframesAsked = 0;
  readonly track: PublishedTrack;
  readonly forwarder: Forwarder;
  now = 1000;
  #sequence = 65_530;
  #frame = 0;
  readonly #structure: StructureFields;

  constructor(structure: StructureFields) {
    this.#structure = structure;
    const counters = new Counters();
    const feedback = { requestKeyframe: () => (this.keyframesAsked += 1), requestPackets: () => undefined };
    this.track = new PublishedTrack('TR_1', 'vp9', feedback, counters);
    this.track.extensions = { audioLevel: 0, dependencyDescriptor: DESCRIPTOR_ID };
    const sendMedia = (shared: Buffer) => {
      const packet = new RtpPacket();
      packet.parse(shared);
      const padding = packet.payloadEnd === packet.payloadOffset;
      this.sent.push({
        sequence: packet.sequenceNumber,
        marker: packet.marker,
        frame: padding ? 'padding' : packet.buffer.toString('latin1', packet.payloadOffset, packet.payloadEnd),
      });
      return true;
    };
    this.forwarder = new Forwarder(this.track, { connected: true, send: () => true, sendMedia }, counters);
    this.track.addForwarder(this.forwarder);
    this.track.addLayer(9, HIGH, this.now);
    this.forwarder.configure({
      payloadType: 98,
      rtxPayloadType: 0,
      redPayloadType: 0,
      descriptorId: 0,
      transportId: 0,
    });
  }

  /** One picture: `low`, `high1`, `high2` with its number; packets in `late` arrive after all others. */
  picture(
    number: number,
    { key = false, active, late = [] }: { key?: boolean; active?: number; late?: string[] } = {},
  ): void {
    this.now += 66;
    const onlyLow = active === 1;
    const all: Array<[string, DescriptorFields]> = [
      [
        'low',
        {
          template: key ? 0 : 1,
          ...(key ? { structure: this.#structure } : {}),
          ...(active === undefined ? {} : { active, targets: 2 }),
        },
      ],
      ...(onlyLow
        ? []
        : ([
            ['high1', { template: key ? 2 : 3, end: false }],
            ['high2', { template: key ? 2 : 3, start: false }],
          ] as Array<[string, DescriptorFields]>)),
    ];
    const last = onlyLow ? 'low' : 'high2';
    const packets = all.map(([name, fields]) => {
      if (fields.start !== false) this.#frame += 1;
      this.#sequence = (this.#sequence + 1) & 0xffff;
      return {
        name,
        bytes: rtpPacket({
          sequence: this.#sequence,
          ssrc: 9,
          timestamp: number * 6000,
          marker: name === last,
          payload: Buffer.from(`${name}-${number}`),
          extensions: { [DESCRIPTOR_ID]: descriptor({ frameNumber: this.#frame, ...fields }) },
          twoByte: true,
        }),
      };
    });
    const inTime = packets.filter(({ name }) => !late.includes(name));
    const after = packets.filter(({ name }) => late.includes(name));
    for (const { bytes } of [...inTime, ...after]) {
      const packet = new RtpPacket();
      expect(packet.parse(bytes)).toBe(true);
      this.track.handleRtp(this.track.layers[0]!, packet, this.now);
    }
  }

  /** Packets sent since the last call; numbers are relative to the first one sent. */
  take(): string[] {
    const list = this.sent.splice(0);
    this.#first ??= list[0]?.sequence;
    return list.map(
      ({ sequence, marker, frame }) => `${(sequence - (this.#first ?? 0)) & 0xffff} ${frame}${marker ? ' end' : ''}`,
    );
  }

  #first: number | undefined;
}

describe('layers of a scalable stream', () => {
  it('are sent up to the wanted one, and the picture ends with its best layer', () => {
    const scene = new Scene(l2t1);
    scene.forwarder.setWanted(false, MEDIUM);
    scene.picture(0);
    expect(scene.take()).toEqual([]);
    scene.picture(1, { key: true });
    scene.picture(2);
    expect(scene.take()).toEqual(['0 low-1 end', '1 low-2 end']);
    expect(scene.forwarder.currentQuality).toBe(MEDIUM);
    scene.forwarder.setWanted(false, HIGH);
    scene.picture(3);
    expect(scene.take()).toEqual(['2 low-3 end']);
    expect(scene.keyframesAsked).toBeGreaterThan(0);
    scene.picture(4, { key: true });
    expect(scene.take()).toEqual(['3 low-4', '4 high1-4', '5 high2-4 end']);
    expect(scene.forwarder.currentQuality).toBe(HIGH);
  });

  it('step down at once if they depend on each other', () => {
    const scene = new Scene(l2t1);
    scene.picture(1, { key: true });
    scene.take();
    const asked = scene.keyframesAsked;
    scene.forwarder.setWanted(false, LOW);
    scene.picture(2);
    expect(scene.take()).toEqual(['3 low-2 end']);
    expect(scene.keyframesAsked).toBe(asked);
  });

  it('step down at a key frame if needed, and then send no unneeded layer', () => {
    const scene = new Scene(l2t1Key);
    scene.picture(1, { key: true });
    scene.picture(2);
    expect(scene.take()).toEqual(['0 low-1', '1 high1-1', '2 high2-1 end', '3 high1-2', '4 high2-2 end']);
    scene.now += 1000;
    const asked = scene.keyframesAsked;
    scene.forwarder.setWanted(false, LOW);
    expect(scene.keyframesAsked).toBeGreaterThanOrEqual(asked);
    scene.picture(3);
    scene.picture(4, { key: true });
    expect(scene.take()).toEqual(['5 high1-3', '6 high2-3 end', '7 low-4 end']);
  });

  it('step down when the sender turns the best one off, and up at the key frame that restores it', () => {
    const scene = new Scene(l2t1);
    scene.picture(1, { key: true });
    scene.take();
    scene.picture(2, { active: 1 });
    expect(scene.take()).toEqual(['3 low-2 end']);
    expect(scene.forwarder.currentQuality).toBe(MEDIUM);
    scene.picture(3, { key: true });
    expect(scene.take()).toEqual(['4 low-3', '5 high1-3', '6 high2-3 end']);
  });

  it('stop when the sender announces that it sends none, and continue with the next key frame', () => {
    const scene = new Scene(l2t1);
    scene.picture(1, { key: true });
    scene.take();
    scene.picture(2, { active: 0 });
    scene.forwarder.setWanted(false, LOW);
    scene.take();
    scene.picture(3, { key: true, active: 0 });
    expect(scene.take()).toEqual([]);
    scene.picture(4, { key: true });
    expect(scene.take().map((packet) => packet.replace(/^\d+ /, ''))).toEqual(['low-4 end']);
  });

  it('put late packets in their place, and omit padding of unwanted layers', () => {
    const scene = new Scene(l2t1);
    scene.picture(1, { key: true });
    scene.picture(2, { late: ['high1'] });
    expect(scene.take().slice(3)).toEqual(['3 low-2', '5 high2-2 end', '4 high1-2']);
    scene.forwarder.setWanted(false, LOW);
    scene.picture(3, { late: ['high1'] });
    scene.picture(4);
    expect(scene.take()).toEqual(['6 low-3 end', '7 padding', '8 low-4 end']);
  });
});
