/** The three apps of one build. */
export type System = 'user' | 'manage' | 'admin';

/** The app of a page, by its path. The setup page creates an operator and signs it in. */
export function systemOf(pathname: string): System {
  if (pathname.startsWith('/admin/') || pathname.startsWith('/setup/')) return 'admin';
  return pathname.startsWith('/manage/') ? 'manage' : 'user';
}

/** The sign-in URL of an app's accounts. The user and manage apps share their accounts, and therefore this URL. */
export function loginUrlOf(origin: string, system: System): string {
  return system === 'admin' ? `${origin}/admin/` : `${origin}/`;
}
