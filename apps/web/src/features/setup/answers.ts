import { ACCOUNT_PATTERN, type PasswordRules } from '@rmeet/contract';
import { checkPassword } from '../../lib/passwords.ts';

/** The values typed into the form. */
export interface Answers {
  operatorAccount: string;
  operatorName: string;
  operatorPassword: string;
  operatorAgain: string;
  organisation: string;
  adminAccount: string;
  adminName: string;
  adminPassword: string;
  adminAgain: string;
}

export type Rules = Pick<PasswordRules, 'minLength' | 'minClasses'>;
export type Fault = 'missing' | 'accountShort' | 'differ' | 'same' | `weak.${'length' | 'classes' | 'account'}`;
export type Faults = Partial<Record<keyof Answers, Fault>>;

export const FIRST: Answers = {
  operatorAccount: 'root',
  operatorName: '',
  operatorPassword: '',
  operatorAgain: '',
  organisation: '',
  adminAccount: 'admin',
  adminName: '',
  adminPassword: '',
  adminAgain: '',
};

/** The errors of the values, by field in the order of the form. */
export function faultsOf(answers: Answers, rules: Rules): Faults {
  const faults: Faults = {};
  for (const name of Object.keys(FIRST) as (keyof Answers)[]) if (answers[name].trim() === '') faults[name] = 'missing';
  for (const who of ['operator', 'admin'] as const) {
    const [account, password, again] = [`${who}Account`, `${who}Password`, `${who}Again`] as const;
    const typed = answers[account].trim();
    if (!faults[account] && (typed.length < 2 || typed.length > 64 || !ACCOUNT_PATTERN.test(typed)))
      faults[account] = 'accountShort';
    const unmet = checkPassword(answers[password], typed || '\0', rules).find(({ met }) => !met);
    if (!faults[password] && unmet) faults[password] = `weak.${unmet.rule}`;
    if (!faults[again] && answers[again] !== answers[password]) faults[again] = 'differ';
  }
  if (
    !faults.adminAccount &&
    answers.adminAccount.trim().toLowerCase() === answers.operatorAccount.trim().toLowerCase()
  )
    faults.adminAccount = 'same';
  return faults;
}

/** Whether a URL is only reachable from this computer. */
export function isLoopback(origin: string): boolean {
  const { hostname } = new URL(origin);
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}

/** Whether an address is no host name; passkeys need one. */
export const isIp = (origin: string): boolean => /^\[|^\d+(\.\d+){3}$/.test(new URL(origin).hostname);

/** The typed URL as an origin: `meet.example.org` becomes `https://meet.example.org`; null if invalid. */
export function originOf(typed: string): string | null {
  const text = typed.trim();
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (text === '' || !URL.canParse(url)) return null;
  const { protocol, origin, username, password } = new URL(url);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '' ? origin : null;
}
