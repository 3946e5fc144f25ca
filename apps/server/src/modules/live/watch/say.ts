import { and, desc, eq, inArray } from 'drizzle-orm';
import { type BroadcastMessage, type contract, type Input } from '@rmeet/contract';
import { newId, type TenantTx } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/http/index.ts';
import { presentMessage } from '../messages.ts';
import { broadcast, broadcastMessage, broadcastViewer, type BroadcastRow, type BroadcastViewerRow } from '../tables.ts';

type Said = Pick<Input<typeof contract.watch.say>['body'], 'kind' | 'text'>;

/** All open pages of the person of a view. */
async function viewsOf(tx: TenantTx, view: BroadcastViewerRow): Promise<BroadcastViewerRow[]> {
  if (view.accountId === null) return [view];
  return tx.find(
    broadcastViewer,
    and(eq(broadcastViewer.broadcastId, view.broadcastId), eq(broadcastViewer.accountId, view.accountId)),
  );
}

/** @throws AppError WATCH_SLOW */
async function checkPace(
  tx: TenantTx,
  { slowSeconds }: BroadcastRow,
  views: readonly BroadcastViewerRow[],
  now: Date,
): Promise<void> {
  if (slowSeconds === 0) return;
  const ids = views.map(({ id }) => id);
  const last = await tx.findOne(broadcastMessage, inArray(broadcastMessage.viewerId, ids), {
    orderBy: desc(broadcastMessage.at),
  });
  const left = last ? last.at.getTime() + slowSeconds * 1_000 - now.getTime() : 0;
  if (left > 0) throw new AppError('WATCH_SLOW', { seconds: Math.ceil(left / 1_000) });
}

/**
 * Stores what a viewer writes.
 *
 * @param isHost the viewer manages the broadcast: is never held back
 * @throws AppError WATCH_ENDED, WATCH_NAME, WATCH_MUTED, WATCH_CHAT_OFF, WATCH_SLOW
 */
export async function say(
  tx: TenantTx,
  view: { id: string; broadcastId: string },
  { kind, text }: Said,
  { isHost, now }: { isHost: boolean; now: Date },
): Promise<BroadcastMessage> {
  // Locked, so that versions are in the order in which they can be read, and nobody writes twice at once.
  const row = await tx.findOne(broadcast, eq(broadcast.id, view.broadcastId), { lock: 'no key update' });
  const viewer = await tx.findOne(broadcastViewer, eq(broadcastViewer.id, view.id));
  if (!row || !viewer) throw new AppError('WATCH_ENDED');
  const isOff = kind === 'chat' ? row.chat === 'off' : !row.questions;
  if (isOff || row.state === 'ended') throw new AppError('WATCH_CHAT_OFF');
  if (viewer.name === '') throw new AppError('WATCH_NAME');
  const views = await viewsOf(tx, viewer);
  if (views.some(({ mutedAt }) => mutedAt !== null)) throw new AppError('WATCH_MUTED');
  if (!isHost) await checkPace(tx, row, views, now);
  const version = row.version + 1;
  await tx.update(broadcast, { version }, eq(broadcast.id, row.id));
  const [stored] = await tx.insert(broadcastMessage, {
    id: newId(),
    broadcastId: row.id,
    viewerId: viewer.id,
    name: viewer.name,
    isHost,
    kind,
    state: row.chat === 'held' && !isHost ? 'held' : 'shown',
    text,
    version,
    at: now,
  });
  if (!stored) throw new Error('A message was not stored.');
  return presentMessage(stored);
}
