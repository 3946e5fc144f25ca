import { and, asc, eq, gt, lt, lte, sql } from 'drizzle-orm';
import { drizzleOf, type Db, type Row, type TenantTx } from '../db/index.ts';
import { pushEvent, pushTopic } from './tables.ts';
import type { PushEvent } from './types.ts';

export const CHANNEL = 'rmeet_push';
/** How many events of a topic are kept. */
const KEPT = 1_000;
/** Events read at once. */
export const BATCH = 500;
const PRUNE_EVERY = 100;

export type StoredEvent = Row<typeof pushEvent>;
export interface TopicKey {
  tenantId: string;
  topic: string;
}

/**
 * Stores events with the topic's next versions and announces them at commit. The topic's row stays locked until then.
 *
 * @returns the version of the last
 */
export async function append(
  tx: TenantTx,
  topic: string,
  events: readonly PushEvent[],
  receiver: { termId?: string; userId?: string },
): Promise<number> {
  const count = events.length;
  const [row] = await tx.insert(
    pushTopic,
    { topic, version: count },
    {
      target: [pushTopic.tenantId, pushTopic.topic],
      set: { version: sql`${pushTopic.version} + ${count}` },
    },
  );
  if (!row) throw new Error(`Topic ${topic} belongs to another tenant.`);
  const { version } = row;
  const [termId, userId] = [receiver.termId ?? null, receiver.userId ?? null];
  await tx.insert(
    pushEvent,
    events.map((event, i) => ({ topic, version: version - count + 1 + i, event, termId, userId })),
  );
  const hundreds = (at: number): number => Math.floor(at / PRUNE_EVERY);
  if (hundreds(version) > hundreds(version - count))
    await tx.delete(pushEvent, and(eq(pushEvent.topic, topic), lte(pushEvent.version, version - KEPT)));
  await drizzleOf(tx).execute(sql`select pg_notify(${CHANNEL}, ${`${tx.tenantId} ${version} ${topic}`})`);
  return version;
}

/** The announcement in a NOTIFY's payload. */
export function parseAnnouncement(payload: string): TopicKey & { version: number } {
  const [tenantId = '', version = '', ...topic] = payload.split(' ');
  return { tenantId, version: Number(version), topic: topic.join(' ') };
}

/** The topic's newest version; 0 before the first event. */
export function versionOf(db: Db, { tenantId, topic }: TopicKey): Promise<number> {
  return db.tenant(tenantId, async (tx) => (await tx.findOne(pushTopic, eq(pushTopic.topic, topic)))?.version ?? 0);
}

/** The first BATCH events after a version, in order. */
export function eventsAfter(db: Db, { tenantId, topic }: TopicKey, version: number): Promise<StoredEvent[]> {
  return db.tenant(tenantId, (tx) =>
    tx.find(pushEvent, and(eq(pushEvent.topic, topic), gt(pushEvent.version, version)), {
      orderBy: asc(pushEvent.version),
      limit: BATCH,
    }),
  );
}

/** Deletes events that are too old to catch up with. */
export async function dropEventsBefore(db: Db, time: Date): Promise<void> {
  await db.platform((tx) => tx.delete(pushEvent, lt(pushEvent.createdAt, time)));
}
