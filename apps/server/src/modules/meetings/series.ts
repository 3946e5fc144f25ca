import type { contract, Input, ReceivedFile } from '@rmeet/contract';
import { newId, type TenantTx } from '../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../platform/http/index.ts';
import { takeNumber } from './numbers.ts';
import type { OneMeeting } from './one-meeting.ts';
import { findMeeting } from './repo.ts';
import { expand } from './series-expand.ts';
import { insertMeetings, refuseOverlaps } from './series-meetings.ts';
import { insertSeries } from './series-repo.ts';
import type { MeetingRow } from './tables.ts';
import type { Body } from './type-rules.ts';

type UserContext = Context & { caller: UserCaller };
export type Recurrence = NonNullable<Input<typeof contract.meetings.createNetwork>['body']['recurrence']>;

/**
 * Books a series: its meetings are all made at once, so that rooms are taken and lists show them as they do other
 * meetings.
 *
 * @returns the first of its meetings
 * @throws AppError whatever its route declares
 */
export async function insertSeriesOf(
  tx: TenantTx,
  context: UserContext,
  deps: { oneMeeting: OneMeeting; now: Date },
  type: MeetingRow['type'],
  body: Body,
  { rule, except }: Recurrence,
  files: readonly ReceivedFile[],
): Promise<MeetingRow> {
  const { timeZone, subject } = body;
  const { userId: hostId } = context.caller;
  const start = new Date(body.startTime);
  const starts = expand({ start, timeZone, rule, except: except.map((time) => new Date(time)) });
  refuseOverlaps(starts, body.duration);
  const invitations = await deps.oneMeeting.check(
    tx,
    context,
    { type, hostId },
    { ...body, startTime: starts[0]?.toISOString() ?? body.startTime },
  );
  const number = await takeNumber(tx, deps.now, { kind: 'series' });
  const isoTimes = except.map((time) => new Date(time).toISOString());
  const series = await insertSeries(tx, {
    id: newId(),
    number,
    hostId,
    subject,
    startTime: start,
    timeZone,
    rule: rule.toUpperCase(),
    except: isoTimes,
    createdAt: deps.now,
  });
  const [first] = await insertMeetings(tx, context, deps, series, { type, body, invitations, files }, starts);
  // Approval may have been asked for since it was stored.
  const row = first && (await findMeeting(tx, first.id));
  if (!row) throw new AppError('SERIES_EMPTY');
  return row;
}
