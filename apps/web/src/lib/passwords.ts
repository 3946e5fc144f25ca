import type { PasswordRules } from '@rmeet/contract';

/** What a browser can tell of the rules; whether a password was used before, only the server knows. */
export interface RuleCheck {
  rule: 'length' | 'classes' | 'account';
  met: boolean;
}

const CLASSES = [/\p{Lu}/u, /\p{Ll}/u, /\p{Nd}/u, /[^\p{Lu}\p{Ll}\p{Nd}]/u] as const;

/** Each rule with whether a new password meets it. An empty one meets none. */
export function checkPassword(
  password: string,
  account: string,
  { minLength, minClasses }: Pick<PasswordRules, 'minLength' | 'minClasses'>,
): RuleCheck[] {
  const classes = CLASSES.filter((one) => one.test(password)).length;
  return [
    { rule: 'length', met: Array.from(password).length >= minLength },
    { rule: 'classes', met: classes >= minClasses },
    { rule: 'account', met: password !== '' && !password.toLowerCase().includes(account.toLowerCase()) },
  ];
}
