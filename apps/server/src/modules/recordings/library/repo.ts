import { and, eq, gte, inArray, isNotNull, isNull, lt, ne, sql, type SQL } from 'drizzle-orm';
import { TOTAL_COUNT_LIMIT, type contract, type Input } from '@rmeet/contract';
import { pageOfParts, type TenantTx } from '../../../platform/db/index.ts';
import { meeting } from '../../meetings/tables.ts';
import { recording, type RecordingRow } from '../tables.ts';
import { managedBy, visibleTo, type Person } from './access.ts';
import { foundIn } from './texts.ts';

export type RecordingQuery = Input<typeof contract.recordings.searchRecord>['body'];

const SORTS = {
  startTime: recording.startedAt,
  duration: recording.duration,
  bytes: recording.bytes,
  subject: recording.subject,
} as const;

/** Which recordings a filter offers a person. */
function offered(person: Person, { filter }: RecordingQuery, isOpen: boolean): SQL | undefined {
  if (filter === 'bin') return and(isNotNull(recording.deletedAt), managedBy(person));
  return and(
    isNull(recording.deletedAt),
    filter === 'mine' ? eq(recording.hostId, person.userId) : undefined,
    filter === 'granted' ? ne(recording.hostId, person.userId) : undefined,
    // An administrator may watch everything: what was granted is what others are offered, too.
    visibleTo(filter === 'granted' ? { ...person, isTenantAdmin: false } : person, isOpen),
  );
}

function conditionOf(person: Person, query: RecordingQuery, isOpen: boolean, found: SQL | undefined): SQL | undefined {
  const { state, type, meetId, from, to } = query;
  return and(
    eq(recording.isGone, false),
    offered(person, query, isOpen),
    state ? eq(recording.state, state) : undefined,
    meetId ? eq(recording.meetingId, meetId) : undefined,
    from ? gte(recording.startedAt, new Date(from)) : undefined,
    to ? lt(recording.startedAt, new Date(to)) : undefined,
    type
      ? sql`(select ${meeting.type} from ${meeting} where ${meeting.id} = ${recording.meetingId}) = ${type}`
      : undefined,
    found,
  );
}

/** One page of the recordings that a person is offered, and their number, counted to one past TOTAL_COUNT_LIMIT. */
export async function listRecordings(
  tx: TenantTx,
  person: Person,
  query: RecordingQuery,
  isOpen: boolean,
): Promise<{ rows: RecordingRow[]; total: number }> {
  const { sort, order, size, current } = query;
  const found = query.keyword === '' ? undefined : await foundIn(tx, query.keyword);
  const where = conditionOf(person, query, isOpen, found);
  const ids = await pageOfParts(tx, recording, [where], {
    sort: SORTS[sort],
    order: order === 'asc' ? 'ASC' : 'DESC',
    limit: size,
    offset: (current - 1) * size,
  });
  const page = ids.length === 0 ? [] : await tx.find(recording, inArray(recording.id, ids));
  const rows = new Map(page.map((row) => [row.id, row]));
  return {
    rows: ids.flatMap((id) => rows.get(id) ?? []),
    total: await tx.count(recording, where, TOTAL_COUNT_LIMIT + 1),
  };
}
