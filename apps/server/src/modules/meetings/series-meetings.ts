import type { ReceivedFile } from '@rmeet/contract';
import { newId, type TenantTx } from '../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../platform/http/index.ts';
import { approvalRule } from '../approvals/tables.ts';
import { meetingTerminal } from '../terminals/tables.ts';
import { askApproval } from './approvals.ts';
import { chooseTerminals } from './called-terminals.ts';
import { addFiles } from './files.ts';
import type { OneMeeting } from './one-meeting.ts';
import type { Invitation } from './repo.ts';
import { bookResource, terminalsExpected } from './resources.ts';
import { inParts, inviteToAll } from './series-repo.ts';
import { bookRoomsOfAll } from './series-rooms.ts';
import { endTimeOf } from './status.ts';
import { meeting, type MeetingRow, type MeetingSeriesRow } from './tables.ts';
import type { Body } from './type-rules.ts';

type UserContext = Context & { caller: UserCaller };

/** What meetings of a series are made of, besides when they start. */
export interface Pattern {
  type: MeetingRow['type'];
  body: Body;
  invitations: readonly Invitation[];
  files: readonly ReceivedFile[];
}

/** @throws AppError SERIES_OVERLAPS where one of the meetings begins before the one before it ends */
export function refuseOverlaps(starts: readonly Date[], duration: number): void {
  if (starts.some((start, at) => at > 0 && start < endTimeOf(starts[at - 1] as Date, duration)))
    throw new AppError('SERIES_OVERLAPS');
}

/** Asks for approval of meetings, where the tenant has rules for that. */
export async function askApprovals(
  tx: TenantTx,
  rows: readonly MeetingRow[],
  people: (row: MeetingRow) => number,
  now: Date,
): Promise<void> {
  if (rows.every(({ approval }) => approval === 'none') && !(await tx.findOne(approvalRule))) return;
  for (const row of rows) await askApproval(tx, row, people(row), now);
}

/** Makes the same terminals those of several meetings. @throws AppError TERMINAL_UNKNOWN */
export async function chooseTerminalsOfAll(
  tx: TenantTx,
  meetingIds: readonly string[],
  terminalIds: readonly string[],
): Promise<void> {
  const [first, ...others] = meetingIds;
  if (first === undefined) return;
  await chooseTerminals(tx, first, terminalIds);
  const rows = others.flatMap((meetingId) =>
    [...new Set(terminalIds)].map((terminalId, position) => ({ meetingId, terminalId, position })),
  );
  for (const part of inParts(rows)) await tx.insert(meetingTerminal, part);
}

/** Stores the meetings of a series, all of them or none; in a few statements, however many they are. */
export async function insertMeetings(
  tx: TenantTx,
  context: UserContext,
  { oneMeeting, now }: { oneMeeting: OneMeeting; now: Date },
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
      ...oneMeeting.detailsOf(tx, body, id),
      startTime,
      endTime: endTimeOf(startTime, body.duration),
    };
  });
  const rows = await tx.insert(meeting, values);
  const ids = rows.map(({ id }) => id);
  await inviteToAll(tx, ids, invitations);
  if (body.terminalIds.length > 0) await chooseTerminalsOfAll(tx, ids, body.terminalIds);
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
  await askApprovals(tx, rows, () => terminalsExpected(invitations, body), now);
  return rows;
}
