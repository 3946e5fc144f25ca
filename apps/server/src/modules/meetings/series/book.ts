import type { contract, Input, ReceivedFile } from '@rmeet/contract';
import { newId, type TenantTx } from '../../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../../platform/http/index.ts';
import type { Body } from '../booking/type-rules.ts';
import type { MeetingWriter } from '../booking/writer.ts';
import { takeNumber } from '../fixed-number/numbers.ts';
import { findMeeting } from '../repo.ts';
import type { MeetingRow } from '../tables.ts';
import { expand } from './expand.ts';
import { insertMeetings, refuseOverlaps } from './meetings.ts';
import { insertSeries } from './repo.ts';

type UserContext = Context<UserCaller>;
export type Recurrence = NonNullable<Input<typeof contract.meetings.createNetwork>['body']['recurrence']>;

/**
 * Books a series. All its meetings are created at once, so that rooms are booked and lists show them like others.
 *
 * @returns the first of its meetings
 * @throws AppError whatever its route declares
 */
export async function insertSeriesOf(
  tx: TenantTx,
  context: UserContext,
  deps: { writer: MeetingWriter; now: Date },
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
  const invitations = await deps.writer.check(
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
  // Approval may have been requested since it was stored.
  const row = first && (await findMeeting(tx, first.id));
  if (!row) throw new AppError('SERIES_EMPTY');
  return row;
}
