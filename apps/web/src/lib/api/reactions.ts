import type { Words } from '../notify.ts';
import type { ApiError } from './error.ts';

/** How a failed call is shown to the user. */
export type Reaction =
  | { kind: 'silent' }
  | { kind: 'toast'; level: 'error' | 'warning'; text: Words }
  /** The session has ended: a message and the login page, or a dialog that leads there. */
  | { kind: 'signIn'; blocking: boolean; text: Words };

/** Messages of the client instead of the server; keys of the namespace `common`. */
export type CatalogueText = 'forbidden' | 'timeout' | 'serverError' | 'busy' | 'other' | 'otherDevice' | 'signInAgain';

const BLOCKING = new Set(['USER_LOGIN_ANOTHER_DEVICE', 'CHANGE_PWD_LDAP']);

/** The error catalogue (product document, section 8): maps an error to what is shown. */
export function reactionTo(error: ApiError, text: (key: CatalogueText) => string): Reaction {
  const { httpStatus, code } = error;
  const own =
    (key: CatalogueText): Words =>
    () =>
      text(key);
  /** The server's message, if there is one. */
  const said =
    (key: CatalogueText): Words =>
    () =>
      error.message || text(key);
  switch (httpStatus) {
    case 401:
      return BLOCKING.has(code)
        ? { kind: 'signIn', blocking: true, text: said('otherDevice') }
        : { kind: 'signIn', blocking: false, text: said('signInAgain') };
    case 403:
      return { kind: 'toast', level: 'warning', text: own('forbidden') };
    case 404:
      return { kind: 'silent' };
    case 406:
    // Listed as "others" in the document, but the server has a message.
    case 409:
    case 413:
    case 429:
      return { kind: 'toast', level: 'error', text: said('other') };
    case 408:
      return { kind: 'toast', level: 'error', text: own('timeout') };
    case 500:
    case 501:
      return {
        kind: 'toast',
        level: 'error',
        text: code === 'OPERATION_ERROR' ? said('serverError') : own('serverError'),
      };
    // The document's message is for SERVICE_BUSY; a full disk or a damaged database has its own.
    case 503:
      return { kind: 'toast', level: 'warning', text: said('busy') };
    default:
      return { kind: 'toast', level: 'error', text: own('other') };
  }
}
