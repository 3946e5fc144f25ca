import type { ApiError } from './error.ts';

/** What the user sees of a failed call. */
export type Reaction =
  | { kind: 'silent' }
  | { kind: 'toast'; level: 'error' | 'warning'; text: string }
  /** The session is over: a sentence and the login page, or a dialog that leads there. */
  | { kind: 'signIn'; blocking: boolean; text: string };

/** The sentences that are ours and not the server's; keys of the namespace `common`. */
export type CatalogueText = 'forbidden' | 'timeout' | 'serverError' | 'busy' | 'other' | 'otherDevice' | 'signInAgain';

const BLOCKING = new Set(['USER_LOGIN_ANOTHER_DEVICE', 'CHANGE_PWD_LDAP']);

/** The error catalogue (product document, section 8): from an error to what is shown. */
export function reactionTo({ httpStatus, code, message }: ApiError, text: (key: CatalogueText) => string): Reaction {
  switch (httpStatus) {
    case 401:
      return BLOCKING.has(code)
        ? { kind: 'signIn', blocking: true, text: message || text('otherDevice') }
        : { kind: 'signIn', blocking: false, text: message || text('signInAgain') };
    case 403:
      return { kind: 'toast', level: 'warning', text: text('forbidden') };
    case 404:
      return { kind: 'silent' };
    case 406:
      return { kind: 'toast', level: 'error', text: message || text('other') };
    case 408:
      return { kind: 'toast', level: 'error', text: text('timeout') };
    case 500:
    case 501:
      return { kind: 'toast', level: 'error', text: code === 'OPERATION_ERROR' && message ? message : text('serverError') };
    case 503:
      return { kind: 'toast', level: 'warning', text: text('busy') };
    default:
      return { kind: 'toast', level: 'error', text: text('other') };
  }
}
