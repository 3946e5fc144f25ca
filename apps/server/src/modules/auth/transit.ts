import { constants, generateKeyPair, privateDecrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { eq } from 'drizzle-orm';
import type { Db } from '../../platform/db/index.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import { PLATFORM_TENANT_ID } from '../tenants/index.ts';
import { sealedSecret } from './tables.ts';

const NAME = 'password-transit-key';

/** The key pair browsers encrypt passwords under on their way here. */
export interface TransitKey {
  /** SPKI in PEM form. */
  publicKey: string;
  /** Opens RSA-OAEP-256 (RFC 8017, section 7.1, with SHA-256); undefined when it cannot be opened. */
  open(ciphertext: string): string | undefined;
}

async function makePair(): Promise<string> {
  const pair = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2_048, publicKeyEncoding: { type: 'spki', format: 'pem' }, privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return JSON.stringify(pair);
}

/**
 * The pair of this installation, made once and kept sealed in the database, so that it survives restarts and all servers
 * share it. Throws a readable message when the database was filled under another secret key.
 */
export async function loadTransitKey(db: Db, secrets: SecretBox, now: Date): Promise<TransitKey> {
  const stored = await db.platform((tx) => tx.findOne(sealedSecret, eq(sealedSecret.name, NAME)));
  let sealed = stored?.sealed;
  if (sealed === undefined) {
    const made = secrets.seal(await makePair(), NAME);
    sealed = await db.platform(async (tx) => {
      await tx.insert(sealedSecret, { name: NAME, tenantId: PLATFORM_TENANT_ID, sealed: made, createdAt: now }, 'nothing');
      return (await tx.findOne(sealedSecret, eq(sealedSecret.name, NAME)))?.sealed ?? made;
    });
  }
  const { publicKey, privateKey } = JSON.parse(openOrExplain(secrets, sealed)) as { publicKey: string; privateKey: string };
  return {
    publicKey,
    open(ciphertext) {
      try {
        const key = { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };
        return privateDecrypt(key, Buffer.from(ciphertext, 'base64')).toString('utf8');
      } catch {
        return undefined; // not made with this key: the caller answers PASSWORD_UNREADABLE
      }
    },
  };
}

function openOrExplain(secrets: SecretBox, sealed: string): string {
  try {
    return secrets.open(sealed, NAME);
  } catch (cause) {
    throw new Error('This database was filled under another secret key. Bring back secret.key in the data folder, or set RMEET_SECRET_KEY to the key it had.', { cause });
  }
}
