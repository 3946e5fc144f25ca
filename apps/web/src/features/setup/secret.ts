const KEY = 'setupSecret';

/** The secret of the setup link: from the address, out of which it is taken, or from before a reload; null without a link. */
export function takeSecret(): string | null {
  const given = /^#([\w-]{20,100})$/.exec(location.hash)?.[1];
  if (given !== undefined) {
    sessionStorage.setItem(KEY, given);
    history.replaceState(null, '', location.pathname);
  }
  return sessionStorage.getItem(KEY);
}

export function forgetSecret(): void {
  sessionStorage.removeItem(KEY);
}
