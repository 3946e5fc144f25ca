/** The page of recordings. */
export const RECORDINGS = '/record-meeting';
/** The path of a past meeting's record; the id of the conference follows. */
export const RECORD = '/meeting-record-details';
export const recordPath = (conferenceId: string): string => `${RECORD}/${conferenceId}`;

/** The path to return to after sign-in, if it belongs to this app; other targets are not allowed. */
export function ownPath(redirect: string | null): string {
  const isOwn = redirect !== null && /^\/(?![/\\])/.test(redirect) && !redirect.startsWith('/login');
  return isOwn ? redirect : '/';
}

/** `/login` with the path to return to, except for the page "not found". */
export function loginPath(path: string): string {
  const back = ownPath(path);
  return back === '/' || /^\/404\/*(?:\?|$)/.test(back) ? '/login' : `/login?redirect=${encodeURIComponent(back)}`;
}
