import { access } from './access.ts';
import { api, ApiError } from './api/index.ts';
import { expectEnd } from './api/report.ts';
import { session } from './browser.ts';
import { forgetDrafts } from './draft.ts';

/**
 * Ends the session: on the server, then here and in the other tabs. A session the server no longer knows counts as
 * ended. Throws when the server could not be told; then everything stays.
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

/** Leaves nobody signed in in this tab, nor in the others that had the same sign-in; routes and roles go too. */
export function forgetSession(): void {
  session.clear();
  access.set(null);
  forgetDrafts();
}
