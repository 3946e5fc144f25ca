import { STORAGE_KEYS as KEYS, type FeatureFlags, type LoginUser } from '@rmeet/contract';

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
export type StorageKey = keyof typeof KEYS;

/** The stored login user: who it is, and once user info is loaded a flag per feature, 1 or 0. */
export type StoredUser = LoginUser & Partial<FeatureFlags>;

/** What a sign-in leaves for the other tabs. */
const SHARED = [KEYS.token, KEYS.loginUser, KEYS.loginUrl, KEYS.isTenantAdmin, KEYS.authArrMap] as const;
const CLEARED = [...SHARED, KEYS.permissions, KEYS.authArr] as const;

/**
 * Who is signed in, and what the browser keeps about it (product document, sections 3 and 4). Each tab works from its
 * session storage; local storage carries the sign-in to new tabs and keeps the open ones in step.
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
    return this.#tab.getItem(KEYS.token);
  }

  get user(): StoredUser | null {
    const json = this.#tab.getItem(KEYS.loginUser);
    return json ? (JSON.parse(json) as StoredUser) : null;
  }

  /** Whether the tab's sign-in was made at another address than this app's. */
  get isForeign(): boolean {
    return !this.#isOurs(this.#tab);
  }

  /** Keeps a sign-in for this tab and the others. */
  open(newToken: string, user: StoredUser): void {
    this.#signIn({
      [KEYS.token]: newToken,
      [KEYS.loginUser]: JSON.stringify(user),
      [KEYS.loginUrl]: this.#loginUrl,
      [KEYS.isTenantAdmin]: String(user.isTenantAdmin),
    });
  }

  /** Takes over a token made elsewhere; whose it is comes with the user info. */
  adopt(newToken: string): void {
    if (newToken === this.token) return;
    for (const store of [this.#tab, this.#shared]) remove(store);
    this.#signIn({ [KEYS.token]: newToken, [KEYS.loginUrl]: this.#loginUrl });
  }

  /**
   * Keeps who the token's account is, what it may use, and its permissions as a list of codes and as a map from code to
   * id.
   */
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

  /** From a permission's code to its id. */
  get idOfCode(): Readonly<Record<string, string>> {
    return JSON.parse(this.#tab.getItem(KEYS.authArrMap) ?? '{}') as Record<string, string>;
  }

  /** A value stored for this tab; null for none. */
  note(key: StorageKey): string | null {
    return this.#tab.getItem(KEYS[key]);
  }

  /** Stores a value for this tab only. */
  setNote(key: StorageKey, value: string): void {
    this.#tab.setItem(KEYS[key], value);
  }

  /** Forgets the sign-in here, and in the other tabs unless one of them has signed in anew. */
  clear(): void {
    const old = this.token;
    if (this.#isOurs(this.#shared) && this.#shared.getItem(KEYS.token) === old) remove(this.#shared);
    remove(this.#tab);
  }

  /** At page load: a tab that is not signed in takes over the sign-in the other tabs have. */
  restore(): void {
    if (this.token === null && this.#isOurs(this.#shared)) this.#takeOver();
  }

  /**
   * When the tab becomes visible again: takes the other tabs' token.
   * True when another login user is stored there (or none), so that the page must be loaded again.
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

  /** Keeps values here, and for the other tabs unless one of them has signed in anew. */
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
