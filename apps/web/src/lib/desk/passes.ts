import type { DeskAccess } from '@rmeet/contract';

/** What a link gave this tab: the token of a desk and what it opens. */
export interface DeskPass extends DeskAccess {
  token: string;
}

/** Why a link does not lead in: it never did, or what it opened was closed. */
export type PassEnd = 'invalid' | 'closed';

const KEY = 'deskPasses';

type Store = Pick<Storage, 'getItem' | 'setItem'>;

/**
 * The desks this tab has opened by links, by meeting; one link can be tried in one tab while another stays open in the
 * next. They are kept apart from the sign-in, which neither gives nor takes them.
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

  /** Why there is no pass for a meeting any more, as far as this page has seen; undefined if none was tried. */
  endOf(meetId: string): PassEnd | undefined {
    const isOver = meetId in this.#all() && this.get(meetId) === null;
    return this.#ends.get(meetId) ?? (isOver ? 'closed' : undefined);
  }

  keep(pass: DeskPass): void {
    this.#ends.delete(pass.meetId);
    this.#write({ ...this.#all(), [pass.meetId]: pass });
  }

  /** A link was refused. A desk that an earlier one opened stays. */
  refuse(meetId: string): void {
    if (this.get(meetId) === null) this.#ends.set(meetId, 'invalid');
    this.#tell();
  }

  /** The server takes the token no longer. Says nothing of a newer one. */
  drop({ meetId, token }: Pick<DeskPass, 'meetId' | 'token'>): void {
    const { [meetId]: pass, ...others } = this.#all();
    if (pass?.token !== token) return;
    this.#ends.set(meetId, 'closed');
    this.#write(others);
  }

  /** Time has passed: tells the listeners to ask again. */
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
