import { ACCOUNT_PATTERN } from '@rmeet/contract';

/** What is typed into the form. */
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

export type Fault = 'missing' | 'accountShort' | 'differ' | 'same';
export type Faults = Partial<Record<keyof Answers, Fault>>;

export const FIRST: Answers = {
  operatorAccount: 'root', operatorName: '', operatorPassword: '', operatorAgain: '', organisation: '', adminAccount: 'admin', adminName: '', adminPassword: '', adminAgain: '',
};

/** What is wrong with the answers, field by field in the order of the form. The strength of passwords is the server's to judge. */
export function faultsOf(answers: Answers): Faults {
  const faults: Faults = {};
  for (const name of Object.keys(FIRST) as (keyof Answers)[]) if (answers[name].trim() === '') faults[name] = 'missing';
  for (const name of ['operatorAccount', 'adminAccount'] as const) {
    const typed = answers[name].trim();
    if (!faults[name] && (typed.length < 2 || typed.length > 64 || !ACCOUNT_PATTERN.test(typed))) faults[name] = 'accountShort';
  }
  if (!faults.adminAccount && answers.adminAccount.trim().toLowerCase() === answers.operatorAccount.trim().toLowerCase()) faults.adminAccount = 'same';
  if (!faults.operatorAgain && answers.operatorAgain !== answers.operatorPassword) faults.operatorAgain = 'differ';
  if (!faults.adminAgain && answers.adminAgain !== answers.adminPassword) faults.adminAgain = 'differ';
  return faults;
}

/** Whether only this computer reaches an address. */
export function isLoopback(origin: string): boolean {
  const { hostname } = new URL(origin);
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}
