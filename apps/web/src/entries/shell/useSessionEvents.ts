import { ApiError, reportError } from '../../lib/api/index.ts';
import { endSession } from '../../lib/api/report.ts';
import { session } from '../../lib/browser.ts';
import { text, useTexts } from '../../lib/i18n/index.ts';
import { loadAccess } from '../../lib/loadAccess.ts';
import { toast } from '../../lib/notify.ts';
import { usePushTopic } from '../../lib/push/index.ts';

/**
 * Handles session events of the server: its end is treated like a rejected call, changed access is loaded again without
 * leaving the page.
 */
export function useSessionEvents(): void {
  const t = useTexts('common');
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
      if (event.type === 'fileInfected') toast('error', () => t('files.infected', { name: event.name }));
    },
    stale: reload,
    refused: end,
  });
}

/** The push socket sends codes without messages; empty for codes with a message in the catalogue. */
function sentenceOf(code: string): string {
  return code === 'CHANGE_PWD_LDAP' ? text('errors.passwordChanged') : '';
}
