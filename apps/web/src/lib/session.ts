import { STORAGE_KEYS, type LoginUser } from '@rmeet/contract';

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const KEPT = [STORAGE_KEYS.token, STORAGE_KEYS.loginUser, STORAGE_KEYS.loginUrl, STORAGE_KEYS.isTenantAdmin] as const;
const CLEARED = [...KEPT, STORAGE_KEYS.permissions, STORAGE_KEYS.authArr, STORAGE_KEYS.authArrMap] as const;

/**
 * Who is signed in. Each tab works from its session storage; local storage carries the sign-in to new tabs
 * and keeps the open ones in step (product document, section 4).
 */
export class Session {
  readonly #tab: Store;
  readonly #shared: Store;
  readonly #loginUrl: string;

  /** `loginUrl` names the app's sign-in address: a sign-in made for another one does not count here. */
  constructor(tab: Store, shared: Store, loginUrl: string) {
    this.#tab = tab;
    this.#shared = shared;
    this.#loginUrl = loginUrl;
  }

  get token(): string | null {
    return this.#tab.getItem(STORAGE_KEYS.token);
  }

  get user(): LoginUser | null {
    const json = this.#tab.getItem(STORAGE_KEYS.loginUser);
    return json ? (JSON.parse(json) as LoginUser) : null;
  }

  /** Keeps a sign-in for this tab and the others. */
  open(token: string, user: LoginUser): void {
    const values = {
      [STORAGE_KEYS.token]: token,
      [STORAGE_KEYS.loginUser]: JSON.stringify(user),
      [STORAGE_KEYS.loginUrl]: this.#loginUrl,
      [STORAGE_KEYS.isTenantAdmin]: String(user.isTenantAdmin),
    };
    for (const [key, value] of Object.entries(values)) {
      this.#tab.setItem(key, value);
      this.#shared.setItem(key, value);
    }
  }

  /** Forgets the sign-in here, and in the other tabs unless one of them has signed in anew. */
  clear(): void {
    const { token } = this;
    if (this.#isOurs(this.#shared) && this.#shared.getItem(STORAGE_KEYS.token) === token) remove(this.#shared);
    remove(this.#tab);
  }

  /** At page load: drops a sign-in made for another app, and takes over the one other tabs have. */
  restore(): void {
    if (this.token !== null && !this.#isOurs(this.#tab)) remove(this.#tab);
    if (this.token === null && this.#isOurs(this.#shared)) this.#takeOver();
  }

  /**
   * When the tab becomes visible again: takes the other tabs' token.
   * True when somebody else is signed in there (or nobody), so that the page must be loaded again.
   */
  sync(): boolean {
    if (this.#shared.getItem(STORAGE_KEYS.token) !== null && !this.#isOurs(this.#shared)) return false;
    const before = this.#tab.getItem(STORAGE_KEYS.loginUser);
    const now = this.#shared.getItem(STORAGE_KEYS.loginUser);
    remove(this.#tab);
    if (now !== null) this.#takeOver();
    return before !== now;
  }

  #isOurs(store: Store): boolean {
    return (store.getItem(STORAGE_KEYS.loginUrl) ?? this.#loginUrl) === this.#loginUrl;
  }

  #takeOver(): void {
    for (const key of KEPT) {
      const value = this.#shared.getItem(key);
      if (value !== null) this.#tab.setItem(key, value);
    }
  }
}

function remove(store: Store): void {
  for (const key of CLEARED) store.removeItem(key);
}
