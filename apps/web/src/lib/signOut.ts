import { STORAGE_KEYS } from '@rmeet/contract';
import { access } from './access.ts';
import { api, ApiError } from './api/index.ts';
import { expectEnd } from './api/report.ts';
import { session } from './browser.ts';
import { forgetDrafts } from './keptDrafts.ts';
import { closeUserPush } from './push/index.ts';

/**
 * Ends the session: on the server, then here and in other tabs. A session unknown to the server counts as ended. Throws
 * if the server is unreachable; the session then stays.
 *
 * @returns whether the browser is leaving for the identity provider that opened the session, to end it there, too
 */
export async function signOut(): Promise<boolean> {
  let next: string | null = null;
  if (session.token !== null) {
    expectEnd(session.token);
    try {
      ({ next } = await api.auth.logout());
    } catch (error) {
      expectEnd(null);
      if (!(error instanceof ApiError) || error.httpStatus !== 401) throw error;
    }
  }
  forgetSession();
  if (next === null) return false;
  location.assign(next);
  return true;
}

/**
 * Ends the session of this page, too, when another tab signs out: the browser reports changes that other tabs make to
 * local storage. A meeting continues, because its terminal has a separate session.
 */
export function followSignOut(): void {
  addEventListener('storage', ({ key, oldValue, newValue }) => {
    if (key !== STORAGE_KEYS.token || newValue !== null || oldValue === null || oldValue !== session.token) return;
    session.clear();
    closeUserPush();
    // The route guard reacts: pages that require a sign-in redirect to the login page.
    access.set(null);
  });
}

/** Removes the sign-in from this tab and from others with the same one, together with its routes and roles. */
export function forgetSession(): void {
  session.clear();
  closeUserPush();
  access.set(null);
  forgetDrafts();
}
