import { eq } from 'drizzle-orm';
import type { contract, Input } from '@rmeet/contract';
import { allOf } from '../../../platform/db/conditions.ts';
import type { TenantTx } from '../../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../../platform/http/index.ts';
import { holdRooms } from '../../rooms/index.ts';
import type { FileChange, MeetingWriter } from '../booking/writer.ts';
import { meetingFile, meetingNumber, type MeetingRow } from '../tables.ts';
import type { Recurrence } from './book.ts';
import { expand } from './expand.ts';
import { insertMeetings, refuseOverlaps } from './meetings.ts';
import { insertSeries } from './repo.ts';

type UserContext = Context<UserCaller>;
type Edit = Omit<Input<typeof contract.meetings.update>['body'], 'scope' | 'recurrence'>;

/**
 * Turns a single meeting into the first of a series under its number, and adds the others. The series gets the
 * meeting's id, so that calendars recognize the event from earlier notices.
 *
 * @param before the meeting before the change, locked to the end of the transaction
 * @returns the meeting after the change
 * @throws AppError whatever its route declares; RECURRENCE_INVALID for a meeting of a series, whose rule is changed
 *   for several
 */
export async function makeSeriesOf(
  tx: TenantTx,
  context: UserContext,
  deps: { writer: MeetingWriter; now: Date },
  before: MeetingRow,
  body: Edit,
  { rule, except }: Recurrence,
  files?: FileChange,
): Promise<MeetingRow> {
  if (before.version !== body.version) throw new AppError('MEETING_CONFLICT');
  if (before.seriesId !== null) throw new AppError('RECURRENCE_INVALID');
  const { timeZone, subject } = body;
  const start = new Date(body.startTime);
  const [first, ...starts] = expand({ start, timeZone, rule, except: except.map((time) => new Date(time)) });
  if (!first) throw new AppError('SERIES_EMPTY');
  refuseOverlaps([first, ...starts], body.duration);
  const { id, type, number, hostId } = before;
  const asFirst = { ...body, startTime: first.toISOString() };
  const isoTimes = except.map((time) => new Date(time).toISOString());
  const series = await insertSeries(tx, {
    id,
    number,
    hostId,
    subject,
    startTime: start,
    timeZone,
    rule: rule.toUpperCase(),
    except: isoTimes,
    createdAt: deps.now,
  });
  await tx.update(
    meetingNumber,
    { kind: 'series' },
    allOf(eq(meetingNumber.number, number), eq(meetingNumber.kind, 'meeting')),
  );
  // Lock the rooms to be released and those that all meetings need, before any is released.
  await holdRooms(tx, [id], body.roomIds);
  const row = await deps.writer.change(tx, context, before, asFirst, files, {
    seriesId: series.id,
    recurrenceId: first,
  });
  const own = await tx.find(meetingFile, eq(meetingFile.meetingId, id));
  const invitations = await deps.writer.check(tx, context, row, asFirst, row);
  const pattern = {
    type,
    body,
    invitations,
    files: own
      .toSorted((a, b) => a.position - b.position)
      .map(({ name, size, storageKey }) => ({ name, size, key: storageKey })),
  };
  await insertMeetings(tx, context, deps, series, pattern, starts);
  return row;
}
