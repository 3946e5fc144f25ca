import { DeskPasses } from './desk/passes.ts';
import { Session } from './session.ts';
import { loginUrlOf, systemOf } from './system.ts';

/** The app this page belongs to. */
export const system = systemOf(location.pathname);

/** The sign-in of this tab. */
export const session = new Session(sessionStorage, localStorage, loginUrlOf(location.origin, system));

/** The desks this tab has opened by links. */
export const deskPasses = new DeskPasses(sessionStorage);

/** The path inside the app that the hash route shows, with its query: `/myMeeting?scope=past`. */
export function currentPath(): string {
  return location.hash.slice(1) || '/';
}

/** Goes to a path of this app from code outside React. */
export function goTo(path: string): void {
  location.hash = path;
}

/** Keeps this tab's sign-in in step with the other tabs'. */
export function followOtherTabs(): void {
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && session.sync()) location.reload();
  });
}

const DEVICE_KEY = 'deviceId';

/** A random mark of this browser, made once and kept; it tells one device's sign-ins from another's. Secure pages only. */
export function deviceId(): string {
  const known = localStorage.getItem(DEVICE_KEY);
  if (known !== null) return known;
  const made = crypto.randomUUID();
  localStorage.setItem(DEVICE_KEY, made);
  return made;
}
