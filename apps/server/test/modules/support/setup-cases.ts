import { contract } from '@rmeet/contract';
import type { Case } from './case-setting.ts';

/** The installation is set up, and there is no mail server. */
const ANSWERS: Record<string, string> = {
  begin: 'SETUP_DONE',
  complete: 'SETUP_DONE',
  sendTestMail: 'MAIL_NOT_CONFIGURED',
};

/** Calls of the setup page. */
export const setupCases: Record<string, Case> = Object.fromEntries(
  Object.entries(contract.setup).map(([name, { example }]) => [
    `setup.${name}`,
    { expected: { others: ANSWERS[name] ?? 'OK' }, args: () => ('body' in example ? { body: example.body } : {}) },
  ]),
);
