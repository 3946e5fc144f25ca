import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurably } from '../durable/index.ts';

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The installation's key is invalid, or not the one its database was filled with; a retry does not help. */
export class SecretKeyUnusable extends Error {
  override readonly name = 'SecretKeyUnusable';
}

/** Encrypts short texts for storage, and authenticates others. */
export interface SecretBox {
  /** AES-256-GCM; `binding` is authenticated with it, so a sealed text moved to another row cannot be opened. */
  seal(text: string, binding: string): string;
  /** Throws if the text was changed, was bound to something else, or was sealed with another key. */
  open(sealed: string, binding: string): string;
  /** HMAC-SHA-256 of a text, with a key that is derived for this purpose only. */
  mac(text: string, purpose: string): Buffer;
}

function boxOf(key: Buffer): SecretBox {
  return {
    seal(text, binding) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(binding));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
    },
    open(sealed, binding) {
      const bytes = Buffer.from(sealed, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(binding))
        .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
    },
    mac(text, purpose) {
      const derived = Buffer.from(hkdfSync('sha256', key, '', purpose, KEY_BYTES));
      return createHmac('sha256', derived).update(text).digest();
    },
  };
}

function decode(text: string, where: string): Buffer {
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== KEY_BYTES)
    throw new SecretKeyUnusable(
      `${where} must hold ${KEY_BYTES} bytes in base64. Bring back the one this installation had.`,
    );
  return key;
}

function readOrMake(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT')
      throw new SecretKeyUnusable(
        `${file} cannot be read (${code}). It has to be a file that the account of this server may read.`,
        { cause: error },
      );
  }
  const made = `${randomBytes(KEY_BYTES).toString('base64')}\n`;
  writeDurably(file, made);
  return made;
}

/**
 * The box with the installation's key: `given` (base64, RMEET_SECRET_KEY; servers that share a database need the same
 * one), else `secret.key` in the data folder, created on first use and readable only by its owner.
 */
export function openSecretBox(dataFolder: string, given?: string): SecretBox {
  if (given) return boxOf(decode(given, 'RMEET_SECRET_KEY'));
  mkdirSync(dataFolder, { recursive: true });
  const file = join(dataFolder, 'secret.key');
  return boxOf(decode(readOrMake(file), file));
}
