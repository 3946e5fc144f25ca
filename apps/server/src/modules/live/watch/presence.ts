import { eq, inArray, sql } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import type { Log } from '../../../platform/log/log.ts';
import { Rounds } from '../../../platform/rounds/index.ts';
import { viewersOf } from '../present.ts';
import { broadcast, broadcastMinute, broadcastViewer, type BroadcastViewerRow } from '../tables.ts';

/** How often presence is stored, ms. */
const EVERY = 4_000;
/** A gap between two calls of a page that is longer does not count as watched, ms. */
const LONGEST_GAP = 10_000;
/** A viewer's likes that count within one round. */
const MAX_LIKES = 50;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

export type View = Pick<BroadcastViewerRow, 'id' | 'tenantId' | 'broadcastId'>;

interface Seen {
  view: View;
  /** Ms. */
  watched: number;
  likes: number;
}

export interface PresenceDeps {
  db: Db;
  log: Log;
  now: () => Date;
}

/**
 * Who is watching. Calls of viewers only note it in memory; a round every few seconds stores it in a few statements, so
 * that the counts include the viewers of all servers.
 */
export class Presence {
  readonly #deps: PresenceDeps;
  readonly #rounds: Rounds;
  /** Since the last round. */
  #seen = new Map<string, Seen>();
  /** When each viewer called last. */
  readonly #lastAt = new Map<string, number>();

  constructor(deps: PresenceDeps) {
    this.#deps = deps;
    this.#rounds = new Rounds({
      run: () => this.flush(),
      interval: () => EVERY,
      onFailure: (error) => deps.log.warn({ error }, 'Viewers of broadcasts could not be counted; it is retried'),
    });
  }

  start(): void {
    this.#rounds.start();
  }

  async stop(): Promise<void> {
    await this.#rounds.stop();
    await this.flush().catch(() => undefined);
  }

  /** A page called. `counts`: its time counts as watched. */
  touch(view: View, { counts, likes }: { counts: boolean; likes: number }): void {
    const at = this.#deps.now().getTime();
    const gap = at - (this.#lastAt.get(view.id) ?? -Infinity);
    const isWatching = counts && gap >= 0 && gap <= LONGEST_GAP;
    // Whole seconds, so that many viewers have watched equally long; the rest counts with the next call.
    const watched = isWatching ? Math.floor(gap / SECOND) * SECOND : 0;
    this.#lastAt.set(view.id, isWatching ? at - (gap - watched) : at);
    const before = this.#seen.get(view.id);
    this.#seen.set(view.id, {
      view,
      watched: (before?.watched ?? 0) + watched,
      likes: Math.min(MAX_LIKES, (before?.likes ?? 0) + likes),
    });
  }

  /** A page was closed. */
  async leave(view: View): Promise<void> {
    const seen = this.#seen.get(view.id);
    this.#seen.delete(view.id);
    this.#lastAt.delete(view.id);
    const at = this.#deps.now();
    await this.#deps.db.tenant(view.tenantId, async (tx) => {
      if (seen) await storeViews(tx, [seen], at);
      if (seen && seen.likes > 0) await addLikes(tx, view.broadcastId, seen.likes);
      await tx.update(broadcastViewer, { leftAt: at }, eq(broadcastViewer.id, view.id));
    });
  }

  /** One round. */
  async flush(): Promise<void> {
    const taken = this.#seen;
    this.#seen = new Map();
    const at = this.#deps.now();
    for (const [id, last] of this.#lastAt) if (at.getTime() - last > MINUTE) this.#lastAt.delete(id);
    const ofBroadcast = Map.groupBy(taken.values(), ({ view }) => view.broadcastId);
    for (const [id, seen] of ofBroadcast) {
      try {
        await this.#deps.db.tenant(seen[0]!.view.tenantId, (tx) => store(tx, id, seen, at));
        for (const { view } of seen) taken.delete(view.id);
      } catch (error) {
        this.#putBack(taken);
        throw error;
      }
    }
  }

  /** What could not be stored is stored with the next round. */
  #putBack(taken: ReadonlyMap<string, Seen>): void {
    for (const [id, seen] of taken) {
      const since = this.#seen.get(id);
      this.#seen.set(id, {
        view: seen.view,
        watched: seen.watched + (since?.watched ?? 0),
        likes: Math.min(MAX_LIKES, seen.likes + (since?.likes ?? 0)),
      });
    }
  }
}

/** A statement for each time watched. */
async function storeViews(tx: TenantTx, seen: readonly Seen[], at: Date): Promise<void> {
  for (const [watched, views] of Map.groupBy(seen, (one) => one.watched)) {
    const ids = views.map(({ view }) => view.id).join(',');
    await tx.update(
      broadcastViewer,
      { lastSeenAt: at, leftAt: null, watched: sql`${broadcastViewer.watched} + ${watched}` },
      sql`${broadcastViewer.id} = any(${`{${ids}}`}::uuid[])`,
    );
  }
}

async function addLikes(tx: TenantTx, id: string, likes: number): Promise<void> {
  await tx.update(broadcast, { likes: sql`${broadcast.likes} + ${likes}` }, eq(broadcast.id, id));
}

async function store(tx: TenantTx, id: string, seen: readonly Seen[], at: Date): Promise<void> {
  await storeViews(tx, seen, at);
  const likes = seen.reduce((sum, one) => sum + one.likes, 0);
  const viewers = (await viewersOf(tx, [id], at)).get(id) ?? 0;
  const [shown] = await tx.update(
    broadcast,
    { likes: sql`${broadcast.likes} + ${likes}`, peak: sql`greatest(${broadcast.peak}, ${viewers})` },
    allOf(eq(broadcast.id, id), inArray(broadcast.state, ['onAir', 'paused'])),
  );
  if (!shown) return;
  const minute = new Date(Math.floor(at.getTime() / MINUTE) * MINUTE);
  await tx.insert(
    broadcastMinute,
    { broadcastId: id, at: minute, viewers },
    {
      target: [broadcastMinute.broadcastId, broadcastMinute.at],
      set: { viewers: sql`greatest(${broadcastMinute.viewers}, ${viewers})` },
    },
  );
}
