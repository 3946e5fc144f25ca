/** The three apps of one build. */
export type System = 'user' | 'manage' | 'admin';

/** Which app a page belongs to, by its path. The setup page makes an operator and signs them in. */
export function systemOf(pathname: string): System {
  if (pathname.startsWith('/admin/') || pathname.startsWith('/setup/')) return 'admin';
  return pathname.startsWith('/manage/') ? 'manage' : 'user';
}

/** Where accounts of an app sign in. The user and manage apps share their accounts, so they share this. */
export function loginUrlOf(origin: string, system: System): string {
  return system === 'admin' ? `${origin}/admin/` : `${origin}/`;
}
