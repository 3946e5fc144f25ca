import {
  HISTORY_ALL,
  RECORD_CHAT,
  type contract,
  type Data,
  type HeldConference,
  type HeldRecord,
  type Input,
} from '@rmeet/contract';
import type { Db, TenantTx } from '../../platform/db/index.ts';
import { AppError, type Context, type FileAnswer, type UserCaller } from '../../platform/http/index.ts';
import type { Storage } from '../../platform/storage/index.ts';
import { findMessageOfFile, findMessages, isVisibleTo, presentMessages } from '../conferences/index.ts';
import type { ConferenceRow } from '../conferences/tables.ts';
import { answerWithFile, findFile } from '../files/index.ts';
import { grantedOf, relationIn } from '../meetings/index.ts';
import type { MeetingRow } from '../meetings/tables.ts';
import { findAccounts } from '../accounts/users/index.ts';
import { attendanceOf } from './attendance.ts';
import { exportAnswer } from './export.ts';
import { proceedingsOf } from './proceedings.ts';
import {
  countPeople,
  findBetween,
  findHeld,
  findMeetings,
  findMoves,
  findProceedings,
  findQuality,
  findSessions,
  listHistory,
  terminalsOf,
  wasInside,
  type HistoryQuery,
} from './repo.ts';

type UserContext = Context & { caller: UserCaller };

/** Conferences whose people are counted in one statement. */
const BATCH = 1_000;

interface Held {
  row: ConferenceRow;
  meeting: MeetingRow;
  host: string;
  people: number;
  seesAll: boolean;
}

function presentHeld({ row, meeting, host, people, seesAll }: Held, now: Date): HeldConference {
  const end = row.endedAt ?? now;
  return {
    id: row.id,
    meetId: meeting.id,
    numericId: meeting.number,
    type: meeting.type,
    subject: meeting.subject,
    host: { userId: meeting.hostId, name: host },
    startedAt: row.startedAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    duration: Math.max(0, Math.round((end.getTime() - row.startedAt.getTime()) / 1_000)),
    peakTerminals: row.peakTerminals,
    people,
    endReason: row.endReason,
    seesAll,
  };
}

/** Whether the caller has the rights of the meeting's host. */
const seesAllOf = ({ userId, isTenantAdmin }: UserCaller, meeting: MeetingRow, granted: ReadonlySet<string>): boolean =>
  isTenantAdmin || meeting.hostId === userId || granted.has(meeting.id);

async function presentAll(
  tx: TenantTx,
  rows: readonly ConferenceRow[],
  caller: UserCaller,
  now: Date,
): Promise<HeldConference[]> {
  const records: HeldConference[] = [];
  for (let i = 0; i < rows.length; i += BATCH) {
    const batch = rows.slice(i, i + BATCH);
    const meetings = new Map(
      (await findMeetings(tx, [...new Set(batch.map(({ meetingId }) => meetingId))])).map((row) => [row.id, row]),
    );
    const people = await countPeople(
      tx,
      batch.map(({ id }) => id),
    );
    const granted = caller.isTenantAdmin ? new Set<string>() : await grantedOf(tx, [...meetings.keys()], caller.userId);
    const hosts = await findAccounts(tx, [...new Set([...meetings.values()].map(({ hostId }) => hostId))]);
    const names = new Map(hosts.map(({ id, name }) => [id, name]));
    for (const row of batch) {
      const meeting = meetings.get(row.meetingId);
      if (!meeting) throw new Error('A conference without its meeting was found.');
      records.push(
        presentHeld(
          {
            row,
            meeting,
            host: names.get(meeting.hostId) ?? '',
            people: people.get(row.id) ?? 0,
            seesAll: seesAllOf(caller, meeting, granted),
          },
          now,
        ),
      );
    }
  }
  return records;
}

/** Everything about who was present in a conference, and when. */
async function presenceIn(tx: TenantTx, { id, endedAt }: ConferenceRow) {
  return {
    sessions: await findSessions(tx, id),
    moves: await findMoves(tx, id),
    quality: await findQuality(tx, id),
    endedAt,
  };
}

/**
 * A conference and its meeting, if the caller may see its record.
 *
 * @throws AppError NOT_FOUND
 */
async function visibleRecord(
  tx: TenantTx,
  caller: UserCaller,
  id: string,
): Promise<{ row: ConferenceRow; meeting: MeetingRow }> {
  const row = await findHeld(tx, id);
  const [meeting] = row ? await findMeetings(tx, [row.meetingId]) : [];
  if (!row || !meeting) throw new AppError('NOT_FOUND');
  if ((await relationIn(tx, caller, meeting)) === 'none' && !(await wasInside(tx, id, caller.userId)))
    throw new AppError('NOT_FOUND');
  return { row, meeting };
}

/** The chat of past and running conferences with its files. */
function createRecordChat({ db, storage }: { db: Db; storage: Storage }) {
  return {
    /** @throws AppError NOT_FOUND for a conference that is not visible to the caller */
    async chat({ caller }: UserContext, id: string): Promise<Data<typeof contract.history.chat>> {
      return db.tenant(caller.tenantId, async (tx) => {
        await visibleRecord(tx, caller, id);
        const rows = await findMessages(tx, id, null, await terminalsOf(tx, id, caller.userId), RECORD_CHAT + 1);
        return {
          messages: await presentMessages(tx, rows.slice(-RECORD_CHAT)),
          isCut: rows.length > RECORD_CHAT,
        };
      });
    },

    /** A file of a chat. @throws AppError NOT_FOUND if its message is not visible to the caller */
    async file({ caller }: UserContext, id: string, { preview }: { preview: boolean }): Promise<FileAnswer> {
      const file = await db.tenant(caller.tenantId, async (tx) => {
        const found = await findFile(tx, id);
        if (found?.purpose !== 'chat') throw new AppError('NOT_FOUND');
        await visibleRecord(tx, caller, found.subjectId);
        const message = await findMessageOfFile(tx, found.subjectId, id);
        if (!message || !isVisibleTo(message, await terminalsOf(tx, found.subjectId, caller.userId)))
          throw new AppError('NOT_FOUND');
        return found;
      });
      return answerWithFile(storage, file, { preview });
    },
  };
}

interface HistoryDeps {
  db: Db;
  storage: Storage;
  now: () => Date;
  /** The recordings of a conference that the caller may watch (module recordings, which builds on this one). */
  recordingsOf: (tx: TenantTx, caller: UserCaller, conferenceId: string) => Promise<HeldRecord['recordings']>;
}

/** The record of one conference, for pages and as a workbook. */
function createRecords({ db, now, recordingsOf }: Omit<HistoryDeps, 'storage'>) {
  async function read(tx: TenantTx, caller: UserCaller, id: string): Promise<HeldRecord> {
    const { row, meeting } = await visibleRecord(tx, caller, id);
    const [held] = await presentAll(tx, [row], caller, now());
    if (!held) throw new Error('A conference was lost while it was presented.');
    const presence = await presenceIn(tx, row);
    const attendance = attendanceOf(presence, { userId: caller.userId, seesAll: held.seesAll }, now());
    return {
      ...held,
      bookedStart: meeting.startTime.toISOString(),
      bookedMinutes: meeting.duration,
      attendance,
      recordings: await recordingsOf(tx, caller, id),
    };
  }
  return {
    /** @throws AppError NOT_FOUND for a conference that is not visible to the caller */
    record: ({ caller }: UserContext, id: string): Promise<HeldRecord> =>
      db.tenant(caller.tenantId, (tx) => read(tx, caller, id)),

    /** The record as a workbook. @throws AppError NOT_FOUND as `record` */
    async export({ caller, locale, signal }: UserContext, id: string): Promise<FileAnswer> {
      const { record, proceedings } = await db.tenant(caller.tenantId, async (tx) => {
        const found = await read(tx, caller, id);
        if (!found.seesAll) return { record: found, proceedings: null };
        const names = new Map((await findSessions(tx, id)).map(({ termId, name }) => [termId, name]));
        return { record: found, proceedings: proceedingsOf(await findProceedings(tx, id), names) };
      });
      return exportAnswer({ record, proceedings, locale, signal });
    },
  };
}

/** Past and running conferences; docs/decisions/history.md describes who sees what. */
export function createHistoryService({ db, storage, now, recordingsOf }: HistoryDeps) {
  return {
    async list({ caller }: UserContext, query: HistoryQuery): Promise<Data<typeof contract.history.list>> {
      const isTenantWide = query.tenantWide && caller.isTenantAdmin;
      return db.tenant(caller.tenantId, async (tx) => {
        const { rows, total, limit } = await listHistory(tx, query, isTenantWide ? null : caller.userId);
        const page = {
          records: await presentAll(tx, rows, caller, now()),
          total: Math.min(total, limit),
          current: query.current,
          size: query.size,
        };
        return total > limit ? { ...page, totalIsLowerBound: true } : page;
      });
    },

    async all(
      { caller }: UserContext,
      { startDate, endDate, type }: Input<typeof contract.history.all>['query'],
    ): Promise<Data<typeof contract.history.all>> {
      const range = { from: new Date(startDate), until: new Date(endDate) };
      return db.tenant(caller.tenantId, async (tx) => {
        const rows = await findBetween(
          tx,
          range,
          type,
          caller.isTenantAdmin ? null : caller.userId,
          HISTORY_ALL.rows + 1,
        );
        return {
          records: await presentAll(tx, rows.slice(0, HISTORY_ALL.rows), caller, now()),
          isCut: rows.length > HISTORY_ALL.rows,
        };
      });
    },

    ...createRecords({ db, now, recordingsOf }),
    ...createRecordChat({ db, storage }),
  };
}

export type HistoryService = ReturnType<typeof createHistoryService>;
