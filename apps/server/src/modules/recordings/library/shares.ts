import { and, asc, eq, gt, isNull, or } from 'drizzle-orm';
import type { contract, Data, Input, RecordingShare } from '@rmeet/contract';
import { newId, type Db, type TenantTx } from '../../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../../platform/http/index.ts';
import { hashToken, newToken } from '../../../platform/secrets/index.ts';
import { findAccounts, hashPassword } from '../../accounts/users/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { recordingShare, type RecordingShareRow } from '../tables.ts';
import { managedRecording } from './access.ts';

type UserContext = Context<UserCaller>;
type ShareInput = Input<typeof contract.recordings.share>;

export interface ShareDeps {
  db: Db;
  now: () => Date;
  publicUrl: () => string | null;
}

async function presentShares(tx: TenantTx, rows: readonly RecordingShareRow[]): Promise<RecordingShare[]> {
  const people = await findAccounts(tx, [...new Set(rows.map(({ createdBy }) => createdBy))]);
  const names = new Map(people.map(({ id, name }) => [id, name]));
  return rows.map((row) => ({
    id: row.id,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    hasPassword: row.passwordHash !== null,
    maxViews: row.maxViews,
    views: row.views,
    download: row.download,
    watermark: row.watermark,
    createdAt: row.createdAt.toISOString(),
    createdBy: names.get(row.createdBy) ?? '',
  }));
}

/** Stores a link. @throws AppError NOT_FOUND (in the bin, too), FORBIDDEN, RECORDING_RUNNING */
async function addShare(
  tx: TenantTx,
  context: UserContext,
  { params: { id }, body }: ShareInput,
  stored: Pick<RecordingShareRow, 'tokenHash' | 'passwordHash' | 'createdAt'>,
): Promise<RecordingShare> {
  const row = await managedRecording(tx, context.caller, id);
  if (row.deletedAt !== null) throw new AppError('NOT_FOUND');
  if (row.state === 'recording' || row.state === 'processing') throw new AppError('RECORDING_RUNNING');
  const rows = await tx.insert(recordingShare, {
    id: newId(),
    recordingId: id,
    ...stored,
    expiresAt: body.expiresAt === null ? null : new Date(body.expiresAt),
    maxViews: body.maxViews,
    download: body.download,
    watermark: body.watermark,
    createdBy: context.caller.userId,
  });
  const [shown] = await presentShares(tx, rows);
  if (!shown) throw new Error('A link was not stored.');
  const { expiresAt, maxViews, download, watermark, hasPassword } = shown;
  await recordAudit(tx, context, stored.createdAt, {
    target: { kind: 'recording', id, name: row.subject },
    after: { expiresAt, maxViews, download, watermark, hasPassword },
  });
  return shown;
}

/** Links of recordings, for those who manage them. */
export function createShares({ db, now, publicUrl }: ShareDeps) {
  return {
    /** @throws AppError NOT_FOUND, FORBIDDEN */
    async shares({ caller }: UserContext, id: string): Promise<Data<typeof contract.recordings.shares>> {
      return db.tenant(caller.tenantId, async (tx) => {
        await managedRecording(tx, caller, id);
        const works = and(
          eq(recordingShare.recordingId, id),
          isNull(recordingShare.revokedAt),
          or(isNull(recordingShare.expiresAt), gt(recordingShare.expiresAt, now())),
        );
        const rows = await tx.find(recordingShare, works, {
          orderBy: [asc(recordingShare.createdAt), asc(recordingShare.id)],
        });
        return { records: await presentShares(tx, rows) };
      });
    },

    /** @throws AppError NOT_FOUND (in the bin, too), FORBIDDEN, RECORDING_RUNNING */
    async share(context: UserContext, input: ShareInput): Promise<Data<typeof contract.recordings.share>> {
      const { password } = input.body;
      const passwordHash = password === '' ? null : await hashPassword(password);
      const token = newToken();
      const stored = { tokenHash: hashToken(token), passwordHash, createdAt: now() };
      const shown = await db.tenant(context.caller.tenantId, (tx) => addShare(tx, context, input, stored));
      return { ...shown, link: `${publicUrl() ?? context.origin}/#/shareRecordDetails/${token}` };
    },

    /** @throws AppError NOT_FOUND, FORBIDDEN */
    async unshare(context: UserContext, id: string): Promise<void> {
      const { caller } = context;
      await db.tenant(caller.tenantId, async (tx) => {
        const share = await tx.findOne(recordingShare, eq(recordingShare.id, id));
        if (!share || share.revokedAt !== null) throw new AppError('NOT_FOUND');
        const row = await managedRecording(tx, caller, share.recordingId);
        await tx.update(recordingShare, { revokedAt: now() }, eq(recordingShare.id, id));
        await recordAudit(tx, context, now(), {
          target: { kind: 'recording', id: row.id, name: row.subject },
          before: { views: share.views },
        });
      });
    },
  };
}

export type Shares = ReturnType<typeof createShares>;
