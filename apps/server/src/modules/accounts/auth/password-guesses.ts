import type { Db } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/http/index.ts';
import type { PasswordGuesses } from '../users/index.ts';
import { countFailure, forgetFailures, standingOf, type Guesser } from './attempts.ts';

/** By account and not by session: whoever took a session can make more of them. */
const guesserOf = (accountId: string): Guesser => ({
  scope: 'own-password',
  key: [accountId],
  free: 5,
  delay: 2,
  maxDelay: 300,
});

/** Slows down guesses at the password of an account by somebody who is signed in to it. */
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
