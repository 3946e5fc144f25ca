import type { Reaction } from '@rmeet/contract';

/** How long a reaction is shown, ms. */
const REACTION_TIME = 5_000;
/** Reactions shown at once at most; the oldest ones give way. */
const MOST = 60;

/** A reaction while it is shown; `id` is a counter. */
export interface ShownReaction {
  readonly id: number;
  readonly termId: string;
  readonly name: string;
  readonly reaction: Reaction;
}

/** The reactions that are shown now. */
export class Reactions {
  readonly #publish: (reactions: readonly ShownReaction[]) => void;
  #shown: readonly ShownReaction[] = [];
  #count = 0;

  /** `publish` gets the reactions after each change. */
  constructor(publish: (reactions: readonly ShownReaction[]) => void) {
    this.#publish = publish;
  }

  /** Shows a reaction that was sent `age` ms ago, unless it is over: after a reconnect, old events arrive late. */
  add(reaction: Omit<ShownReaction, 'id'>, age: number): void {
    if (age > REACTION_TIME) return;
    const added = { ...reaction, id: ++this.#count };
    this.#set([...this.#shown, added].slice(-MOST));
    setTimeout(() => this.#set(this.#shown.filter((each) => each !== added)), REACTION_TIME);
  }

  #set(shown: readonly ShownReaction[]): void {
    this.#shown = shown;
    this.#publish(shown);
  }
}
