import { applyDeskEvent, type DeskState, type PushMessage, type TerminalReport } from '@rmeet/contract';
import type { LinkState, ReadableStore } from '../../../call/index.ts';
import type { PushEvent, PushSnapshot, PushStatus, TopicHandler } from '../../../lib/push/index.ts';
import { clockAhead } from '../../../call/clock.ts';
import { Store } from '../../../call/store.ts';
import { rowsOf, type Sending, type TerminalRow } from './model/rows.ts';

type Reports = Extract<PushMessage, { reports: unknown }>['reports'];

/** The part of a push socket a desk uses. */
export interface DeskPush {
  readonly refusal: string | null;
  subscribe(topic: string, handler: TopicHandler): () => void;
  onStatus(listener: (status: PushStatus) => void): () => void;
  close(): void;
}

/** Everything a desk renders, replaced at most once a frame. */
export interface DeskSnapshot {
  link: LinkState;
  /** The code with which the server refused or revoked the access. */
  refusal: string | null;
  /** The conference has ended. */
  over: boolean;
  /** The server accepts this desk, but no conference is running. */
  idle: boolean;
  /** Null until the push socket has delivered it. */
  state: DeskState | null;
  rows: readonly TerminalRow[];
  reports: ReadonlyMap<string, TerminalReport>;
  /** When this desk first saw each command; ms, by the browser's clock. */
  seenAt: ReadonlyMap<string, number>;
  /** When the snapshot was made; ms. */
  now: number;
  /** How far the server's clock is ahead of the browser's, ms; null before the first message. */
  clockAhead: number | null;
}

/** Milliseconds until a change is shown: short for actions of people, longer for reports of machines. */
const SOON = 16;
const LATER = 250;
/**
 * The state arrives right after the connection; if it does not arrive within this time, no conference is running. In
 * ms.
 */
const STATE_WITHIN = 1_000;
/** How often late terminals are checked for while commands await acknowledgement, ms. */
const WATCH_ANSWERS = 1_000;

/**
 * Follows a conference for a desk over one push socket until `close`. Events and reports that arrive together are
 * applied together and notify each listener once.
 */
export class DeskFeed {
  readonly #push: DeskPush;
  readonly #store = new Store<DeskSnapshot>({
    link: 'connecting',
    refusal: null,
    over: false,
    idle: false,
    state: null,
    rows: [],
    reports: new Map(),
    seenAt: new Map(),
    now: 0,
    clockAhead: null,
  });
  readonly #topic: string;
  #stopFollowing: () => void;
  #idleTimer: ReturnType<typeof setTimeout> | undefined;
  #state: DeskState | null = null;
  #ahead: number | null = null;
  #reports: ReadonlyMap<string, TerminalReport> = new Map();
  #sending: ReadonlyMap<string, Sending> = new Map();
  #seenAt: ReadonlyMap<string, number> = new Map();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the timer fires; Infinity if it is not set. */
  #due = Infinity;

  constructor(push: DeskPush, meetId: string) {
    this.#push = push;
    this.#topic = `meeting:${meetId}`;
    push.onStatus((status) => this.#linkChanged(status));
    this.#stopFollowing = this.#follow();
  }

  get store(): ReadableStore<DeskSnapshot> {
    return this.#store;
  }

  /** What the media engine reports about the media of each terminal. */
  setSending(sending: ReadonlyMap<string, Sending>): void {
    this.#sending = sending;
    this.#plan(LATER);
  }

  close(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#idleTimer);
    this.#push.close();
  }

  #follow(): () => void {
    return this.#push.subscribe(this.#topic, {
      snapshot: (snapshot) => this.#snapshot(snapshot),
      event: (event) => this.#event(event),
      reports: (reports) => this.#reported(reports),
      refused: (refusal) => this.#store.set({ refusal }),
    });
  }

  #linkChanged(status: PushStatus): void {
    if (status === 'refused') this.#store.set({ refusal: this.#push.refusal ?? 'UNAUTHORIZED' });
    else if (status === 'open') {
      this.#store.set({ link: 'connected' });
      this.#expectState();
    } else if (status !== 'closed') this.#store.set({ link: this.#state === null ? 'connecting' : 'reconnecting' });
  }

  #expectState(): void {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => this.#store.set({ idle: this.#state === null }), STATE_WITHIN);
  }

  #snapshot(snapshot: PushSnapshot): void {
    if (!('desk' in snapshot)) return;
    clearTimeout(this.#idleTimer);
    if (snapshot.conferenceId !== this.#state?.conferenceId) this.#reports = new Map();
    this.#state = snapshot;
    this.#store.set({ over: false, idle: false });
    this.#plan(SOON);
  }

  #event(event: PushEvent): void {
    if (event.type === 'ended') this.#store.set({ over: true });
    else if (this.#state === null || this.#store.getSnapshot().over) {
      // The first event of a conference that was not running: its state can now be fetched.
      this.#stopFollowing();
      this.#stopFollowing = this.#follow();
      return;
    }
    if (this.#state === null || !isForDesks(event)) return;
    if ('step' in event) this.#ahead = clockAhead(this.#ahead, event.step.at, Date.now());
    this.#state = applyDeskEvent(this.#state, event);
    this.#plan(event.type === 'acknowledged' ? LATER : SOON);
  }

  #reported(reports: Reports): void {
    this.#reports = new Map([...this.#reports, ...Object.entries(reports)]);
    this.#plan(LATER);
  }

  #plan(delay: number): void {
    const due = Date.now() + delay;
    if (due >= this.#due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => this.#flush(), delay);
  }

  #flush(): void {
    this.#due = Infinity;
    const state = this.#state;
    if (state === null) return;
    const now = Date.now();
    this.#see(state, now);
    const { rows: previous } = this.#store.getSnapshot();
    const rows = rowsOf({ state, reports: this.#reports, sending: this.#sending, seenAt: this.#seenAt, now, previous });
    this.#store.set({ state, rows, reports: this.#reports, seenAt: this.#seenAt, now, clockAhead: this.#ahead });
    if (owesAnswers(state)) this.#plan(WATCH_ANSWERS);
  }

  /** Records when each command of the log was first seen; forgets those no longer in the log. */
  #see({ commands }: DeskState, now: number): void {
    if (commands.length === this.#seenAt.size && commands.every(({ commandId }) => this.#seenAt.has(commandId))) return;
    this.#seenAt = new Map(commands.map(({ commandId }) => [commandId, this.#seenAt.get(commandId) ?? now]));
  }
}

type ForDesks = Parameters<typeof applyDeskEvent>[1];
const NOT_FOR_DESKS: ReadonlySet<string> = new Set([
  'admitted',
  'refused',
  'removed',
  'sentBack',
  'sessionEnded',
  'accessChanged',
  'meetingsChanged',
  'ring',
  'ringOver',
]);

function isForDesks(event: PushEvent): event is ForDesks & PushEvent {
  return !NOT_FOR_DESKS.has(event.type);
}

/** Whether a terminal inside has not acknowledged one of the newest commands. */
function owesAnswers({ commands, control }: DeskState): boolean {
  return commands.slice(0, 5).some(({ affected, acknowledgements }) => {
    if (affected.length <= acknowledgements.length) return false;
    const answered = new Set(acknowledgements.map(({ termId }) => termId));
    return affected.some((termId) => !answered.has(termId) && control.terminals[termId]?.present === true);
  });
}
