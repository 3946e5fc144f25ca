import { ApiError, reportError } from '../../lib/api/index.ts';
import { text } from '../../lib/i18n/index.ts';
import { ask } from '../../lib/notify.ts';

/** Shows why a deletion was refused, in a dialog: the sentence takes longer to read than a toast stays. */
export function showRefusal(error: unknown, title: string): void {
  if (error instanceof ApiError && error.httpStatus === 406)
    void ask({ title, text: error.message, okText: text('ok') });
  else reportError(error);
}
