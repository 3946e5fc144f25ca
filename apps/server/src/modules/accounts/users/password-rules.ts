import { randomInt } from 'node:crypto';
import type { PasswordRules } from '@rmeet/contract';
import { desc, eq } from 'drizzle-orm';
import type { TenantTx } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/http/index.ts';
import { verifyPassword } from './passwords.ts';
import { formerPassword, type AccountRow } from './tables.ts';

/** Letters and digits that cannot be confused. */
const ALPHABET = ['abcdefghjkmnpqrstuvwxyz', 'ABCDEFGHJKLMNPQRSTUVWXYZ', '23456789'] as const;
const GROUP = 4;
/** Minimum length of generated passwords: 12 of 55 characters are 69 bits. */
const MADE_MIN = 12;
const DAY = 86_400_000;

const pick = (from: string): string => from.charAt(randomInt(from.length));

/**
 * A random password that meets the rules, in groups of four separated by hyphens so that it can be read aloud:
 * `k7Wm-2xQe-Hn4t`.
 */
export function makePassword({ minLength }: Pick<PasswordRules, 'minLength'>): string {
  const letters = Math.max(MADE_MIN, minLength);
  for (;;) {
    const made = Array.from({ length: letters }, () => pick(ALPHABET.join('')));
    if (!ALPHABET.every((kind) => made.some((letter) => kind.includes(letter)))) continue;
    return made.map((letter, i) => (i > 0 && i % GROUP === 0 ? `-${letter}` : letter)).join('');
  }
}

const CLASSES = [/\p{Ll}/u, /\p{Lu}/u, /\p{Nd}/u, /[^\p{Ll}\p{Lu}\p{Nd}]/u];

/** @throws AppError PASSWORD_TOO_WEAK: too short, too few kinds of characters, or contains the account name */
export function checkStrength(plain: string, account: string, { minLength, minClasses }: PasswordRules): void {
  const classes = CLASSES.filter((kind) => kind.test(plain)).length;
  const namesAccount = plain.toLowerCase().includes(account.toLowerCase());
  if (Array.from(plain).length < minLength || classes < minClasses || namesAccount)
    throw new AppError('PASSWORD_TOO_WEAK', { minLength, minClasses });
}

/** Hashes of passwords that must not be reused: the current one and former ones, by the rules. */
export async function spentPasswords(tx: TenantTx, of: AccountRow, { history }: PasswordRules): Promise<string[]> {
  if (history < 2) return [of.passwordHash];
  const former = await tx.find(formerPassword, eq(formerPassword.accountId, of.id), {
    orderBy: [desc(formerPassword.replacedAt), desc(formerPassword.id)],
    limit: history - 1,
  });
  return [of.passwordHash, ...former.map((row) => row.passwordHash)];
}

/**
 * Whether an account may use this password. Hashes, so it must not run inside a transaction.
 *
 * @param spent - from `spentPasswords`; none for a new account
 * @throws AppError PASSWORD_TOO_WEAK, PASSWORD_REUSED, SERVICE_BUSY
 */
export async function checkNewPassword(
  plain: string,
  account: string,
  rules: PasswordRules,
  spent: readonly string[] = [],
): Promise<void> {
  checkStrength(plain, account, rules);
  for (const hash of spent) {
    if (await verifyPassword(plain, hash)) throw new AppError('PASSWORD_REUSED', { count: spent.length });
  }
}

/** When the password expires; null for never. */
export function passwordExpiry(of: AccountRow, { maxAgeDays }: Pick<PasswordRules, 'maxAgeDays'>): Date | null {
  return maxAgeDays === null ? null : new Date((of.passwordChangedAt ?? of.createdAt).getTime() + maxAgeDays * DAY);
}

/** Whether the account must choose another password before it can sign in. */
export function mustChangePassword(of: AccountRow, rules: PasswordRules, now: Date): boolean {
  const expiry = passwordExpiry(of, rules);
  return of.passwordDue || (expiry !== null && expiry <= now);
}
