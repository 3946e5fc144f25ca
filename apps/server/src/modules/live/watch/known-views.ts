import { eq } from 'drizzle-orm';
import type { Db } from '../../../platform/db/index.ts';
import { hashToken } from '../../../platform/secrets/index.ts';
import { broadcastViewer, type BroadcastViewerRow } from '../tables.ts';

/** How long a view is remembered without a call of its page, ms. */
const KEPT_FOR = 60_000;

export type KnownView = Pick<BroadcastViewerRow, 'id' | 'tenantId' | 'broadcastId' | 'accountId' | 'name'>;

/** The open pages, by what they send; read once, not with each call. */
export class KnownViews {
  readonly #db: Db;
  readonly #now: () => Date;
  readonly #views = new Map<string, { view: KnownView; at: number }>();
  #prunedAt = 0;

  constructor({ db, now }: { db: Db; now: () => Date }) {
    this.#db = db;
    this.#now = now;
  }

  /** Undefined for an unknown one. */
  async find(token: string): Promise<KnownView | undefined> {
    const at = this.#now().getTime();
    if (Math.abs(at - this.#prunedAt) > KEPT_FOR) this.#prune(at);
    const hash = hashToken(token);
    const known = this.#views.get(hash);
    if (known) {
      known.at = at;
      return known.view;
    }
    const row = await this.#db.platform((tx) => tx.findOne(broadcastViewer, eq(broadcastViewer.tokenHash, hash)));
    if (row) this.keep(hash, row);
    return row;
  }

  /** Remembers a view that was made or changed. */
  keep(tokenHash: string, { id, tenantId, broadcastId, accountId, name }: KnownView): void {
    this.#views.set(tokenHash, { view: { id, tenantId, broadcastId, accountId, name }, at: this.#now().getTime() });
  }

  #prune(at: number): void {
    this.#prunedAt = at;
    for (const [hash, known] of this.#views) if (Math.abs(at - known.at) > KEPT_FOR) this.#views.delete(hash);
  }
}
