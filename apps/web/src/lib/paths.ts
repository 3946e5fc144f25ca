/** The path of a past meeting's record; the id of the conference follows. */
export const RECORD = '/meeting-record-details';
export const recordPath = (conferenceId: string): string => `${RECORD}/${conferenceId}`;

/** The list of recordings, and the path of one; its id follows. */
export const RECORDINGS = '/record-meeting';
export const RECORDING = '/record-details';
/** The page of a recording, at a second if one is given: ms by the clock since its start. */
export const recordingPath = (id: string, at: number | null = null): string =>
  `${RECORDING}/${id}${at === null ? '' : `?t=${Math.floor(at / 1_000)}`}`;
/** The list of live broadcasts, and the page on which one is watched, without sign-in; its id follows. */
export const LIVE_MEETINGS = '/live-meeting';
export const WATCH = '/live';
export const watchPath = (id: string): string => `${WATCH}/${id}`;
/** The list of live broadcasts of outside streams; `edit` names the one whose form is open. */
const MANUAL_LIVE = '/manual-live';
export const manualLivePath = (id: string): string => `${MANUAL_LIVE}?edit=${id}`;

/** The list of documents, and the page of one; its id follows. */
export const DOCUMENTS = '/editor';
export const documentPath = (id: string): string => `${DOCUMENTS}/${id}`;

/** Opens a recording without sign-in; the token of a link follows. */
export const SHARED_RECORDING = '/shareRecordDetails';

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
