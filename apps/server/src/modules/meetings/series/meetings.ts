import { newId, type TenantTx } from '../../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../../platform/http/index.ts';
import { approvalRule } from '../../approvals/tables.ts';
import { bookResource, terminalsExpected } from '../../resources/index.ts';
import { bookRoomsOfAll } from '../../rooms/index.ts';
import { setTerminalsOfAll } from '../../terminals/index.ts';
import { requestApproval } from '../booking/approvals.ts';
import type { Body } from '../booking/type-rules.ts';
import type { MeetingWriter } from '../booking/writer.ts';
import { addFiles, type BookedFile } from '../files/files.ts';
import type { Invitation } from '../repo.ts';
import { endTimeOf } from '../status.ts';
import { meeting, type MeetingRow, type MeetingSeriesRow } from '../tables.ts';
import { inviteToAll } from './repo.ts';

type UserContext = Context<UserCaller>;

/** What the meetings of a series have in common, apart from their starts. */
export interface Pattern {
  type: MeetingRow['type'];
  body: Body;
  invitations: readonly Invitation[];
  files: readonly BookedFile[];
}

/** @throws AppError SERIES_OVERLAPS if a meeting begins before the previous one ends */
export function refuseOverlaps(starts: readonly Date[], duration: number): void {
  if (starts.some((start, at) => at > 0 && start < endTimeOf(starts[at - 1] as Date, duration)))
    throw new AppError('SERIES_OVERLAPS');
}

/** Requests approval of meetings, if the tenant has rules for that. */
export async function requestApprovals(
  tx: TenantTx,
  rows: readonly MeetingRow[],
  people: (row: MeetingRow) => number,
  now: Date,
): Promise<void> {
  if (rows.every(({ approval }) => approval === 'none') && !(await tx.findOne(approvalRule))) return;
  for (const row of rows) await requestApproval(tx, row, people(row), now);
}

/** Stores the meetings of a series, all or none, in a few statements for any number of meetings. */
export async function insertMeetings(
  tx: TenantTx,
  context: UserContext,
  { writer, now }: { writer: MeetingWriter; now: Date },
  series: MeetingSeriesRow,
  { type, body, invitations, files }: Pattern,
  starts: readonly Date[],
): Promise<MeetingRow[]> {
  if (starts.length === 0) return [];
  const { id: seriesId, number, hostId } = series;
  const values = starts.map((startTime) => {
    const id = newId();
    return {
      id,
      hostId,
      type,
      number,
      seriesId,
      recurrenceId: startTime,
      createdAt: now,
      ...writer.detailsOf(tx, body, id),
      startTime,
      endTime: endTimeOf(startTime, body.duration),
    };
  });
  const rows = await tx.insert(meeting, values);
  const ids = rows.map(({ id }) => id);
  await inviteToAll(tx, ids, invitations);
  if (body.terminalIds.length > 0) await setTerminalsOfAll(tx, ids, body.terminalIds);
  await bookRoomsOfAll(
    tx,
    rows.map((row) => ({ ...row, roomIds: body.roomIds })),
    { locale: context.locale, timeZone: series.timeZone, isNew: true },
  );
  await bookResource(tx, rows, {
    resourceId: body.resourceId,
    ports: terminalsExpected(invitations, body),
    isNew: true,
  });
  if (files.length > 0) for (const id of ids) await addFiles(tx, id, files, now);
  await requestApprovals(tx, rows, () => terminalsExpected(invitations, body), now);
  return rows;
}
