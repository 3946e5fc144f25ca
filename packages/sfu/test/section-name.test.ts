import { describe, expect, it } from 'vitest';
import { RtpPacket } from '@rmeet/rtp';
import { SectionName } from '../src/forwarding/section-name.ts';
import { rtpPacket } from '../../rtp/test/support/packets.ts';

const MID = 3;
const NUMBER = 5;
const number = Buffer.from([7, 8]);
const payload = Buffer.from('a frame');
/** Laid out like OutgoingPacket: four bytes of extensions, which contain the transport-wide number. */
const packetOf = (twoByte: boolean) => rtpPacket({ extensions: { [NUMBER]: number }, twoByte, payload });

function read(bytes: Buffer): { mid: string | undefined; number: Buffer; payload: string } {
  const packet = new RtpPacket();
  expect(packet.parse(bytes)).toBe(true);
  expect(packet.findExtension(NUMBER)).toBe(true);
  const found = bytes.subarray(packet.extensionOffset, packet.extensionOffset + packet.extensionLength);
  return {
    mid: packet.extensionText(MID),
    number: found,
    payload: bytes.toString('latin1', packet.payloadOffset, packet.payloadEnd),
  };
}

function named(mid: string, { twoByte = false, extensionId = MID } = {}) {
  const name = new SectionName();
  name.set({ mid, extensionId });
  return read(name.addTo(packetOf(twoByte)));
}

describe('the name of a section in packets', () => {
  it.each([false, true])(
    'is added to the other extensions, and leaves number and payload unchanged (two-byte: %s)',
    (twoByte) => {
      for (const mid of ['0', '17']) expect(named(mid, { twoByte })).toEqual({ mid, number, payload: 'a frame' });
    },
  );

  it('is omitted if it does not fit, or if the subscriber does not accept it', () => {
    expect(named('123')).toMatchObject({ mid: '123' });
    expect(named('1234')).toMatchObject({ mid: undefined, payload: 'a frame' });
    expect(named('123', { twoByte: true })).toMatchObject({ mid: undefined });
    expect(named('1', { extensionId: 0 })).toMatchObject({ mid: undefined });
    expect(named('1', { extensionId: 15 })).toMatchObject({ mid: undefined });
    expect(read(new SectionName().addTo(packetOf(false)))).toMatchObject({ mid: undefined });
  });

  it('is omitted once the subscriber knows the stream, until the stream gets another section', () => {
    const name = new SectionName();
    name.set({ mid: '4', extensionId: MID });
    name.known();
    expect(read(name.addTo(packetOf(false))).mid).toBeUndefined();
    name.set({ mid: '4', extensionId: MID });
    expect(read(name.addTo(packetOf(false))).mid).toBeUndefined();
    name.set({ mid: '5', extensionId: MID });
    expect(read(name.addTo(packetOf(false))).mid).toBe('5');
  });
});
