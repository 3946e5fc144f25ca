import type { PasswordRules } from '@rmeet/contract';

/** The rules that a browser can check; only the server knows whether a password was used before. */
export interface RuleCheck {
  rule: 'length' | 'classes' | 'account';
  met: boolean;
}

const CLASSES = [/\p{Lu}/u, /\p{Ll}/u, /\p{Nd}/u, /[^\p{Lu}\p{Ll}\p{Nd}]/u] as const;

/** Each rule, and whether a new password fulfils it. An empty password fulfils none. */
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
