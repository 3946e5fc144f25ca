import { conferences, createClient } from '@rmeet/contract';
import { language } from '../i18n/index.ts';
import { createSend } from './send.ts';

/** The conference calls, made as a terminal. A 401 (TERMINAL_GONE) does not affect the user's session. */
export function terminalApi(sessionToken: string) {
  return createClient(conferences, createSend({ token: () => sessionToken, language }));
}
