import { WATCH_STATE_EVERY, type BroadcastMessage, type WatchState } from '@rmeet/contract';
import { ApiError, isApiError } from '../../../lib/api/error.ts';

/** Likes that one call may bring. */
const MOST_LIKES = 50;
/** Messages that are kept; older ones fall off the chat. */
const MOST_MESSAGES = 500;

/** The server, as far as an open broadcast needs it. */
export interface WatchCalls {
  state: (body: { view: string; since: number; likes: number }) => Promise<WatchState>;
  say: (body: { view: string; kind: BroadcastMessage['kind']; text: string }) => Promise<BroadcastMessage>;
  /** Opens it again with its view, and a name if there is one now. */
  open: (view: string, name?: string) => Promise<WatchState & { view: string }>;
  leave: (view: string) => void;
}

/** An open broadcast. */
export interface Watched extends Omit<WatchState, 'messages'> {
  /** In their order; deleted ones are left out. */
  messages: readonly BroadcastMessage[];
  /** Sent from this page since it was opened. */
  own: ReadonlySet<string>;
  /** The last call got no answer. */
  isLost: boolean;
}

/**
 * Follows a broadcast that is open: one call every three seconds brings its state, new messages and addresses that
 * work, and takes likes along. A view that has ended is opened again.
 */
export class Watching {
  readonly #calls: WatchCalls;
  #onRefused: () => void = () => undefined;
  #view: string;
  #now: Watched;
  #likes = 0;
  /** Likes on their way. */
  #sent = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isRunning = false;
  readonly #listeners = new Set<() => void>();

  constructor(opened: WatchState & { view: string }, calls: WatchCalls) {
    const { view, ...state } = opened;
    this.#view = view;
    this.#calls = calls;
    this.#now = { ...state, messages: merged([], state.messages), own: new Set(), isLost: false };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly get = (): Watched => this.#now;

  /** For each address of its media; empty while nothing can be played. */
  get sign(): string {
    return this.#now.sign;
  }

  /**
   * Begins to follow it. Returns a function that stops.
   * @param onRefused the viewer may not watch any more, or has to answer a question first
   */
  start(onRefused: () => void): () => void {
    this.#onRefused = onRefused;
    this.#isRunning = true;
    this.#wait(WATCH_STATE_EVERY);
    return () => {
      this.#isRunning = false;
      clearTimeout(this.#timer);
    };
  }

  like(): void {
    if (this.#likes >= MOST_LIKES) return;
    this.#likes += 1;
    this.#set({ likes: this.#now.likes + 1 });
  }

  /** Sends a message, and shows it. Throws ApiError. */
  async say(kind: BroadcastMessage['kind'], text: string): Promise<void> {
    const message = await this.#calls.say({ view: this.#view, kind, text });
    this.#set({
      messages: merged(this.#now.messages, [message]),
      own: new Set([...this.#now.own, message.id]),
    });
  }

  /** Gives the viewer a name, which the next message needs. Throws ApiError. */
  async rename(name: string): Promise<void> {
    this.#take(await this.#calls.open(this.#view, name));
  }

  leave(): void {
    this.#calls.leave(this.#view);
  }

  #wait(time: number): void {
    clearTimeout(this.#timer);
    if (this.#isRunning) this.#timer = setTimeout(() => void this.#ask(), time);
  }

  async #ask(): Promise<void> {
    const since = performance.now();
    let pause = 0;
    try {
      await this.#update();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (!this.#isRunning) return;
      if (isPassing(error)) pause = (error.seconds ?? 0) * 1_000;
      else {
        this.#onRefused();
        return;
      }
      this.#set({ isLost: true });
    }
    this.#wait(Math.max(0, pause, WATCH_STATE_EVERY - (performance.now() - since)));
  }

  async #update(): Promise<void> {
    this.#sent = this.#likes;
    this.#likes = 0;
    try {
      const { version: since } = this.#now;
      const state = await this.#calls.state({ view: this.#view, since, likes: this.#sent });
      this.#sent = 0;
      if (this.#isRunning) this.#take(state);
    } catch (error) {
      this.#likes = Math.min(MOST_LIKES, this.#likes + this.#sent);
      this.#sent = 0;
      if (!isApiError(error, 'WATCH_ENDED')) throw error;
      const opened = await this.#calls.open(this.#view);
      if (this.#isRunning) this.#take(opened);
    }
  }

  #take({ view, messages, ...state }: WatchState & { view?: string }): void {
    if (view !== undefined) this.#view = view;
    this.#set({
      ...state,
      likes: state.likes + this.#likes,
      messages: merged(this.#now.messages, messages),
      isLost: false,
    });
  }

  #set(change: Partial<Watched>): void {
    this.#now = { ...this.#now, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** Errors after which the same call may succeed: no answer, a busy server, too many calls. */
function isPassing({ httpStatus }: ApiError): boolean {
  return httpStatus === 0 || httpStatus === 408 || httpStatus === 429 || httpStatus >= 500;
}

/** Messages with those that are new or were changed. */
export function merged<Message extends BroadcastMessage>(
  known: readonly Message[],
  changed: readonly Message[],
): Message[] {
  const all = new Map(known.map((one) => [one.id, one]));
  for (const one of changed) {
    const before = all.get(one.id);
    // An answer may have been overtaken by a later one.
    if (before !== undefined && before.version > one.version) continue;
    all.set(one.id, one);
  }
  return [...all.values()]
    .filter(({ state }) => state !== 'deleted')
    .toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
    .slice(-MOST_MESSAGES);
}
