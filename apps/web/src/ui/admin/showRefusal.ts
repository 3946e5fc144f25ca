import { ApiError, reportError } from '../../lib/api/index.ts';
import { text } from '../../lib/i18n/index.ts';
import { ask } from '../../lib/notify.ts';

/** Shows in a dialog why a deletion was rejected: the message takes longer to read than a toast is shown. */
export function showRefusal(error: unknown, title: string): void {
  if (error instanceof ApiError && error.httpStatus === 406)
    void ask({ title, text: error.message, okText: text('ok') });
  else reportError(error);
}
