import { and, asc, eq, gt, inArray } from 'drizzle-orm';
import {
  BROADCAST_LIMITS,
  type BroadcastMessage,
  type contract,
  type Data,
  type Input,
  type ModeratedMessage,
} from '@rmeet/contract';
import type { TenantTx } from '../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../platform/http/index.ts';
import { recordAudit } from '../audit/index.ts';
import { managedBy } from './access.ts';
import type { BroadcastDeps } from './service.ts';
import { broadcast, broadcastMessage, broadcastViewer, type BroadcastMessageRow } from './tables.ts';

type UserContext = Context<UserCaller>;

export function presentMessage(row: BroadcastMessageRow): BroadcastMessage {
  const { id, version, kind, state, at, name, isHost, text, answer } = row;
  const isDeleted = state === 'deleted';
  return {
    id,
    version,
    kind,
    state,
    at: at.toISOString(),
    name,
    isHost,
    text: isDeleted ? '' : text,
    answer: isDeleted ? null : answer,
  };
}

async function presentModerated(tx: TenantTx, rows: readonly BroadcastMessageRow[]): Promise<ModeratedMessage[]> {
  const ids = [...new Set(rows.map(({ viewerId }) => viewerId))];
  const views = ids.length === 0 ? [] : await tx.find(broadcastViewer, inArray(broadcastViewer.id, ids));
  const muted = new Set(views.filter(({ mutedAt }) => mutedAt !== null).map(({ id }) => id));
  return rows.map((row) => ({
    ...presentMessage(row),
    viewerId: row.viewerId,
    isMuted: muted.has(row.viewerId),
  }));
}

/** Stops the author of a message from writing, on all pages that the account has open, or permits it again. */
async function mute(tx: TenantTx, viewerId: string, mutedAt: Date | null): Promise<void> {
  const [view] = await tx.update(broadcastViewer, { mutedAt }, eq(broadcastViewer.id, viewerId));
  if (!view || view.accountId === null) return;
  const { broadcastId, accountId } = view;
  await tx.update(
    broadcastViewer,
    { mutedAt },
    and(eq(broadcastViewer.broadcastId, broadcastId), eq(broadcastViewer.accountId, accountId)),
  );
}

/** What moderators see and decide. */
export function createModeration({ db, now, forget }: BroadcastDeps) {
  return {
    /** @throws AppError NOT_FOUND, FORBIDDEN */
    async messages(
      { caller }: UserContext,
      id: string,
      since: number,
    ): Promise<Data<typeof contract.broadcasts.messages>> {
      return db.tenant(caller.tenantId, async (tx) => {
        const { row } = await managedBy(tx, caller, id, false);
        const changed = and(eq(broadcastMessage.broadcastId, id), gt(broadcastMessage.version, since));
        const rows = await tx.find(broadcastMessage, changed, {
          orderBy: asc(broadcastMessage.version),
          limit: BROADCAST_LIMITS.messages,
        });
        const isAll = rows.length < BROADCAST_LIMITS.messages;
        return {
          messages: await presentModerated(tx, rows),
          version: isAll ? Math.max(row.version, since) : (rows.at(-1)?.version ?? since),
        };
      });
    },

    /** @throws AppError NOT_FOUND, FORBIDDEN */
    async moderate(
      context: UserContext,
      { params: { id, messageId }, body: { state, answer, muted } }: Input<typeof contract.broadcasts.moderate>,
    ): Promise<ModeratedMessage> {
      const { caller } = context;
      return db.tenant(caller.tenantId, async (tx) => {
        const { row, meeting } = await managedBy(tx, caller, id);
        const ofThis = and(eq(broadcastMessage.id, messageId), eq(broadcastMessage.broadcastId, id));
        const before = await tx.findOne(broadcastMessage, ofThis);
        if (!before) throw new AppError('NOT_FOUND');
        const version = row.version + 1;
        await tx.update(broadcast, { version }, eq(broadcast.id, id));
        const values = { version, ...(state && { state }), ...(answer === undefined ? {} : { answer }) };
        const [after] = await tx.update(broadcastMessage, values, eq(broadcastMessage.id, messageId));
        if (!after) throw new Error('A message was lost while it was changed.');
        if (muted !== undefined) await mute(tx, before.viewerId, muted ? now() : null);
        await recordAudit(tx, context, now(), {
          target: { kind: 'broadcast', id, name: meeting.subject },
          before: { state: before.state, answer: before.answer },
          after: {
            by: before.name,
            state: after.state,
            answer: after.answer,
            ...(muted === undefined ? {} : { muted }),
          },
        });
        tx.afterCommit(() => forget(id));
        const [shown] = await presentModerated(tx, [after]);
        if (!shown) throw new Error('A message was lost while it was presented.');
        return shown;
      });
    },
  };
}

export type Moderation = ReturnType<typeof createModeration>;
