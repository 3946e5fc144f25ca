import { STORAGE_KEYS as KEYS, type FeatureFlags, type LoginUser } from '@rmeet/contract';

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
export type StorageKey = keyof typeof KEYS;

/** The stored login user: the account, and once user info is loaded a flag per feature, 1 or 0. */
export type StoredUser = LoginUser & Partial<FeatureFlags>;

/** Values that a sign-in shares with other tabs. */
const SHARED = [KEYS.token, KEYS.loginUser, KEYS.loginUrl, KEYS.isTenantAdmin, KEYS.authArrMap] as const;
const CLEARED = [...SHARED, KEYS.permissions, KEYS.authArr] as const;

/**
 * The signed-in user, and the data the browser stores about it (product document, sections 3 and 4). Each tab works
 * with its session storage; local storage copies the sign-in to new tabs and keeps open ones in sync.
 */
export class Session {
  readonly #tab: Store;
  readonly #shared: Store;
  readonly #loginUrl: string;

  /** `loginUrl` is the app's sign-in URL: a sign-in made for another one does not count here. */
  constructor(tab: Store, shared: Store, loginUrl: string) {
    this.#tab = tab;
    this.#shared = shared;
    this.#loginUrl = loginUrl;
  }

  get token(): string | null {
    return this.#tab.getItem(KEYS.token);
  }

  get user(): StoredUser | null {
    const json = this.#tab.getItem(KEYS.loginUser);
    return json ? (JSON.parse(json) as StoredUser) : null;
  }

  /** Whether the tab's sign-in was made at another URL than this app's. */
  get isForeign(): boolean {
    return !this.#isOurs(this.#tab);
  }

  /** Stores a sign-in for this tab and the others. */
  open(newToken: string, user: StoredUser): void {
    this.#signIn({
      [KEYS.token]: newToken,
      [KEYS.loginUser]: JSON.stringify(user),
      [KEYS.loginUrl]: this.#loginUrl,
      [KEYS.isTenantAdmin]: String(user.isTenantAdmin),
    });
  }

  /** Uses a token created elsewhere; its account is known once user info is loaded. */
  adopt(newToken: string): void {
    if (newToken === this.token) return;
    for (const store of [this.#tab, this.#shared]) remove(store);
    this.#signIn({ [KEYS.token]: newToken, [KEYS.loginUrl]: this.#loginUrl });
  }

  /** Stores the token's account, its features, and its permissions as a list of codes and as a map from code to id. */
  describe(user: StoredUser, idOfCode: Readonly<Record<string, string>>): void {
    this.#keep({
      [KEYS.loginUser]: JSON.stringify(user),
      [KEYS.isTenantAdmin]: String(user.isTenantAdmin),
      [KEYS.authArrMap]: JSON.stringify(idOfCode),
    });
    this.#tab.setItem(KEYS.authArr, JSON.stringify(Object.keys(idOfCode)));
  }

  setTenantAdmin(is: boolean): void {
    this.#keep({ [KEYS.isTenantAdmin]: String(is) });
  }

  /** The codes of the account's permissions. */
  get codes(): readonly string[] {
    return JSON.parse(this.#tab.getItem(KEYS.authArr) ?? '[]') as string[];
  }

  /** Maps a permission's code to its id. */
  get idOfCode(): Readonly<Record<string, string>> {
    return JSON.parse(this.#tab.getItem(KEYS.authArrMap) ?? '{}') as Record<string, string>;
  }

  /** A value stored for this tab; null if there is none. */
  note(key: StorageKey): string | null {
    return this.#tab.getItem(KEYS[key]);
  }

  /** Stores a value for this tab only. */
  setNote(key: StorageKey, value: string): void {
    this.#tab.setItem(KEYS[key], value);
  }

  /** Deletes the sign-in here, and in other tabs unless one of them has signed in again. */
  clear(): void {
    const old = this.token;
    if (this.#isOurs(this.#shared) && this.#shared.getItem(KEYS.token) === old) remove(this.#shared);
    remove(this.#tab);
  }

  /** At page load: a tab without a sign-in takes over the sign-in of other tabs. */
  restore(): void {
    if (this.token === null && this.#isOurs(this.#shared)) this.#takeOver();
  }

  /**
   * When the tab becomes visible again: takes over the token of other tabs. Returns true if a different login user (or
   * none) is stored there, so that the page must be reloaded.
   */
  sync(): boolean {
    if (this.#shared.getItem(KEYS.token) !== null && !this.#isOurs(this.#shared)) return false;
    const isSame = this.#tab.getItem(KEYS.loginUser) === this.#shared.getItem(KEYS.loginUser);
    if (!isSame) remove(this.#tab);
    this.#takeOver();
    return !isSame;
  }

  #isOurs(store: Store): boolean {
    return (store.getItem(KEYS.loginUrl) ?? this.#loginUrl) === this.#loginUrl;
  }

  /** Stores values here, and for other tabs unless one of them has signed in again. */
  #keep(values: Record<string, string>): void {
    const isShared = this.#shared.getItem(KEYS.token) === this.token;
    for (const [key, value] of Object.entries(values)) {
      this.#tab.setItem(key, value);
      if (isShared) this.#shared.setItem(key, value);
    }
  }

  #signIn(values: Record<string, string>): void {
    for (const store of [this.#tab, this.#shared]) {
      for (const [key, value] of Object.entries(values)) store.setItem(key, value);
    }
  }

  #takeOver(): void {
    for (const key of SHARED) {
      const value = this.#shared.getItem(key);
      if (value !== null) this.#tab.setItem(key, value);
    }
  }
}

function remove(store: Store): void {
  for (const key of CLEARED) store.removeItem(key);
}
