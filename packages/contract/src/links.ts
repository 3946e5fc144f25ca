/** A path of this server: begins with one slash; `//host` and `/\host` would lead elsewhere. */
const OWN_PATH = /^\/(?![/\\])[^\s\\\p{Cc}]*$/u;

/** Whether an address is a path of this server, for example `/#/myMeeting`. */
export function isOwnPath(address: string): boolean {
  return OWN_PATH.test(address);
}

/** Whether an address is absolute, of one of the schemes (with colon), and carries no user name or password. */
function isOfScheme(address: string, schemes: readonly string[]): boolean {
  if (/[\s\p{Cc}\\]/u.test(address) || !URL.canParse(address)) return false;
  const { protocol, username, password, host } = new URL(address);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return schemes.includes(protocol) && (!isWeb || (username === '' && password === '' && host !== ''));
}

/** Whether texts may link to an address: web, mail, telephone (product document, section 5), or a path of ours. */
export function isLinkable(address: string): boolean {
  return isOwnPath(address) || isOfScheme(address, ['https:', 'http:', 'mailto:', 'tel:']);
}

/** Whether an app of the start page may be at an address: https, or a path of this server. */
export function isAppAddress(address: string): boolean {
  return isOwnPath(address) || isOfScheme(address, ['https:']);
}
