import type { PushMessage } from '@rmeet/contract';
import type { Db } from '../db/index.ts';
import type { Log } from '../log/log.ts';
import { BATCH, eventsAfter, versionOf, type StoredEvent, type TopicKey } from './store.ts';
import type { PushCaller, TopicRules } from './types.ts';

/** If more events than this were missed, they are replaced by a snapshot, if the topic has one. */
const CATCH_UP = 200;
const RETRY = 1_000;

/** One socket's subscription to a topic. */
export interface Subscriber {
  readonly caller: PushCaller;
  send(message: PushMessage): void;
  /** Sends a message that may be dropped: nothing is sent if much data is already waiting to be read. */
  offer(message: PushMessage): void;
}

interface Progress {
  /** Every event up to this version was sent to the subscriber, or was not for it. */
  handled: number;
  /** The latest version announced to the subscriber. */
  told: number;
  isLive: boolean;
}

/** One topic in this process: reads new events once and sends each subscriber what it may see, in order. */
export class Feed {
  readonly key: TopicKey;
  readonly #db: Db;
  readonly #log: Log;
  readonly #rules: TopicRules;
  readonly #subscribers = new Map<Subscriber, Progress>();
  #isPumping = false;
  #again = false;
  #current: Promise<void> = Promise.resolve();

  constructor(key: TopicKey, rules: TopicRules, db: Db, log: Log) {
    this.key = key;
    this.#rules = rules;
    this.#db = db;
    this.#log = log;
  }

  get isEmpty(): boolean {
    return this.#subscribers.size === 0;
  }

  has(subscriber: Subscriber): boolean {
    return this.#subscribers.has(subscriber);
  }

  /**
   * Starts or restarts: sends the version, then the events after `since`; a snapshot if `since` is missing, too old, or
   * ahead of the topic (as after restoring a backup).
   */
  async start(subscriber: Subscriber, since: number | undefined): Promise<void> {
    const { topic } = this.key;
    const progress: Progress = { handled: 0, told: 0, isLive: false };
    this.#subscribers.set(subscriber, progress);
    const version = await versionOf(this.#db, this.key);
    const missed = await this.#missed(since, version);
    const isCurrent = (): boolean => this.#subscribers.get(subscriber) === progress;
    if (!isCurrent()) return;
    subscriber.send({ subscribed: topic, version });
    if (missed) {
      progress.told = since ?? version;
      for (const event of missed) this.#deliver(subscriber, progress, event);
    } else {
      // Read after the version, so it may include later events already; those are applied again, which changes nothing.
      const snapshot = await this.#rules.snapshot?.(subscriber.caller, topic);
      if (!isCurrent()) return;
      if (snapshot !== undefined) subscriber.send({ topic, version, snapshot } as PushMessage);
      progress.told = version;
    }
    progress.handled = version;
    progress.isLive = true;
    this.pump();
  }

  /** The missed events, if all are still stored and not too many; [] if nothing was missed. */
  async #missed(since: number | undefined, version: number): Promise<StoredEvent[] | undefined> {
    if (since === undefined || since > version) return this.#rules.snapshot ? undefined : [];
    if (since === version) return [];
    const events = version - since > CATCH_UP ? [] : await eventsAfter(this.#db, this.key, since);
    const missed = events.filter((event) => event.version <= version);
    return missed.length === version - since ? missed : undefined;
  }

  stop(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber);
  }

  broadcast(message: PushMessage, to: (caller: PushCaller) => boolean): void {
    for (const [subscriber, { isLive }] of this.#subscribers)
      if (isLive && to(subscriber.caller)) subscriber.offer(message);
  }

  isFollowed(of: (caller: PushCaller) => boolean): boolean {
    return this.#subscribers.keys().some(({ caller }) => of(caller));
  }

  /** There may be new events. */
  pump(): void {
    if (this.#isPumping) {
      this.#again = true;
      return;
    }
    this.#isPumping = true;
    this.#current = this.#run();
  }

  /** Resolves when everything published until now was sent, or could not be read. */
  async caughtUp(): Promise<void> {
    this.pump();
    await this.#current;
  }

  async #run(): Promise<void> {
    try {
      await this.#deliverNew();
    } catch (error) {
      this.#log.warn({ error, topic: this.key.topic }, 'Reading the events of a topic failed');
      setTimeout(() => this.pump(), RETRY).unref();
    } finally {
      this.#isPumping = false;
    }
  }

  async #deliverNew(): Promise<void> {
    do {
      this.#again = false;
      const live = [...this.#subscribers].filter(([, progress]) => progress.isLive);
      if (live.length === 0) return;
      const from = Math.min(...live.map(([, progress]) => progress.handled));
      const events = await eventsAfter(this.#db, this.key, from);
      if (events[0] && events[0].version > from + 1) await this.#startAgain(live, events[0].version);
      for (const event of events) {
        for (const [subscriber, progress] of live) {
          if (this.#subscribers.get(subscriber) === progress && event.version > progress.handled)
            this.#deliver(subscriber, progress, event);
        }
      }
      if (events.length === BATCH) this.#again = true;
    } while (this.#again);
  }

  /** Events were dropped before delivery: subscribers that miss some get a snapshot. */
  async #startAgain(live: [Subscriber, Progress][], oldest: number): Promise<void> {
    for (const [subscriber, progress] of live) {
      if (progress.handled + 1 < oldest && this.has(subscriber)) await this.start(subscriber, undefined);
    }
  }

  #deliver(subscriber: Subscriber, progress: Progress, stored: StoredEvent): void {
    const { topic } = this.key;
    const { version } = stored;
    progress.handled = version;
    const { caller } = subscriber;
    if (stored.termId !== null && !(caller.kind === 'terminal' && caller.termId === stored.termId)) return;
    if (stored.userId !== null && !('userId' in caller && caller.userId === stored.userId)) return;
    const event = stored.event as { type: string };
    const seen = this.#rules.view ? this.#rules.view(caller, event, topic) : event;
    if (!seen) return;
    subscriber.send({ topic, version, previous: progress.told, event: seen } as PushMessage);
    progress.told = version;
  }
}
