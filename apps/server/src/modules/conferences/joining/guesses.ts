import type { PlatformTx } from '../../../platform/db/index.ts';
import { AppError, networkOf } from '../../../platform/http/index.ts';
import type { SecretBox } from '../../../platform/secrets/index.ts';
import { countFailure, forgetFailures, standingOf, takeOneBack, type Guesser } from '../../accounts/auth/index.ts';
import { isPassword } from '../../meetings/index.ts';
import type { MeetingRow } from '../../meetings/tables.ts';

/** Attempts with unknown meeting numbers, per network. */
export const numberGuesser = (address: string): Guesser => ({
  scope: 'join-number',
  key: [networkOf(address)],
  free: 20,
  delay: 2,
  maxDelay: 300,
});
const passwordGuesser = (address: string, number: string): Guesser => ({
  scope: 'join-password',
  key: [networkOf(address), number],
  free: 5,
  delay: 2,
  maxDelay: 300,
});
/** From all addresses together. Generous and short, because it also delays guests who know the password. */
const meetingGuesser = (number: string): Guesser => ({
  scope: 'join-password-anywhere',
  key: [number],
  free: 50,
  delay: 1,
  maxDelay: 60,
});

/** TOO_MANY_REQUESTS if one of the guessers has to wait, else null. */
export async function mustDelay(tx: PlatformTx, now: Date, ...guessers: Guesser[]): Promise<AppError | null> {
  let seconds = 0;
  for (const guesser of guessers) seconds = Math.max(seconds, (await standingOf(tx, guesser, now)).wait);
  return seconds > 0 ? new AppError('TOO_MANY_REQUESTS', { seconds }) : null;
}

/**
 * Checks the password of a meeting, if it has one, and counts wrong ones. Returns the refusal, or null.
 *
 * @param way `look`: a page only shows the meeting, and does so again and again
 */
export async function checkPassword(
  { secrets, now }: { secrets: SecretBox; now: () => Date },
  tx: PlatformTx,
  meeting: Pick<MeetingRow, 'id' | 'tenantId' | 'number' | 'passwordSealed'>,
  password: string | undefined,
  address: string,
  way: 'join' | 'look' = 'join',
): Promise<AppError | null> {
  if (meeting.passwordSealed === null) return null;
  if (!password) return new AppError('MEETING_PASSWORD_REQUIRED');
  const fromHere = passwordGuesser(address, meeting.number);
  const fromAnywhere = meetingGuesser(meeting.number);
  const refusal = await mustDelay(tx, now(), fromHere, fromAnywhere);
  if (refusal) return refusal;
  if (isPassword(secrets, meeting, password)) {
    await forgetFailures(tx, fromHere);
    // Correct passwords offset wrong ones, so that a large meeting does not lock out its own participants.
    if (way === 'join') await takeOneBack(tx, fromAnywhere);
    return null;
  }
  await countFailure(tx, fromHere, now());
  await countFailure(tx, fromAnywhere, now());
  return new AppError('MEETING_PASSWORD_WRONG');
}
