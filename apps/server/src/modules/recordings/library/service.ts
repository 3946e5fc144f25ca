import { eq } from 'drizzle-orm';
import { TOTAL_COUNT_LIMIT, type contract, type Data } from '@rmeet/contract';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import type { Context, UserCaller } from '../../../platform/http/index.ts';
import { tenantOf } from '../../accounts/tenants/index.ts';
import { findAccounts } from '../../accounts/users/index.ts';
import { findMeeting } from '../../meetings/index.ts';
import { recordingGrant } from '../tables.ts';
import { areOpenToParticipants, seenBy, watchedBy, type Seen } from './access.ts';
import type { IndexFiles } from './index-file.ts';
import { presentRecordings } from './present.ts';
import { listRecordings, type RecordingQuery } from './repo.ts';
import { timelineOf } from './timeline/timeline.ts';

type UserContext = Context<UserCaller>;

export interface LibraryDeps {
  db: Db;
  indexes: IndexFiles;
  now: () => Date;
}

/** The accounts that a meeting's recordings were granted to, without former members. */
async function grantedTo(tx: TenantTx, meetingId: string): Promise<{ userId: string; name: string }[]> {
  const grants = await tx.find(recordingGrant, eq(recordingGrant.meetingId, meetingId));
  const accounts = await findAccounts(
    tx,
    grants.map(({ accountId }) => accountId),
  );
  return accounts.filter(({ deletedAt }) => deletedAt === null).map(({ id, name }) => ({ userId: id, name }));
}

/** Finds recordings, and tells what is known of one. */
export function createLibrary({ db, indexes }: LibraryDeps) {
  async function presentDetail(
    tx: TenantTx,
    caller: UserCaller,
    { row, manages }: Seen,
  ): Promise<Data<typeof contract.recordings.detail>> {
    const [shown] = await presentRecordings(tx, caller, [row]);
    if (!shown) throw new Error('A recording was lost while it was presented.');
    const { tracks } = await indexes.read(row);
    return { ...shown, edit: row.edit, tracks, granted: manages ? await grantedTo(tx, row.meetingId) : [], files: [] };
  }

  return {
    async query({ caller }: UserContext, query: RecordingQuery): Promise<Data<typeof contract.recordings.queryRecord>> {
      return db.tenant(caller.tenantId, async (tx) => {
        const isOpen = areOpenToParticipants(await tenantOf(tx, caller.tenantId));
        const { rows, total } = await listRecordings(tx, caller, query, isOpen);
        const shown = await presentRecordings(tx, caller, rows);
        const page = {
          records: shown.map((one) => ({ ...one, found: [] })),
          total: Math.min(total, TOTAL_COUNT_LIMIT),
          current: query.current,
          size: query.size,
        };
        return total > TOTAL_COUNT_LIMIT ? { ...page, totalIsLowerBound: true } : page;
      });
    },

    /** @throws AppError NOT_FOUND */
    async detail({ caller }: UserContext, id: string): Promise<Data<typeof contract.recordings.detail>> {
      return db.tenant(caller.tenantId, async (tx) => presentDetail(tx, caller, await seenBy(tx, caller, id)));
    },

    /** @throws AppError NOT_FOUND */
    async timeline({ caller }: UserContext, id: string): Promise<Data<typeof contract.recordings.timeline>> {
      return db.tenant(caller.tenantId, async (tx) => {
        const { row } = await watchedBy(tx, caller, id);
        const meeting = await findMeeting(tx, row.meetingId);
        return timelineOf(tx, row, { agenda: meeting?.agenda ?? '' }, await indexes.read(row));
      });
    },
  };
}

export type Library = ReturnType<typeof createLibrary>;
