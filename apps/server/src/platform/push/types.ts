import type { ErrorCode, PushMessage, TerminalReport } from '@rmeet/contract';
import type { TenantTx } from '../db/index.ts';
import type { AccountCaller, DeskCaller, TerminalCaller } from '../http/calls/context.ts';

export type PushCaller = AccountCaller | TerminalCaller | DeskCaller;
/** A push socket as the hub sees it. */
export interface PushSocket {
  /** Undefined until the token was received. */
  readonly caller: PushCaller | undefined;
  /** Sends the reason after everything published until now, then closes for good. */
  dismiss(code: ErrorCode): Promise<void>;
  /** Authenticates again and drops topics that the caller may no longer follow; `again` also sends all snapshots. */
  refresh(again: boolean): Promise<void>;
}

export type PushEvent = { type: string } & Record<string, unknown>;

/** What a module decides about the topics of one prefix (`meeting` of `meeting:<id>`, `user`, `activity`). */
export interface TopicRules {
  /** Called at each subscription, and whenever the caller is authenticated again. */
  authorize(caller: PushCaller, topic: string): boolean | Promise<boolean>;
  /**
   * The whole state, for subscribers whose last version is unknown or too old; without it they only get the version.
   */
  snapshot?(caller: PushCaller, topic: string): Promise<unknown>;
  /** What this receiver may see of an event; null for nothing. Without it, everything. */
  view?(caller: PushCaller, event: PushEvent, topic: string): PushEvent | null;
  /**
   * A terminal has applied everything up to `version`; `failed`: it could not, the reason as a word; `gap`: ms without
   * media meanwhile.
   */
  acknowledged?(
    caller: PushCaller,
    topic: string,
    version: number,
    outcome: { failed?: string; gap?: number },
  ): void | Promise<void>;
  /** A terminal reports about its media. */
  reported?(caller: PushCaller, topic: string, report: TerminalReport): void | Promise<void>;
}

/**
 * Selects sockets by their caller; every given list must contain the caller's value. Plain data, because it is sent
 * between server processes.
 */
export interface PushMatch {
  sessionIds?: string[];
  userIds?: string[];
  termIds?: string[];
  /** Desks opened by these links. */
  linkIds?: string[];
}

export interface Push {
  /**
   * Stores the next event of a topic; delivered when the transaction commits, to sockets on every server process. The
   * topic's row stays locked until then, so publish late, and if a transaction publishes on several topics, in
   * alphabetical order.
   *
   * @returns the event's version
   */
  publish(tx: TenantTx, topic: string, event: PushEvent): Promise<number>;
  /** The same for several events, in order; returns the version of the last. */
  publishAll(tx: TenantTx, topic: string, events: readonly [PushEvent, ...PushEvent[]]): Promise<number>;
  /** The same for one receiver only; the others see a gap in the numbering. */
  publishTo(
    tx: TenantTx,
    topic: string,
    event: PushEvent,
    receiver: { termId: string } | { userId: string },
  ): Promise<number>;
  /**
   * Sends a message to this process's sockets that follow the topic and match `to`. It is not stored and not numbered,
   * and slow readers do not get it: for values that are soon sent again.
   */
  broadcast(topic: string, message: PushMessage, to: (caller: PushCaller) => boolean): void;
  /** Whether any of this process's sockets that follow the topic matches `of`. */
  isFollowed(topic: string, of: (caller: PushCaller) => boolean): boolean;
  /** Declares the topics of a prefix, once at start. */
  topic(prefix: string, rules: TopicRules): void;
  /** Sends the reason to the sockets of these callers and closes them, on every server process. */
  disconnect(match: PushMatch, reason: ErrorCode): Promise<void>;
  /**
   * Authenticates these callers again and sends them their topics' snapshots, on every server process: their rights
   * changed.
   */
  refresh(match: PushMatch): Promise<void>;
  /** Calls `run` when a caller's first socket at this process opens and when its last one closes. */
  onConnection(run: (caller: PushCaller, state: 'open' | 'closed') => void | Promise<void>): void;
  /** Whether the terminal has a socket at this process. */
  connected(termId: string): boolean;
}
