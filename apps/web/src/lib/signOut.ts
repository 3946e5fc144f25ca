import { STORAGE_KEYS } from '@rmeet/contract';
import { access } from './access.ts';
import { api, ApiError } from './api/index.ts';
import { expectEnd } from './api/report.ts';
import { session } from './browser.ts';
import { forgetDrafts } from './keptDrafts.ts';
import { closeUserPush } from './push/index.ts';

/**
 * Ends the session: on the server, then here and in the other tabs. A session the server no longer knows counts as
 * ended. Throws if the server could not be reached; then the session stays.
 */
export async function signOut(): Promise<void> {
  if (session.token !== null) {
    expectEnd(session.token);
    try {
      await api.auth.logout();
    } catch (error) {
      expectEnd(null);
      if (!(error instanceof ApiError) || error.httpStatus !== 401) throw error;
    }
  }
  forgetSession();
}

/**
 * Ends this page, too, when another tab has signed out: the browser reports changes of local storage by other tabs. A
 * meeting continues, since its terminal has its own session.
 */
export function followSignOut(): void {
  addEventListener('storage', ({ key, oldValue, newValue }) => {
    if (key !== STORAGE_KEYS.token || newValue !== null || oldValue === null || oldValue !== session.token) return;
    session.clear();
    closeUserPush();
    // The route guard follows: pages that need a sign-in lead to the login page.
    access.set(null);
  });
}

/** Removes the sign-in from this tab and from others with the same one, with its routes and roles. */
export function forgetSession(): void {
  session.clear();
  closeUserPush();
  access.set(null);
  forgetDrafts();
}
