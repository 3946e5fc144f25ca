/**
 * Keys of end-to-end encrypted meetings, by meeting number: the meetings of a series have one number and one key. Keys
 * are made and kept in browsers and passed on in links, behind the `#`, which browsers do not send to servers.
 */
const STORED = 'meetingKeys';
/** The key of a guest link, whose number is not known yet; for this tab. */
const OF_GUEST_LINK = 'guestMeetingKey';
/** The newest keys are kept. */
const MOST_KEYS = 200;
const KEY_BYTES = 32;
const KEY = /^[\w-]{43}$/;
/** The parameter of links. */
const PARAMETER = 'key';
const IN_LINK = new RegExp(`[?&]${PARAMETER}=([^&#\\s]*)`);

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** A new random key of 256 bits, in base64url. */
export function newMeetingKey(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(KEY_BYTES)));
}

/** The key in what a user pasted, which is a key or a link with one; null if there is none. */
export function meetingKeyIn(text: string): string | null {
  const key = IN_LINK.exec(text)?.[1] ?? text.trim();
  return KEY.test(key) ? key : null;
}

/** The key that this browser has for the meetings of a number; null if it has none. */
export function meetingKey(number: string, store: Store = localStorage): string | null {
  return keysIn(store).get(number) ?? null;
}

/** Keeps the key in this browser, instead of one it had before. */
export function keepMeetingKey(number: string, key: string, store: Store = localStorage): void {
  const keys = keysIn(store);
  keys.delete(number);
  keys.set(number, key);
  store.setItem(STORED, JSON.stringify([...keys].slice(-MOST_KEYS)));
}

/** The link with the key. Only pages of hosts offer it. */
export function linkWithKey(link: string, key: string): string {
  return `${link}&${PARAMETER}=${key}`;
}

/** Keeps the key of the guest link that opened this tab, now that the number of its meeting is known. */
export function claimGuestKey(number: string): void {
  const key = sessionStorage.getItem(OF_GUEST_LINK);
  if (key === null) return;
  sessionStorage.removeItem(OF_GUEST_LINK);
  keepMeetingKey(number, key);
}

/** A URL of this app without the key that is in it; `query` has all its parameters. */
export function withoutKey(url: string): { url: string; key: string | null; query: URLSearchParams } {
  const [page = '', hash = ''] = url.split(/(?=#)/);
  const query = new URLSearchParams(hash.slice(hash.indexOf('?') + 1));
  const rest = hash.replace(/(?<=[?&])key=[^&]*&?/, '').replace(/[?&]$/, '');
  return { url: query.has(PARAMETER) ? page + rest : url, key: meetingKeyIn(query.get(PARAMETER) ?? ''), query };
}

/**
 * Takes keys out of the address bar before any other code sees the address: others see the address when the screen is
 * shared, and it is passed on to the sign-in page.
 */
export function takeKeysFromAddress(): void {
  const take = () => {
    const { url, key, query } = withoutKey(location.href);
    if (url === location.href) return;
    const number = query.get('number');
    if (key !== null && number !== null) keepMeetingKey(number, key);
    else if (key !== null) sessionStorage.setItem(OF_GUEST_LINK, key);
    history.replaceState(history.state, '', url);
  };
  take();
  addEventListener('popstate', take);
}

/** Keys by number, the newest last. */
function keysIn(store: Store): Map<string, string> {
  return new Map(JSON.parse(store.getItem(STORED) ?? '[]') as [string, string][]);
}

/** Bytes in base64url, without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** The bytes of a text in base64url. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const letters = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
}
