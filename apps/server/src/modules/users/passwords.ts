import { argon2, randomBytes, timingSafeEqual, type Argon2Parameters } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2) as (algorithm: 'argon2id', parameters: Argon2Parameters) => Promise<Buffer>;

/** OWASP Password Storage Cheat Sheet, argon2id: 19 MiB, two passes, one lane. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const TAG_BYTES = 32;
const SALT_BYTES = 16;
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

/** The argon2id hash of a password in PHC string form. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(SALT_BYTES);
  const tag = await derive('argon2id', { message: password, nonce, parallelism: LANES, tagLength: TAG_BYTES, memory: MEMORY_KIB, passes: PASSES });
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${unpadded(nonce)}$${unpadded(tag)}`;
}

/** Whether a password fits a hash made by `hashPassword`, whatever its cost parameters. Throws on a text that is no such hash. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt, expected] = PHC.exec(hash) ?? [];
  if (!salt || !expected) throw new Error('The stored password hash cannot be read.');
  const wanted = Buffer.from(expected, 'base64');
  const tag = await derive('argon2id', {
    message: password, nonce: Buffer.from(salt, 'base64'), parallelism: Number(parallelism), tagLength: wanted.length, memory: Number(memory), passes: Number(passes),
  });
  return timingSafeEqual(tag, wanted);
}
