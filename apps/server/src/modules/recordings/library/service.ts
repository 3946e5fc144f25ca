import { and, asc, eq, isNull } from 'drizzle-orm';
import { TOTAL_COUNT_LIMIT, type contract, type Data, type HeldRecord, type Input } from '@rmeet/contract';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../../platform/http/index.ts';
import { tenantOf } from '../../accounts/tenants/index.ts';
import { changed, recordAudit } from '../../audit/index.ts';
import { findFiles } from '../../files/index.ts';
import { wasInside } from '../../history/index.ts';
import { findMeeting } from '../../meetings/index.ts';
import { recording, type RecordingRow } from '../tables.ts';
import { areOpenToParticipants, managedRecording, rightsTo, seenBy, watchedBy, type Seen } from './access.ts';
import type { Exports } from './exports.ts';
import { grantedTo } from './grants.ts';
import type { IndexFiles } from './index-file.ts';
import { presentRecordings } from './present.ts';
import { listRecordings, type RecordingQuery } from './repo.ts';
import { placesOf } from './texts.ts';
import { readChat } from './timeline/log.ts';
import { timelineOf } from './timeline/timeline.ts';
import { usageOf } from './usage.ts';

type UserContext = Context<UserCaller>;

export interface LibraryDeps {
  db: Db;
  indexes: IndexFiles;
  exports: Pick<Exports, 'editChanged'>;
  now: () => Date;
}

/** Files that were sent to all during a recording, for those who see the record of the conference, too. */
async function filesOf(tx: TenantTx, row: RecordingRow): Promise<Data<typeof contract.recordings.detail>['files']> {
  const ids = (await readChat(tx, row)).flatMap(({ fileId }) => fileId ?? []);
  const files = await findFiles(tx, ids);
  return ids.flatMap((id) => {
    const file = files.get(id);
    return file ? [{ id, name: file.name, size: file.size }] : [];
  });
}

/** Finds recordings, and tells what is known of one. */
// oxlint-disable-next-line max-lines-per-function -- the calls about recordings, each of them short
export function createLibrary({ db, indexes, exports, now }: LibraryDeps) {
  async function presentDetail(
    tx: TenantTx,
    caller: UserCaller,
    { row, manages }: Seen,
  ): Promise<Data<typeof contract.recordings.detail>> {
    const [shown] = await presentRecordings(tx, caller, [row]);
    if (!shown) throw new Error('A recording was lost while it was presented.');
    const { tracks } = await indexes.read(row);
    const seesRecord = manages || (await wasInside(tx, row.conferenceId, caller.userId));
    return {
      ...shown,
      edit: row.edit,
      tracks,
      granted: manages ? await grantedTo(tx, row.meetingId) : [],
      files: seesRecord ? await filesOf(tx, row) : [],
    };
  }

  return {
    async query({ caller }: UserContext, query: RecordingQuery): Promise<Data<typeof contract.recordings.queryRecord>> {
      return db.tenant(caller.tenantId, async (tx) => {
        const isOpen = areOpenToParticipants(await tenantOf(tx, caller.tenantId));
        const { rows, total } = await listRecordings(tx, caller, query, isOpen);
        const shown = await presentRecordings(tx, caller, rows);
        const places =
          query.keyword === ''
            ? undefined
            : await placesOf(
                tx,
                rows.map(({ id }) => id),
                query.keyword,
              );
        const page = {
          records: shown.map((one) => Object.assign(one, { found: places?.get(one.id) ?? [] })),
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
        return timelineOf(tx, row, { agenda: meeting?.agenda ?? '' }, await indexes.read(row), now());
      });
    },

    /** @throws AppError NOT_FOUND, FORBIDDEN, RECORDING_RUNNING for edits of a recording that runs */
    async change(
      context: UserContext,
      { params: { id }, body: { subject, setting, edit } }: Input<typeof contract.recordings.change>,
    ): Promise<Data<typeof contract.recordings.detail>> {
      const { caller } = context;
      return db.tenant(caller.tenantId, async (tx) => {
        const before = await managedRecording(tx, caller, id);
        const isRunning = before.state === 'recording' || before.state === 'processing';
        if (edit !== undefined && isRunning) throw new AppError('RECORDING_RUNNING');
        const values = {
          ...(subject === undefined ? {} : { subject }),
          ...(setting === undefined ? {} : setting),
          ...(edit === undefined ? {} : { edit }),
        };
        const [after] =
          Object.keys(values).length === 0 ? [before] : await tx.update(recording, values, eq(recording.id, id));
        if (!after) throw new Error('A recording was lost while it was changed.');
        if (edit !== undefined) await exports.editChanged(tx, after);
        await recordAudit(tx, context, now(), {
          target: { kind: 'recording', id, name: after.subject },
          ...changed(before, after, ['subject', 'download', 'watermark', 'edit']),
        });
        return presentDetail(tx, caller, await seenBy(tx, caller, id));
      });
    },

    async usage({ caller }: UserContext): Promise<Data<typeof contract.recordings.usage>> {
      return db.tenant(caller.tenantId, async (tx) => {
        const { recordings: enabled } = await tenantOf(tx, caller.tenantId);
        return { ...(await usageOf(tx)), enabled };
      });
    },

    /** The recordings of a conference that a person may watch, for its record. */
    async ofConference(tx: TenantTx, caller: UserCaller, conferenceId: string): Promise<HeldRecord['recordings']> {
      const there = and(eq(recording.conferenceId, conferenceId), isNull(recording.deletedAt));
      const rows = await tx.find(recording, there, { orderBy: [asc(recording.startedAt), asc(recording.id)] });
      const rights = await rightsTo(tx, caller, rows);
      return rows
        .filter(({ id }) => rights.get(id)?.watches)
        .map(({ id, subject, startedAt, duration }) => ({
          id,
          name: subject,
          startedAt: startedAt.toISOString(),
          duration: Math.round(duration / 1_000),
        }));
    },
  };
}

export type Library = ReturnType<typeof createLibrary>;
