import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Db } from '../../../platform/db/index.ts';
import { AppError, networkOf } from '../../../platform/http/index.ts';
import { countFailure, forgetFailures, standingOf, takeOneBack, type Guesser } from '../../accounts/auth/index.ts';
import { verifyPassword } from '../../accounts/users/index.ts';
import type { BroadcastRow } from '../tables.ts';

/** Wrong passwords from one network, and from all together: that one is generous, it delays viewers, too. */
const guessersOf = (broadcastId: string, address: string): [Guesser, Guesser] => [
  { scope: 'broadcast-anywhere', key: [broadcastId], free: 50, delay: 1, maxDelay: 60 },
  { scope: 'broadcast-password', key: [broadcastId, networkOf(address)], free: 5, delay: 2, maxDelay: 300 },
];

/** Right passwords that are remembered. */
const KEPT = 500;

/** Checks the passwords of broadcasts. */
export function createPasswordCheck({ db, now }: { db: Db; now: () => Date }) {
  // A thousand viewers come within a minute, and the check of a stored hash takes long on purpose.
  const key = randomBytes(32);
  const right = new Map<string, Buffer>();
  const macOf = (password: string, hash: string): Buffer =>
    createHmac('sha256', key).update(`${hash} ${password}`).digest();
  const isKnown = (hash: string, password: string): boolean => {
    const known = right.get(hash);
    return known !== undefined && timingSafeEqual(known, macOf(password, hash));
  };

  return {
    /**
     * Wrong passwords are counted, and delayed by broadcast and network.
     *
     * @throws AppError WATCH_PASSWORD, TOO_MANY_REQUESTS
     */
    async check(
      { id, passwordHash }: Pick<BroadcastRow, 'id' | 'passwordHash'>,
      password: string,
      address: string,
    ): Promise<void> {
      if (passwordHash === null || password === '') throw new AppError('WATCH_PASSWORD');
      const guessers = guessersOf(id, address);
      const known = isKnown(passwordHash, password);
      // Counted before the password is checked: several guesses at once are all counted.
      const seconds = await db.platform(async (tx) => {
        let wait = 0;
        for (const guesser of guessers) wait = Math.max(wait, (await standingOf(tx, guesser, now())).wait);
        if (wait === 0 && !known) for (const guesser of guessers) await countFailure(tx, guesser, now());
        return wait;
      });
      if (seconds > 0) throw new AppError('TOO_MANY_REQUESTS', { seconds });
      if (known) return;
      if (!(await verifyPassword(password, passwordHash))) throw new AppError('WATCH_PASSWORD');
      if (right.size >= KEPT) right.clear();
      right.set(passwordHash, macOf(password, passwordHash));
      const [fromAnywhere, fromHere] = guessers;
      await db.platform(async (tx) => {
        await takeOneBack(tx, fromAnywhere);
        await forgetFailures(tx, fromHere);
      });
    },
  };
}

export type PasswordCheck = ReturnType<typeof createPasswordCheck>;
