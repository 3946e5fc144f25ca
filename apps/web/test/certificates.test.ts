import { verify, X509Certificate } from 'node:crypto';
import { TestAuthority, type Issued, type TestKey } from '@rmeet/testkit/certificate-authority';
import { sm2 } from 'sm-crypto-v2';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openPkcs12 } from '../src/lib/certificates/pkcs12.ts';
import { CertificateFault } from '../src/lib/certificates/signer.ts';

const TEXT = 'a text with 中文';
const HOUR = 3_600_000;
let root: TestAuthority;
let alice: Issued;

beforeAll(async () => {
  vi.stubGlobal('isSecureContext', true);
  root = await TestAuthority.create({ subject: '/CN=CA' });
  alice = await root.issue({ subject: '/O=North/CN=张三' });
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await root.remove();
});

/** The fault of a file that cannot be used; empty if it can. */
async function faultOf(file: Uint8Array, password = 'x'): Promise<string> {
  try {
    await openPkcs12(file, password);
    return '';
  } catch (error) {
    if (error instanceof CertificateFault) return error.fault;
    throw error;
  }
}

describe('a PKCS #12 file', () => {
  test.each([
    ['RSA', 'RS256', 'sha256', []],
    ['RSA', 'RS256', 'sha256', ['-legacy']],
    ['RSA', 'RS256', 'sha256', ['-keypbe', 'PBE-SHA1-3DES', '-certpbe', 'PBE-SHA1-3DES', '-macalg', 'sha1']],
    ['P-256', 'ES256', 'sha256', []],
    ['P-384', 'ES384', 'sha384', ['-macalg', 'sha512', '-iter', '10000']],
    ['P-521', 'ES512', 'sha512', ['-legacy']],
  ] as const)('with a key of kind %s signs by %s (%s, %j)', async (key: TestKey, algorithm, hash, options) => {
    const issued = await root.issue({ subject: '/O=North/CN=张三', key });
    const signer = await openPkcs12(await root.pack(issued, '密码 1', options), '密码 1');
    expect(signer.name).toBe('张三');
    const proof = await signer.prove(TEXT);
    expect([proof.algorithm, proof.certificate, proof.chain]).toEqual([algorithm, issued.der, [root.self.der]]);
    const { publicKey } = new X509Certificate(issued.certificate);
    const signature = Buffer.from(proof.signature, 'base64');
    expect(verify(hash, Buffer.from(TEXT), { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature)).toBe(true);
  });

  test('with a key of kind SM2 signs, too', async () => {
    const issued = await root.issue({ subject: '/CN=alice', key: 'SM2' });
    const { algorithm, signature } = await (await openPkcs12(await root.pack(issued, 'x'), 'x')).prove(TEXT);
    // The point is the end of SubjectPublicKeyInfo.
    const spki = new X509Certificate(issued.certificate).publicKey.export({ type: 'spki', format: 'der' });
    const point = spki.subarray(-65).toString('hex');
    const hex = Buffer.from(signature, 'base64').toString('hex');
    expect(algorithm).toBe('SM2');
    expect(sm2.doVerifySignature(new TextEncoder().encode(TEXT), hex, point, { hash: true, der: true })).toBe(true);
  });

  test('that cannot be used says why', async () => {
    const whole = await root.pack(alice, 'x');
    expect(await faultOf(whole)).toBe('');
    expect(await faultOf(whole, 'y')).toBe('password');
    expect(await faultOf(whole.subarray(0, 300))).toBe('notPkcs12');
    expect(await faultOf(Buffer.from('a text'))).toBe('notPkcs12');
    expect(await faultOf(Buffer.from(alice.der, 'base64'))).toBe('notPkcs12');
    expect(await faultOf(await root.pack(alice, 'x', ['-nokeys']))).toBe('noKey');
    expect(await faultOf(await root.pack(alice, 'x', ['-keypbe', 'SM4-CBC', '-certpbe', 'SM4-CBC']))).toBe(
      'encryption',
    );
    const past = await root.issue({ subject: '/CN=alice', from: -2 * HOUR, until: -HOUR });
    expect(await faultOf(await root.pack(past, 'x'))).toBe('expired');
    const future = await root.issue({ subject: '/CN=alice', from: HOUR, until: 2 * HOUR });
    expect(await faultOf(await root.pack(future, 'x'))).toBe('notYet');
  });
});
