import type { Db } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/http/index.ts';
import type { PasswordGuesses } from '../users/index.ts';
import { countFailure, forgetFailures, standingOf, type Guesser } from './attempts.ts';

/** By account and not by session: a stolen session can create more sessions. */
const guesserOf = (accountId: string): Guesser => ({
  scope: 'own-password',
  key: [accountId],
  free: 5,
  delay: 2,
  maxDelay: 300,
});

/** Limits guesses at an account's password from its own sessions. */
export function createPasswordGuesses({ db, now }: { db: Db; now: () => Date }): PasswordGuesses {
  return {
    async admit(accountId) {
      const guesser = guesserOf(accountId);
      await db.platform(async (tx) => {
        const { wait } = await standingOf(tx, guesser, now());
        if (wait > 0) throw new AppError('TOO_MANY_REQUESTS', { seconds: wait });
        await countFailure(tx, guesser, now());
      });
    },
    forget: (accountId) => db.platform((tx) => forgetFailures(tx, guesserOf(accountId))),
  };
}
