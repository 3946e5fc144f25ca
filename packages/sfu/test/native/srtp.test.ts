import { createCipheriv, createHmac, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { memory, reserve } from '../../src/transport/native/arena.ts';
import { CmCipher, GcmCipher } from '../../src/transport/native/srtp-cipher.ts';
import { type SrtpProfile, deriveSessionKeys, saltBytes } from '../../src/transport/native/srtp-keys.ts';
import { SrtpSources } from '../../src/transport/native/srtp-sources.ts';
import { SRTCP_OVERHEAD, SRTP_OVERHEAD, SrtpSession } from '../../src/transport/native/srtp.ts';
import { needNative } from '../support/native.ts';

beforeEach(needNative);

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(/\s/g, ''), 'hex');
const at = reserve(2048);
const put = (bytes: Uint8Array): number => {
  memory.set(bytes, at);
  return bytes.length;
};
const got = (length: number): Buffer => Buffer.from(memory.subarray(at, at + length));

const profiles: SrtpProfile[] = ['AES_128_GCM', 'AES_128_CM_SHA1_80'];
let sessions: SrtpSession[] = [];
function pair(profile: SrtpProfile, key = randomBytes(16), salt = randomBytes(saltBytes(profile))) {
  const both = [new SrtpSession(profile, key, salt), new SrtpSession(profile, key, salt)] as const;
  sessions.push(...both);
  return { key, salt, sender: both[0], receiver: both[1] };
}
afterEach(() => {
  for (const session of sessions) session.free();
  sessions = [];
});

function rtp(seq: number, { ssrc = 0xdecafbad, payload = randomBytes(100), extension = false } = {}): Buffer {
  const header = Buffer.alloc(12);
  header[0] = extension ? 0x92 : 0x80;
  header[1] = 96;
  header.writeUInt16BE(seq, 2);
  header.writeUInt32BE(ssrc, 8);
  // Two CSRCs, and an extension of two words.
  const more = extension ? hex('00000001 00000002 bede0002 1001020304050607') : Buffer.alloc(0);
  return Buffer.concat([header, more, payload]);
}
function rtcp(ssrc = 0xcafe_f00d): Buffer {
  const packet = Buffer.concat([hex('80c80006'), randomBytes(24)]);
  packet.writeUInt32BE(ssrc, 4);
  return packet;
}
/** What goes over the wire for `packet`. */
const protect = (sender: SrtpSession, packet: Uint8Array): Buffer => got(sender.protectRtp(at, put(packet)));
const receive = (receiver: SrtpSession, wire: Uint8Array): number => receiver.unprotectRtp(at, put(wire));

test('session keys are those of RFC 3711 appendix B.3', () => {
  const { rtp: keys } = deriveSessionKeys(
    'AES_128_CM_SHA1_80',
    hex('E1F97A0D3E018BE0D64FA32C06DE4139'),
    hex('0EC675AD498AFEEBB6960B3AABE6'),
  );
  expect(keys.cipherKey).toEqual(hex('C61E7A93744F39EE10734AFE3FF7A087'));
  expect(keys.salt).toEqual(hex('30CBBC08863D8C85D49DB34A9AE1'));
  expect(keys.authKey).toEqual(hex('CEBE321F6FF7716B6FD4AB49AF256A156D38BAA4'));
});

test('the keystream of AES-CM is that of RFC 3711 appendix B.2', () => {
  const cipher = new CmCipher(
    {
      cipherKey: hex('2B7E151628AED2A6ABF7158809CF4F3C'),
      authKey: Buffer.alloc(20),
      salt: hex('F0F1F2F3F4F5F6F7F8F9FAFBFCFD'),
    },
    true,
  );
  put(Buffer.alloc(32));
  expect(cipher.nonce(0, 0, 0) && cipher.crypt(at, 32)).toBe(true);
  expect(got(32)).toEqual(hex('E03EAD0935C95E80E166B16DD92B4EB4 D23513162B02D0F72A43A2FE4A5F97AB'));
  cipher.free();
});

test('packets in AES-GCM are those of RFC 7714 sections 16.1.1 and 17.1', () => {
  const keys = {
    cipherKey: hex('000102030405060708090a0b0c0d0e0f'),
    authKey: Buffer.alloc(20),
    salt: hex('517569642070726f2071756f'),
  };
  const cipher = new GcmCipher(keys, true);
  const header = '8040f17b 8041f8d3 5501a0b2';
  const plain = hex(`${header} 47616c6c696120657374206f6d6e69732064697669736120696e207061727465732074726573`);
  put(plain);
  expect(cipher.nonce(0x5501a0b2, 0, 0xf17b) && cipher.seal(at, 12, at + 12, plain.length - 12)).toBe(true);
  expect(got(plain.length + 16)).toEqual(
    hex(`${header} f24de3a3fb34de6cacba861c9d7e4bcabe633bd50d294e6f42a5f47a51c7d19b36de3adf8833
      899d7f27beb16a9152cf765ee4390cce`),
  );
  const report = hex(`81c8000d 4d617273 4e5450314e545032525450200000042a0000e9304c756e61
    deadbeefdeadbeefdeadbeefdeadbeefdeadbeef`);
  put(report);
  const signed = reserve(12);
  memory.set(hex('81c8000d 4d617273 800005d4'), signed);
  expect(cipher.nonce(0x4d617273, 0, 0x05d4) && cipher.seal(signed, 12, at + 8, report.length - 8)).toBe(true);
  expect(got(report.length + 16)).toEqual(
    hex(`81c8000d 4d617273 63e94885dcdab67ca727d7662f6b7e997ff5c0f76c06f32dc676a5f1730d6fda4ce09b4686303ded0bb9275b
      c84aa45896cf4d2fc5abf87245d9eade`),
  );
  cipher.free();
});

/** By node:crypto: what the packet looks like on the wire. */
function reference(
  profile: SrtpProfile,
  key: Buffer,
  salt: Buffer,
  packet: Buffer,
  header: number,
  roc: number,
): Buffer {
  const derive = (label: number, bytes: number): Buffer => {
    const iv = Buffer.alloc(16);
    salt.copy(iv);
    iv[7]! ^= label;
    return createCipheriv('aes-128-ctr', key, iv).update(Buffer.alloc(bytes));
  };
  const isGcm = profile === 'AES_128_GCM';
  const iv = Buffer.alloc(isGcm ? 12 : 16);
  derive(2, salt.length).copy(iv);
  const mix = Buffer.alloc(iv.length);
  packet.copy(mix, isGcm ? 2 : 4, 8, 12);
  mix.writeUInt32BE(roc, isGcm ? 6 : 8);
  packet.copy(mix, isGcm ? 10 : 12, 2, 4);
  for (const [i, byte] of mix.entries()) iv[i]! ^= byte;
  const clear = packet.subarray(0, header);
  if (isGcm) {
    const cipher = createCipheriv('aes-128-gcm', derive(0, 16), iv).setAAD(clear);
    return Buffer.concat([clear, cipher.update(packet.subarray(header)), cipher.final(), cipher.getAuthTag()]);
  }
  const sealed = Buffer.concat([
    clear,
    createCipheriv('aes-128-ctr', derive(0, 16), iv).update(packet.subarray(header)),
  ]);
  const counter = Buffer.alloc(4);
  counter.writeUInt32BE(roc);
  const tag = createHmac('sha1', derive(1, 20)).update(sealed).update(counter).digest();
  return Buffer.concat([sealed, tag.subarray(0, 10)]);
}

test.each(profiles)('%s: packets are those of node:crypto, across a rollover and with extensions', (profile) => {
  const { key, salt, sender, receiver } = pair(profile);
  for (const [seq, roc] of [
    [65_534, 0],
    [65_535, 0],
    [0, 1],
    [1, 1],
  ] as const) {
    for (const extension of [false, true]) {
      const ssrc = extension ? 7 : 0xffff_fff0;
      const packet = rtp(seq, { ssrc, extension, payload: randomBytes(seq % 3) });
      const wire = protect(sender, packet);
      expect(wire).toEqual(reference(profile, key, salt, packet, extension ? 32 : 12, roc));
      expect(receive(receiver, wire)).toBe(packet.length);
      expect(got(packet.length)).toEqual(packet);
    }
  }
});

test.each(profiles)('%s: overhead stays within what is announced', (profile) => {
  const { sender } = pair(profile);
  const packet = rtp(1);
  expect(protect(sender, packet).length - packet.length).toBeLessThanOrEqual(SRTP_OVERHEAD);
  const report = rtcp();
  expect(sender.protectRtcp(at, put(report)) - report.length).toBeLessThanOrEqual(SRTCP_OVERHEAD);
});

test.each(profiles)('%s: late packets pass once, replayed and too old ones never', (profile) => {
  const { sender, receiver } = pair(profile);
  const wires = Array.from({ length: 1100 }, (_, i) => protect(sender, rtp((65_000 + i) % 65_536)));
  const inOrder = wires.map((_, i) => i).filter((i) => i !== 5 && i !== 1036);
  for (const i of inOrder) expect(receive(receiver, wires[i]!)).toBeGreaterThan(0);
  expect(receive(receiver, wires[1036]!)).toBeGreaterThan(0);
  expect(receive(receiver, wires[1036]!)).toBe(0);
  expect(receive(receiver, wires[1099]!)).toBe(0);
  expect(receive(receiver, wires[5]!)).toBe(0);
  expect(receiver.refused).toEqual({ malformed: 0, forged: 0, replayed: 3 });
});

test.each(profiles)('%s: a packet with any byte changed is refused, and the genuine one passes after it', (profile) => {
  const { sender, receiver } = pair(profile);
  const wire = protect(sender, rtp(100, { extension: true, payload: randomBytes(20) }));
  for (let i = 0; i < wire.length; i++) {
    const forged = Buffer.from(wire);
    forged[i]! ^= 1 << (i % 8);
    expect(receive(receiver, forged)).toBe(0);
  }
  for (let length = 0; length < wire.length; length++) expect(receive(receiver, wire.subarray(0, length))).toBe(0);
  expect(receive(pair(profile).receiver, wire)).toBe(0);
  expect(receiver.refused.malformed + receiver.refused.forged).toBe(2 * wire.length);
  expect(receive(receiver, wire)).toBe(wire.length - (profile === 'AES_128_GCM' ? 16 : 10));
});

test.each(profiles)(
  '%s: reports of two sources with the same index pass, forged and replayed ones do not',
  (profile) => {
    const key = randomBytes(16);
    const salt = randomBytes(saltBytes(profile));
    const { sender: chair, receiver } = pair(profile, key, salt);
    const { sender: alice } = pair(profile, key, salt);
    const report = (sender: SrtpSession, ssrc: number): Buffer => got(sender.protectRtcp(at, put(rtcp(ssrc))));
    for (const wire of [report(chair, 1), report(alice, 2), report(chair, 1)]) {
      for (let i = 0; i < wire.length; i++) {
        const forged = Buffer.from(wire);
        forged[i]! ^= 0x80;
        expect(receiver.unprotectRtcp(at, put(forged))).toBe(0);
        expect(receiver.unprotectRtcp(at, put(wire.subarray(0, i)))).toBe(0);
      }
      expect(receiver.unprotectRtcp(at, put(wire))).toBe(28);
      expect(receiver.unprotectRtcp(at, put(wire))).toBe(0);
    }
  },
);

test.each(profiles)('%s: a sender refuses to use an index again', (profile) => {
  const { sender } = pair(profile);
  expect(sender.protectRtp(at, put(rtp(10)))).toBeGreaterThan(0);
  expect(sender.protectRtp(at, put(rtp(12)))).toBeGreaterThan(0);
  expect(sender.protectRtp(at, put(rtp(10)))).toBe(0);
  expect(sender.protectRtp(at, put(rtp(11)))).toBeGreaterThan(0);
  expect(sender.protectRtp(at, put(rtp(11)))).toBe(0);
  expect(sender.refused.replayed).toBe(2);
});

test('a session of one direction refuses the other, and all packets after it is freed', () => {
  const { sender } = pair('AES_128_GCM');
  const wire = protect(sender, rtp(1));
  expect(sender.unprotectRtp(at, put(wire))).toBe(0);
  sender.free();
  expect(sender.protectRtp(at, put(rtp(2)))).toBe(0);
  expect(sender.protectRtcp(at, put(rtcp()))).toBe(0);
});

test('malformed packets are not protected', () => {
  const { sender } = pair('AES_128_GCM');
  const withExtension = rtp(1, { extension: true });
  withExtension.writeUInt16BE(4000, 22);
  for (const packet of [Buffer.alloc(0), rtp(1).subarray(0, 11), Buffer.alloc(40), withExtension]) {
    expect(sender.protectRtp(at, put(packet))).toBe(0);
  }
  expect(sender.protectRtp(at, 1520)).toBe(0);
  expect(sender.refused.malformed).toBe(5);
});

const limits = { window: 128, maxSources: 4, forgets: true };
test('a jump of the sequence number before the first rollover is a jump ahead', () => {
  const sources = new SrtpSources(limits);
  sources.mark(1, 0, 100);
  expect(sources.find(1, 40_000)).toBe(true);
  expect(sources.high).toBe(0);
  sources.mark(1, 1, 100);
  expect(sources.find(1, 40_000)).toBe(false);
});

test('a receiver forgets the source that was silent longest, a sender accepts no further one', () => {
  const receiver = new SrtpSources(limits);
  const sender = new SrtpSources({ ...limits, forgets: false });
  for (const ssrc of [1, 2, 3, 4, -5]) {
    expect(receiver.find(ssrc, 1)).toBe(true);
    receiver.mark(ssrc, 0, 1);
    if (ssrc === 4) receiver.mark(1, 0, 2);
    if (ssrc > 0) sender.mark(ssrc, 0, 1);
  }
  expect(receiver.size).toBe(4);
  expect([1, 2, 3, 4, -5].map((ssrc) => receiver.find(ssrc, 1))).toEqual([false, true, false, false, false]);
  expect(sender.find(-5, 1)).toBe(false);
  expect(sender.find(1, 2)).toBe(true);
});
