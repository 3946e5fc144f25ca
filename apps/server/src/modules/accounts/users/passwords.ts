import { argon2, randomBytes, timingSafeEqual, type Argon2Parameters } from 'node:crypto';
import { promisify } from 'node:util';
import { AppError } from '../../../platform/http/index.ts';

const derive = promisify(argon2) as (algorithm: 'argon2id', parameters: Argon2Parameters) => Promise<Buffer>;

/** OWASP Password Storage Cheat Sheet, argon2id: 19 MiB, two passes, one lane. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const TAG_BYTES = 32;
const SALT_BYTES = 16;
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Concurrent hashes: each takes 19 MiB and one of libuv's four threads, one of which is left for files. */
const CONCURRENT_HASHES = 3;
/** Maximum queue length: about two seconds of hashing. */
const WAITING_MAX = 200;
let running = 0;
const waiting: (() => void)[] = [];

/**
 * Lets callers check the queue before they commit to something that needs `hashPassword` or `verifyPassword`.
 *
 * @throws AppError SERVICE_BUSY when too many wait already
 */
export function mustHaveRoomToHash(hashes = 1): void {
  if (waiting.length + hashes > WAITING_MAX) throw new AppError('SERVICE_BUSY');
}

/**
 * Runs one hash when a slot is free.
 *
 * @throws AppError SERVICE_BUSY when too many wait
 */
async function queued<T>(hash: () => Promise<T>): Promise<T> {
  if (running < CONCURRENT_HASHES) running += 1;
  else {
    mustHaveRoomToHash();
    // A finished hash passes its slot to the first in the queue, so the order is kept.
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  try {
    return await hash();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
const phcOf = (nonce: Buffer, tag: Buffer): string =>
  `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${unpadded(nonce)}$${unpadded(tag)}`;

/** The argon2id hash of a password in PHC string form. Throws AppError SERVICE_BUSY. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(SALT_BYTES);
  const tag = await queued(() =>
    derive('argon2id', {
      message: password,
      nonce,
      parallelism: LANES,
      tagLength: TAG_BYTES,
      memory: MEMORY_KIB,
      passes: PASSES,
    }),
  );
  return phcOf(nonce, tag);
}

/**
 * A hash that no known password has, for an account without one: random bytes instead of a result. It costs nothing to
 * make, and as much as any other to compare with.
 */
export function unusableHash(): string {
  const [nonce, tag] = [randomBytes(SALT_BYTES), randomBytes(TAG_BYTES)];
  return phcOf(nonce, tag);
}

/**
 * Whether a password matches a hash made by `hashPassword`, with any cost parameters. Throws AppError SERVICE_BUSY, and
 * on a text that is not such a hash.
 */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt, expected] = PHC.exec(hash) ?? [];
  if (!salt || !expected) throw new Error('The stored password hash cannot be read.');
  const wanted = Buffer.from(expected, 'base64');
  const tag = await queued(() =>
    derive('argon2id', {
      message: password,
      nonce: Buffer.from(salt, 'base64'),
      parallelism: Number(parallelism),
      tagLength: wanted.length,
      memory: Number(memory),
      passes: Number(passes),
    }),
  );
  return timingSafeEqual(tag, wanted);
}

/**
 * Whether a password matches each of the hashes. All are checked concurrently, whatever the results, so that neither
 * time nor load reveals which one matches.
 *
 * @throws AppError SERVICE_BUSY if there is no room for all of them; then none is checked
 */
export async function verifyEach(password: string, hashes: readonly string[]): Promise<boolean[]> {
  mustHaveRoomToHash(hashes.length);
  return Promise.all(hashes.map((hash) => verifyPassword(password, hash)));
}
