/** The way back after signing in, if it is a path of this app; nothing may lead elsewhere. */
export function ownPath(redirect: string | null): string {
  const isOwn = redirect !== null && /^\/(?![/\\])/.test(redirect) && !redirect.startsWith('/login');
  return isOwn ? redirect : '/';
}

/** `/login` with the way back to `path`, except to the page that says "not found". */
export function loginPath(path: string): string {
  const back = ownPath(path);
  return back === '/' || /^\/404\/*(?:\?|$)/.test(back) ? '/login' : `/login?redirect=${encodeURIComponent(back)}`;
}
