import type { ErrorCode, PushMessage } from '@rmeet/contract';
import type { Db } from '../db/index.ts';
import type { Log } from '../log/log.ts';
import { Feed } from './feed.ts';
import { append, CHANNEL, parseAnnouncement } from './store.ts';
import type { Push, PushCaller, PushMatch, PushSocket, TopicRules } from './types.ts';

const CONTROL_CHANNEL = 'rmeet_push_control';
/** Ids per control message, which like every NOTIFY holds 8,000 bytes at most. */
const IDS_PER_MESSAGE = 100;

interface Control {
  kind: 'disconnect' | 'refresh';
  match: PushMatch;
  reason?: ErrorCode;
}

type ConnectionListener = (caller: PushCaller, state: 'open' | 'closed') => void | Promise<void>;

/** Whether the caller matches all lists; an empty match matches no caller. */
function matches(caller: PushCaller, match: PushMatch): boolean {
  const lists = Object.entries(match).filter(([, ids]) => ids !== undefined) as [keyof PushMatch, string[]][];
  const own = idsOf(caller);
  return lists.length > 0 && lists.every(([list, ids]) => ids.includes(own[list] ?? ''));
}

/** The caller's value for each list of a match. */
function idsOf(caller: PushCaller): { [list in keyof PushMatch]?: string } {
  if (caller.kind === 'terminal') return { termIds: caller.termId };
  if (caller.kind === 'desk') return { linkIds: caller.linkId };
  return { sessionIds: caller.sessionId, userIds: caller.userId };
}

/** The id of a caller among those of its kind. */
function idOf(caller: PushCaller): string {
  if (caller.kind === 'terminal') return caller.termId;
  return caller.kind === 'desk' ? caller.linkId : caller.sessionId;
}

/** Splits a match into parts that fit a NOTIFY. */
function pieces(match: PushMatch): PushMatch[] {
  const name = (['sessionIds', 'userIds', 'termIds', 'linkIds'] as const).find(
    (one) => (match[one]?.length ?? 0) > IDS_PER_MESSAGE,
  );
  if (!name) return [match];
  const ids = match[name] ?? [];
  return Array.from({ length: Math.ceil(ids.length / IDS_PER_MESSAGE) }, (_, i) => ({
    ...match,
    [name]: ids.slice(i * IDS_PER_MESSAGE, (i + 1) * IDS_PER_MESSAGE),
  }));
}

/** The topics, feeds and sockets of this process. The database connects it to the other processes. */
export class Hub implements Push {
  readonly #db: Db;
  readonly #log: Log;
  readonly #rules = new Map<string, TopicRules>();
  readonly #feeds = new Map<string, Feed>();
  readonly #connections = new Set<PushSocket>();
  readonly #listeners: ConnectionListener[] = [];

  constructor(db: Db, log: Log) {
    this.#db = db;
    this.#log = log;
  }

  /** Starts listening to the other server processes. */
  async start(): Promise<void> {
    const pumpAll = (): void => this.#feeds.forEach((feed) => feed.pump());
    await this.#db.listen(
      CHANNEL,
      (payload) => {
        const { tenantId, topic } = parseAnnouncement(payload);
        this.#feeds.get(`${tenantId} ${topic}`)?.pump();
      },
      pumpAll,
    );
    // After a gap all callers are authenticated again, because a disconnect may have been missed.
    await this.#db.listen(
      CONTROL_CHANNEL,
      (payload) => this.#control(JSON.parse(payload) as Control),
      () => this.#connections.forEach((connection) => void connection.refresh(false)),
    );
  }

  publish: Push['publish'] = (tx, topic, event) => append(tx, topic, [event], {});
  publishAll: Push['publishAll'] = (tx, topic, events) => append(tx, topic, events, {});
  publishTo: Push['publishTo'] = (tx, topic, event, receiver) => append(tx, topic, [event], receiver);

  broadcast(topic: string, message: PushMessage, to: (caller: PushCaller) => boolean): void {
    for (const feed of this.#feedsOf(topic)) feed.broadcast(message, to);
  }

  isFollowed(topic: string, of: (caller: PushCaller) => boolean): boolean {
    return this.#feedsOf(topic).some((feed) => feed.isFollowed(of));
  }

  /** Topics of different tenants may have the same name. */
  #feedsOf(topic: string): Feed[] {
    return this.#feeds
      .values()
      .filter((feed) => feed.key.topic === topic)
      .toArray();
  }

  topic(prefix: string, rules: TopicRules): void {
    if (this.#rules.has(prefix)) throw new Error(`Topic ${prefix} is declared twice.`);
    this.#rules.set(prefix, rules);
  }

  async disconnect(match: PushMatch, reason: ErrorCode): Promise<void> {
    for (const piece of pieces(match)) await this.#notify({ kind: 'disconnect', match: piece, reason });
  }

  async refresh(match: PushMatch): Promise<void> {
    for (const piece of pieces(match)) await this.#notify({ kind: 'refresh', match: piece });
  }

  onConnection(run: ConnectionListener): void {
    this.#listeners.push(run);
  }

  connected(termId: string): boolean {
    return this.#connections.values().some(({ caller }) => caller?.kind === 'terminal' && caller.termId === termId);
  }

  get connectionCount(): number {
    return this.#connections.size;
  }

  #notify(control: Control): Promise<void> {
    return this.#db.notify(CONTROL_CHANNEL, JSON.stringify(control));
  }

  #control({ kind, match, reason }: Control): void {
    for (const connection of this.#connections) {
      if (!connection.caller || !matches(connection.caller, match)) continue;
      if (kind === 'disconnect') void connection.dismiss(reason ?? 'UNAUTHORIZED');
      else void connection.refresh(true);
    }
  }

  rulesOf(topic: string): TopicRules | undefined {
    return this.#rules.get(topic.split(':', 1)[0] ?? '');
  }

  /** The feed of a topic, created for its first subscriber. */
  feed(tenantId: string, topic: string, rules: TopicRules): Feed {
    const key = `${tenantId} ${topic}`;
    let feed = this.#feeds.get(key);
    if (!feed) {
      feed = new Feed({ tenantId, topic }, rules, this.#db, this.#log);
      this.#feeds.set(key, feed);
    }
    return feed;
  }

  /** Drops a feed without subscribers. */
  release(feed: Feed): void {
    if (feed.isEmpty) this.#feeds.delete(`${feed.key.tenantId} ${feed.key.topic}`);
  }

  /** A socket was authenticated. */
  opened(connection: PushSocket, caller: PushCaller): void {
    const isFirst = !this.#hasOther(connection, caller);
    this.#connections.add(connection);
    if (isFirst) this.#announce(caller, 'open');
  }

  closed(connection: PushSocket): void {
    if (!this.#connections.delete(connection) || !connection.caller) return;
    if (!this.#hasOther(connection, connection.caller)) this.#announce(connection.caller, 'closed');
  }

  #hasOther(connection: PushSocket, caller: PushCaller): boolean {
    return this.#connections
      .values()
      .some(
        (other) => other !== connection && other.caller?.kind === caller.kind && idOf(other.caller) === idOf(caller),
      );
  }

  #announce(caller: PushCaller, state: 'open' | 'closed'): void {
    for (const listener of this.#listeners) {
      Promise.resolve()
        .then(() => listener(caller, state))
        .catch((error: unknown) => this.#log.error({ error }, 'A listener to push connections failed'));
    }
  }
}
