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
  /** Asked at each subscription, and again whenever the caller is looked at anew. */
  authorize(caller: PushCaller, topic: string): boolean | Promise<boolean>;
  /** The whole state, for those whose last version is unknown or too old; without it they only get the version. */
  snapshot?(caller: PushCaller, topic: string): Promise<unknown>;
  /** What this receiver may see of an event; null for nothing. Everything, without it. */
  view?(caller: PushCaller, event: PushEvent, topic: string): PushEvent | null;
  /**
   * A terminal says it has applied everything up to `version`; `failed`: that it could not, as a word; `gap`: ms
   * without media meanwhile.
   */
  acknowledged?(
    caller: PushCaller,
    topic: string,
    version: number,
    outcome: { failed?: string; gap?: number },
  ): void | Promise<void>;
  /** A terminal tells of its media. */
  reported?(caller: PushCaller, topic: string, report: TerminalReport): void | Promise<void>;
}

/**
 * Sockets by what their caller is; every named list must hold the caller's value. Plain data, as it travels between
 * server processes.
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
   * Stores the next event of a topic; delivered when the transaction commits, to sockets on every server process.
   * The topic's row stays locked until then, so publish late, and where a transaction publishes on several topics,
   * in alphabetical order.
   *
   * @returns the event's version
   */
  publish(tx: TenantTx, topic: string, event: PushEvent): Promise<number>;
  /** The same for several at once, in order; answers the version of the last. */
  publishAll(tx: TenantTx, topic: string, events: readonly [PushEvent, ...PushEvent[]]): Promise<number>;
  /** The same for one receiver alone; the others see a step in the numbering. */
  publishTo(
    tx: TenantTx,
    topic: string,
    event: PushEvent,
    receiver: { termId: string } | { userId: string },
  ): Promise<number>;
  /**
   * Sends a message to those of this process's sockets that follow the topic and that `to` names. It is not stored and
   * not numbered, and a socket that does not read goes without: for what is soon told anew.
   */
  broadcast(topic: string, message: PushMessage, to: (caller: PushCaller) => boolean): void;
  /** Whether any of this process's sockets that follow the topic is one that `of` names. */
  isFollowed(topic: string, of: (caller: PushCaller) => boolean): boolean;
  /** Declares the topics of a prefix, once at start. */
  topic(prefix: string, rules: TopicRules): void;
  /** Tells the sockets of these callers why and closes them, on every server process. */
  disconnect(match: PushMatch, reason: ErrorCode): Promise<void>;
  /**
   * Authenticates these callers anew and sends them their topics' snapshots, on every server process: their rights
   * changed.
   */
  refresh(match: PushMatch): Promise<void>;
  /** Calls `run` whenever a caller's first socket of this process opens and its last one closes. */
  onConnection(run: (caller: PushCaller, state: 'open' | 'closed') => void | Promise<void>): void;
  /** Whether the terminal has a socket at this process. */
  connected(termId: string): boolean;
}
