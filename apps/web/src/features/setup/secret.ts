const KEY = 'setupSecret';

const LINK = /^#([\w-]{20,100})$/;

/** The secret of the setup link: from the address, out of which it is taken, or from before a reload; null without a link. */
export function takeSecret(): string | null {
  const given = LINK.exec(location.hash)?.[1];
  if (given !== undefined) {
    sessionStorage.setItem(KEY, given);
    history.replaceState(null, '', location.pathname);
  }
  return sessionStorage.getItem(KEY);
}

/** A link that is opened in this tab changes the hash alone: the page begins anew with it. */
export function followLinks(): void {
  window.addEventListener('hashchange', () => {
    if (LINK.test(location.hash)) location.reload();
  });
}

export function forgetSecret(): void {
  sessionStorage.removeItem(KEY);
}
