import type { LoginUser } from '@rmeet/contract';
import { DeskPasses } from './desk/passes.ts';
import { Session } from './session.ts';
import { loginUrlOf, systemOf } from './system.ts';

/** The app this page belongs to. */
export const system = systemOf(location.pathname);

/** The sign-in of this tab. */
export const session = new Session(sessionStorage, localStorage, loginUrlOf(location.origin, system));

/** The desks opened by links in this tab. */
export const deskPasses = new DeskPasses(sessionStorage);

/** The current path inside the app (from the hash route) with its query: `/myMeeting?scope=past`. */
export function currentPath(): string {
  return location.hash.slice(1) || '/';
}

/** Navigates to a path of this app from code outside React. */
export function goTo(path: string): void {
  location.hash = path;
}

/** Keeps this tab's sign-in in sync with other tabs. */
export function followOtherTabs(): void {
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && session.sync()) location.reload();
  });
}

const DEVICE_KEY = 'deviceId';

/**
 * A random id of this browser, created once and stored; it distinguishes one device's sign-ins from another's. Secure
 * contexts only.
 */
export function deviceId(): string {
  const known = localStorage.getItem(DEVICE_KEY);
  if (known !== null) return known;
  const made = crypto.randomUUID();
  localStorage.setItem(DEVICE_KEY, made);
  return made;
}

const LAST_SIGN_IN_KEY = 'lastSignIn';

/** The last account that signed in here, and its tenant. */
export type LastSignIn = Pick<LoginUser, 'account' | 'tenantId' | 'tenantName'>;

/** Kept after sign-out, so that the tenant need not be entered again. */
export function keepLastSignIn({ account, tenantId, tenantName }: LoginUser): void {
  localStorage.setItem(LAST_SIGN_IN_KEY, JSON.stringify({ account, tenantId, tenantName }));
}

/** Null before the first sign-in. */
export function lastSignIn(): LastSignIn | null {
  const json = localStorage.getItem(LAST_SIGN_IN_KEY);
  return json === null ? null : (JSON.parse(json) as LastSignIn);
}
