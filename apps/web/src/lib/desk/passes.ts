import type { DeskAccess } from '@rmeet/contract';

/** The token of a desk that a link gave this tab, and what it opens. */
export interface DeskPass extends DeskAccess {
  token: string;
}

/** Why a link gives no access: it never did, or its desk was closed. */
export type PassEnd = 'invalid' | 'closed';

const KEY = 'deskPasses';

type Store = Pick<Storage, 'getItem' | 'setItem'>;

/**
 * The desks opened by links in this tab, by meeting; different tabs can use different links. They are stored separately
 * from the sign-in, which does not affect them.
 */
export class DeskPasses {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #listeners = new Set<() => void>();
  readonly #ends = new Map<string, PassEnd>();

  constructor(store: Store, now: () => number = Date.now) {
    this.#store = store;
    this.#now = now;
  }

  get(meetId: string): DeskPass | null {
    const pass = this.#all()[meetId];
    return pass && Date.parse(pass.expiresAt) > this.#now() ? pass : null;
  }

  /** Meetings whose desk this tab may open. */
  get meetIds(): readonly string[] {
    return Object.keys(this.#all()).filter((meetId) => this.get(meetId) !== null);
  }

  /** Why a meeting no longer has a pass, as far as this page knows; undefined if none was tried. */
  endOf(meetId: string): PassEnd | undefined {
    const isOver = meetId in this.#all() && this.get(meetId) === null;
    return this.#ends.get(meetId) ?? (isOver ? 'closed' : undefined);
  }

  keep(pass: DeskPass): void {
    this.#ends.delete(pass.meetId);
    this.#write({ ...this.#all(), [pass.meetId]: pass });
  }

  /** A link was rejected. A desk opened by an earlier link stays. */
  refuse(meetId: string): void {
    if (this.get(meetId) === null) this.#ends.set(meetId, 'invalid');
    this.#tell();
  }

  /** The server no longer accepts the token. A newer token is not affected. */
  drop({ meetId, token }: Pick<DeskPass, 'meetId' | 'token'>): void {
    const { [meetId]: pass, ...others } = this.#all();
    if (pass?.token !== token) return;
    this.#ends.set(meetId, 'closed');
    this.#write(others);
  }

  /** Time has passed: tells the listeners to check again. */
  readonly lookAgain = (): void => this.#tell();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #all(): Record<string, DeskPass> {
    return JSON.parse(this.#store.getItem(KEY) ?? '{}') as Record<string, DeskPass>;
  }

  #write(passes: Record<string, DeskPass>): void {
    this.#store.setItem(KEY, JSON.stringify(passes));
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
