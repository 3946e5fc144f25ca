import type * as Crypto from 'node:crypto';

/** How often the server has hashed a password, in a test file that mocks `node:crypto` with `cheapHashes`. */
export const hashing = { count: 0 };

/**
 * `node:crypto` with argon2 counted and made cheap, for tests of how often the server hashes, not of how long that
 * takes:
 * `vi.mock('node:crypto', async (original) => (await import('./support/hashing.ts')).cheapHashes(original))`.
 */
export async function cheapHashes(original: () => Promise<unknown>): Promise<typeof Crypto> {
  const real = (await original()) as typeof Crypto;
  const argon2: typeof real.argon2 = (algorithm, parameters, done) => {
    hashing.count += 1;
    real.argon2(algorithm, { ...parameters, memory: 8, passes: 1 }, done);
  };
  return { ...real, argon2 };
}
