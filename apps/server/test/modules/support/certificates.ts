import { execFile } from 'node:child_process';
import { constants, sign } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { certText, type CertAlgorithm, type CertAnswer, type CertPurpose } from '@rmeet/contract';
import type { Issued } from '@rmeet/testkit/certificate-authority';
import { clientOf, type Person } from './client.ts';
import type { TestServer } from './server.ts';

const run = promisify(execFile);
type Form = 'der' | 'ieee-p1363';

/** A signature of SM2 with SM3 by openssl. */
async function signSm2({ keyFile }: Issued, text: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'rmeet-sm2-'));
  try {
    await writeFile(join(folder, 'text'), text);
    const digest = ['-rawin', '-digest', 'sm3', '-pkeyopt', 'distid:1234567812345678'];
    await run('openssl', ['pkeyutl', '-sign', '-inkey', keyFile, '-in', 'text', '-out', 'signature', ...digest], {
      cwd: folder,
    });
    return await readFile(join(folder, 'signature'));
  } finally {
    await rm(folder, { recursive: true });
  }
}

const HASHES = { RS256: 'sha256', PS256: 'sha256', ES256: 'sha256', ES384: 'sha384', ES512: 'sha512' } as const;

/** Signs a text with the key of a certificate, base64. */
export async function signText(
  of: Issued,
  algorithm: CertAlgorithm,
  text: string,
  form: Form = 'ieee-p1363',
): Promise<string> {
  if (algorithm === 'SM2') return (await signSm2(of, text)).toString('base64');
  const padding = algorithm === 'PS256' ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING;
  const key = algorithm.startsWith('ES') ? { key: of.key, dsaEncoding: form } : { key: of.key, padding };
  return sign(HASHES[algorithm], Buffer.from(text), key).toString('base64');
}

export interface Proving {
  algorithm?: CertAlgorithm;
  form?: Form;
  tenantUri?: string;
  chain?: readonly Issued[];
  /** Whose certificate is sent; default: that of the key. */
  shown?: Issued;
  /** What is signed instead of the right text. */
  change?: (text: string) => string;
}

/** Gets a challenge and signs it; nothing is sent back yet. `by`: who binds the certificate, else a sign-in. */
export async function prove(
  server: TestServer,
  signer: Issued,
  { algorithm = 'ES256', form, tenantUri = 'north', chain = [], shown = signer, change = (text) => text }: Proving = {},
  by?: Person,
): Promise<CertAnswer> {
  const { challenge, secret, tenantId, time } = await (by
    ? by.certs.startBind()
    : clientOf(server).certs.getCodeData({ query: { tenantUri } }));
  const purpose: CertPurpose = by ? 'bind' : 'signIn';
  const text = certText({ origin: server.publicUrl, purpose, tenantId, time, challenge });
  const signature = await signText(signer, algorithm, change(text), form);
  return {
    challenge,
    secret,
    proof: { certificate: shown.der, chain: chain.map(({ der }) => der), algorithm, signature },
  };
}

/** Signs in by a certificate on a device of its own. */
export async function enter(server: TestServer, signer: Issued, proving: Proving = {}) {
  const answer = await prove(server, signer, proving);
  return clientOf(server).certs.verifyToToken({ body: { ...answer, deviceId: `device of ${signer.der.slice(-20)}` } });
}
