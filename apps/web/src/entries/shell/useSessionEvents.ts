import { ApiError, reportError } from '../../lib/api/index.ts';
import { endSession } from '../../lib/api/report.ts';
import { session } from '../../lib/browser.ts';
import { text } from '../../lib/i18n/index.ts';
import { loadAccess } from '../../lib/loadAccess.ts';
import { usePushTopic } from '../../lib/push/index.ts';

/**
 * Follows what the server says of the session: its end counts like a refused call, changed access is loaded again in
 * place.
 */
export function useSessionEvents(): void {
  const end = (code: string) => {
    const { token } = session;
    if (token !== null) endSession(new ApiError(401, code, () => sentenceOf(code)), token);
  };
  const reload = () => {
    loadAccess().catch(reportError);
  };
  usePushTopic('user', {
    event: (event) => {
      if (event.type === 'sessionEnded') end(event.statusCode);
      if (event.type === 'accessChanged') reload();
    },
    stale: reload,
    refused: end,
  });
}

/** The push socket carries codes without their sentences; empty for those the catalogue has one of its own for. */
function sentenceOf(code: string): string {
  return code === 'CHANGE_PWD_LDAP' ? text('errors.passwordChanged') : '';
}
