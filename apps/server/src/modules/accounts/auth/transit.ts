import { constants, createHash, generateKeyPair, privateDecrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { inArray, lt } from 'drizzle-orm';
import { holdKey, type Db, type PlatformTx } from '../../../platform/db/index.ts';
import { SecretKeyUnusable, type SecretBox } from '../../../platform/secrets/index.ts';
import { PLATFORM_TENANT_ID } from '../tenants/index.ts';
import { sealedSecret, usedCiphertext } from './tables.ts';

/** Rows of the current pair and of the previous one. */
const [CURRENT, BEFORE] = ['password-transit-key', 'password-transit-key-before'];
/**
 * A pair is replaced after this long (ms); passwords encrypted with it can be decrypted until the next one is replaced.
 */
const RENEW_AFTER = 24 * 60 * 60_000;
/** If no pair can decrypt a text, the server looks for newer pairs, at most this often (ms). */
const LOOK_AGAIN_AFTER = 10_000;

/** The key pairs with which browsers encrypt passwords in transit. */
export interface TransitKeys {
  /** SPKI in PEM form. */
  publicKey(): Promise<string>;
  /** Decrypts RSA-OAEP-256 (RFC 8017, section 7.1, with SHA-256); undefined if that fails. */
  open(ciphertext: string): Promise<string | undefined>;
}

interface Pair {
  publicKey: string;
  privateKey: string;
}

interface Loaded {
  /** The newest first. */
  pairs: readonly Pair[];
  /** When the newest was created; ms. */
  madeAt: number;
  lookedAt: number;
}

async function makePair(): Promise<Pair> {
  return promisify(generateKeyPair)('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
}

function openWith({ privateKey }: Pair, ciphertext: Buffer): string | undefined {
  try {
    return privateDecrypt(
      { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
      ciphertext,
    ).toString('utf8');
  } catch {
    return undefined; // not encrypted with this key
  }
}

/**
 * The pairs of this installation, stored sealed in the database, so that they survive restarts and all servers share
 * them. The first one is created here. Throws SecretKeyUnusable if the database was filled with another secret key.
 */
export async function loadTransitKeys(db: Db, secrets: SecretBox, now: () => Date): Promise<TransitKeys> {
  let loaded = await load();

  function unsealed(sealed: string, name: string): Pair {
    try {
      return JSON.parse(secrets.open(sealed, name)) as Pair;
    } catch (cause) {
      throw new SecretKeyUnusable(
        'This database was filled under another secret key. Bring back secret.key in the data folder, or set ' +
          'RMEET_SECRET_KEY to the key it had.',
        { cause },
      );
    }
  }

  async function put(tx: PlatformTx, name: string, pair: Pair, createdAt: Date): Promise<void> {
    const values = { name, tenantId: PLATFORM_TENANT_ID, sealed: secrets.seal(JSON.stringify(pair), name), createdAt };
    await tx.insert(sealedSecret, values, { target: [sealedSecret.name], set: { sealed: values.sealed, createdAt } });
  }

  /** Reads the pairs, and replaces the newest when it is due; of several servers, one does. */
  async function load(): Promise<Loaded> {
    return db.platform(async (tx) => {
      await holdKey(tx, CURRENT);
      const rows = await tx.find(sealedSecret, inArray(sealedSecret.name, [CURRENT, BEFORE]));
      const [newest, before] = [CURRENT, BEFORE].map((wanted) => rows.find(({ name }) => name === wanted));
      const [lookedAt, current] = [now().getTime(), newest && unsealed(newest.sealed, CURRENT)];
      if (newest && current && lookedAt - newest.createdAt.getTime() < RENEW_AFTER) {
        return {
          pairs: [current, ...(before ? [unsealed(before.sealed, BEFORE)] : [])],
          madeAt: newest.createdAt.getTime(),
          lookedAt,
        };
      }
      if (newest && current) {
        await put(tx, BEFORE, current, newest.createdAt);
        // Passwords used before the remaining pair was created can no longer be decrypted.
        await tx.delete(usedCiphertext, lt(usedCiphertext.usedAt, newest.createdAt));
      }
      const made = await makePair();
      await put(tx, CURRENT, made, now());
      return { pairs: [made, ...(current ? [current] : [])], madeAt: lookedAt, lookedAt };
    });
  }

  const isOver = (): boolean => now().getTime() - loaded.madeAt >= RENEW_AFTER;

  return {
    async publicKey() {
      if (isOver()) loaded = await load();
      return loaded.pairs[0]?.publicKey ?? '';
    },
    async open(ciphertext) {
      const bytes = Buffer.from(ciphertext, 'base64');
      const opened = (): string | undefined =>
        loaded.pairs.map((pair) => openWith(pair, bytes)).find((text) => text !== undefined);
      if (isOver()) loaded = await load();
      const found = opened();
      // Another server, whose clock is ahead, may have replaced the pair.
      if (found !== undefined || now().getTime() - loaded.lookedAt < LOOK_AGAIN_AFTER) return found;
      loaded = await load();
      return opened();
    },
  };
}

/** Records that a ciphertext was used for a sign-in; false if it was used before on any server. */
export async function useOnce(tx: PlatformTx, ciphertext: string, now: Date): Promise<boolean> {
  // Base64 of the same bytes can be written in several ways.
  const hash = createHash('sha256').update(Buffer.from(ciphertext, 'base64')).digest('base64url');
  return (await tx.insert(usedCiphertext, { hash, tenantId: PLATFORM_TENANT_ID, usedAt: now }, 'nothing')).length > 0;
}
