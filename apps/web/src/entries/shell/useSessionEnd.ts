import { ERROR_CODES, errorMessage } from '@rmeet/contract';
import { ApiError } from '../../lib/api/index.ts';
import { endSession } from '../../lib/api/report.ts';
import { session } from '../../lib/browser.ts';
import { language } from '../../lib/i18n/index.ts';
import { usePushTopic } from '../../lib/push/index.ts';

/** Treats a session that the server says is over like a call that was refused. */
export function useSessionEnd(): void {
  const end = (code: string) => {
    const { token } = session;
    if (token !== null) endSession(new ApiError(401, code, sentenceOf(code)), token);
  };
  usePushTopic('user', {
    event: (event) => {
      if (event.type === 'sessionEnded') end(event.statusCode);
    },
    refused: end,
  });
}

/** The push socket carries codes without their sentences. */
function sentenceOf(code: string): string {
  const known = ERROR_CODES.find((one) => one === code);
  return known ? errorMessage(known, language()) : '';
}
