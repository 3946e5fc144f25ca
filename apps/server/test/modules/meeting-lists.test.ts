import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from 'drizzle-orm';
import { SEARCH_COUNT_LIMIT, TOTAL_COUNT_LIMIT, type Meeting } from '@rmeet/contract';
import { drizzleOf } from '../../src/platform/db/index.ts';
import { signIn, type Person } from './support/client.ts';
import { startTestServer, type TestServer } from './support/server.ts';

/** More than are checked one by one for a keyword, so that scans of lists are tested, too. */
const MANY = 18_000;

let server: TestServer;
let admin: Person;
let chair: Person;

interface Row {
  id: string;
  subject: string;
  number: string;
  host: string;
  type: string;
  status: string;
  start: number;
  end: number;
  duration: number;
  cancelled: boolean;
  chairs: boolean;
  held: { id: string; start: number; length: number } | null;
}
let rows: Row[];

beforeAll(async () => {
  server = await startTestServer();
  [admin, chair] = [await signIn(server, 'admin'), await signIn(server, 'chair')];
  const idOf = (account: string): string => server.people.get(account)?.id ?? '';
  const tenantId = server.people.get('chair')?.tenantId ?? '';
  const now = server.clock.now().toISOString();
  rows = await server.db.platform(async (tx) => {
    const drizzle = drizzleOf(tx);
    const random = sql`(hashint4(i) & 2147483647)`;
    await drizzle.execute(
      sql`insert into meeting_number (number, tenant_id, kind, created_at) select (300000000 + i)::text,
        ${tenantId}::uuid, 'meeting', now() from generate_series(1, ${MANY}::int) as i`,
    );
    await drizzle.execute(sql`
      insert into meeting (id, tenant_id, number, type, subject, start_time, duration, end_time, waiting_room,
      host_id, status, cancelled_at, created_at, updated_at)
      select gen_random_uuid(), ${tenantId}::uuid, (300000000 + i)::text, (array['NETWORK_MEETING',
      'VIDEO_MEETING', 'NETWORK_MEETING', 'PHONE_MEETING', 'LIVE_MEETING'])[${random} % 5 + 1],
        (array['Ward Round', 'ward round', '会诊', 'Budget'])[${random} % 4 + 1] || case when i % 1000 = 0 then
        ' 100%' else '' end || case when ${random} % 3 > 0 then ' plan' else '' end,
        at, minutes, at + minutes * interval '1 minute', true, case when i % 900 = 0 then ${idOf('chair')}::uuid
        when i % 7 = 0 then ${idOf('alice')}::uuid else ${idOf('bob')}::uuid end,
        case when i % 50 = 0 or at < ${now}::timestamptz then 'OFFLINE' when i % 40 = 1 then 'ONLINE' else
        'SCHEDULE' end, case when i % 50 = 0 then ${now}::timestamptz end, now(), now()
      from (select i, date_trunc('minute', ${now}::timestamptz) + (${random} % 20000 - 18000) * interval
      '2 minutes' as at, 15 + ${random} % 4 * 15 as minutes from generate_series(1, ${MANY}::int) as i) as made`);
    await drizzle.execute(sql`
      insert into conference (id, tenant_id, meeting_id, type, started_at, ended_at, end_reason)
      select gen_random_uuid(), tenant_id, id, type, start_time, end_time - (duration % 7) * interval '1 minute',
      'ended' from meeting where number::int % 3 > 0 and start_time < ${now}::timestamptz and number > '300000000'`);
    const found = (await drizzle.execute(sql`
      select meeting.id, subject, number, account.name as host, meeting.type, status, (extract(epoch from
      start_time) * 1000)::float8 as start, (extract(epoch from end_time) * 1000)::float8 as end,
      meeting.duration, cancelled_at is not null as cancelled,
        host_id = ${idOf('chair')}::uuid as chairs, case when conference.id is not null then
        json_build_object('id', conference.id, 'start', (extract(epoch from started_at) * 1000)::float8,
        'length', extract(epoch from ended_at - started_at)) end as held
      from meeting join account on account.id = host_id left join conference on conference.meeting_id =
      meeting.id where meeting.tenant_id = ${tenantId}::uuid`)) as {
      rows: Row[];
    };
    return found.rows;
  });
}, 120_000);
afterAll(() => server.close());

interface Query {
  scope?: 'all' | 'running' | 'today' | 'upcoming' | 'past';
  type?: Meeting['type'];
  status?: Meeting['status'];
  keyword?: string;
  sort?: 'startTime' | 'subject' | 'duration' | 'numericId';
  order?: 'ASC' | 'DESC';
  from?: string;
  until?: string;
}
const dayStart = () => new Date(new Date(server.clock.now()).setUTCHours(0, 0, 0, 0)).getTime();
const contains = ({ subject, number, host }: Row, keyword: string): boolean =>
  [subject, number, host].some((text) => text.toLowerCase().includes(keyword.toLowerCase()));
/** Compares like the database: by code point. */
const compare = <T extends number | string>(a: T, b: T): number => (a < b ? -1 : Number(a > b));

/** The list computed by checking every meeting. */
function naive(
  { scope = 'all', type, status, keyword, sort = 'startTime', order = 'ASC', from, until }: Query,
  isChair: boolean,
): Offered {
  const now = server.clock.now().getTime();
  const [start, end] = [dayStart(), dayStart() + 86_400_000];
  const inScope = (row: Row): boolean =>
    ({
      all: true,
      running: row.status === 'ONLINE',
      today: row.start < end && row.end > start,
      upcoming: row.status !== 'OFFLINE' && row.start >= end,
      past: row.status !== 'ONLINE' && (row.status === 'OFFLINE' || row.end <= now),
    })[scope];
  const key = (row: Row) =>
    ({ startTime: row.start, subject: row.subject, duration: row.duration, numericId: row.number })[sort];
  const found = rows.filter(
    (row) =>
      !row.cancelled &&
      inScope(row) &&
      (!isChair || row.chairs) &&
      (!type || row.type === type) &&
      (!status || row.status === status) &&
      (!from || row.end > Date.parse(from)) &&
      (!until || row.start < Date.parse(until)) &&
      (!keyword || contains(row, keyword)),
  );
  return offeredOf(
    found,
    (row) => row.start,
    { isLimited: keyword !== undefined && !isChair, isOldest: sort === 'startTime' && order === 'ASC' },
    (a, b) => (compare(key(a), key(b)) || compare(a.id, b.id)) * (order === 'DESC' ? -1 : 1),
  );
}

/** The offered part of the matching rows of a list, and their number. */
interface Offered {
  ids: string[];
  count: number;
  limit: number;
}

/** Of the tenant's rows that contain a keyword, the newest are offered, or the oldest if they come first. */
function offeredOf<T extends { id: string }>(
  found: readonly T[],
  time: (row: T) => number,
  { isLimited, isOldest }: { isLimited: boolean; isOldest: boolean },
  order: (a: T, b: T) => number,
): Offered {
  const inTime = found.toSorted((a, b) => (compare(time(a), time(b)) || compare(a.id, b.id)) * (isOldest ? 1 : -1));
  const offered = isLimited ? inTime.slice(0, SEARCH_COUNT_LIMIT) : inTime;
  return {
    ids: offered.sort(order).map(({ id }) => id),
    count: found.length,
    limit: isLimited ? SEARCH_COUNT_LIMIT : TOTAL_COUNT_LIMIT,
  };
}

/** The first page and the last counted one must equal those of the naive list. */
async function expectPages(
  { ids: expected, count, limit }: Offered,
  ask: (page: {
    current: number;
    size: number;
  }) => Promise<{ ids: string[]; total: number; totalIsLowerBound?: boolean | undefined }>,
): Promise<void> {
  const size = 30;
  const last = Math.max(1, Math.ceil(Math.min(count, limit) / size));
  for (const current of new Set([1, last])) {
    const { ids, total, totalIsLowerBound } = await ask({ current, size });
    expect(ids).toEqual(expected.slice((current - 1) * size, current * size));
    expect([total, totalIsLowerBound ?? false]).toEqual([Math.min(count, limit), count > limit]);
  }
}

const month = () => ({ from: server.clock.in(-20 * 1_440), until: server.clock.in(-10 * 1_440) });
const KEYWORDS = ['round', '会诊', 'ALICE', 'bob', '100%', '3000', '300012345', 'zebra'];
const cases: Query[] = [
  ...(['all', 'running', 'today', 'upcoming', 'past'] as const).flatMap((scope) =>
    (['startTime', 'subject', 'duration', 'numericId'] as const).map((sort, i) => ({
      scope,
      sort,
      order: i % 2 ? ('DESC' as const) : ('ASC' as const),
    })),
  ),
  ...(['VIDEO_MEETING', 'LOCAL_MEETING'] as const).flatMap((type) =>
    (['startTime', 'subject'] as const).map((sort) => ({ type, sort })),
  ),
  ...(['SCHEDULE', 'ONLINE', 'OFFLINE', 'PENDING'] as const).flatMap((status) => [
    { status },
    { status, sort: 'duration' as const, order: 'DESC' as const },
    { status, type: 'VIDEO_MEETING' as const },
  ]),
  ...KEYWORDS.flatMap((keyword) => [
    { keyword },
    { keyword, sort: 'subject' as const, order: 'DESC' as const, scope: 'past' as const },
    { keyword, type: 'LIVE_MEETING' as const },
  ]),
];

test.each(cases)(
  'a list of $scope $type $status $keyword by $sort $order equals a check of every meeting',
  async (query) => {
    const days = {
      dayStart: new Date(dayStart()).toISOString(),
      dayEnd: new Date(dayStart() + 86_400_000).toISOString(),
    };
    for (const [client, isChair] of [
      [admin, false],
      [chair, true],
    ] as const) {
      await expectPages(naive(query, isChair), async (page) => {
        const { records, ...sums } = await client.meetings.list({
          query: { ...query, ...days, ...page, ...(isChair ? {} : { tenantWide: 'true' }) },
        });
        return { ids: records.map(({ meetId }) => meetId), ...sums };
      });
    }
  },
);

test('a calendar of some days contains each meeting that overlaps them', async () => {
  for (const sort of ['startTime', 'subject'] as const) {
    const query = { ...month(), sort };
    await expectPages(naive(query, false), async (page) => {
      const { records, ...sums } = await admin.meetings.list({ query: { ...query, ...page, tenantWide: 'true' } });
      return { ids: records.map(({ meetId }) => meetId), ...sums };
    });
  }
});

interface HistoryQuery {
  keyword?: string;
  type?: Meeting['type'];
  sort?: 'startedAt' | 'duration';
  order?: 'ASC' | 'DESC';
  from?: string;
  until?: string;
}
function naiveHistory(
  { keyword, type, sort = 'startedAt', order = 'DESC', from, until }: HistoryQuery,
  isChair: boolean,
): Offered {
  const found = rows.flatMap((row) =>
    row.held &&
    (!isChair || row.chairs) &&
    (!type || row.type === type) &&
    (!keyword || contains(row, keyword)) &&
    (!from || row.held.start >= Date.parse(from)) &&
    (!until || row.held.start < Date.parse(until))
      ? [row.held]
      : [],
  );
  const key = (held: NonNullable<Row['held']>) => (sort === 'startedAt' ? held.start : held.length);
  return offeredOf(
    found,
    (held) => held.start,
    { isLimited: keyword !== undefined && !isChair, isOldest: sort === 'startedAt' && order === 'ASC' },
    (a, b) => (compare(key(a), key(b)) || compare(a.id, b.id)) * (order === 'DESC' ? -1 : 1),
  );
}

test.each([
  ...(['startedAt', 'duration'] as const).flatMap((sort) =>
    (['ASC', 'DESC'] as const).map((order) => ({ sort, order })),
  ),
  ...(['VIDEO_MEETING', 'LOCAL_MEETING'] as const).flatMap((type) =>
    (['startedAt', 'duration'] as const).map((sort) => ({ type, sort })),
  ),
  ...KEYWORDS.flatMap((keyword) => [
    { keyword },
    { keyword, sort: 'duration' as const, type: 'LIVE_MEETING' as const },
  ]),
])('the history of $type $keyword by $sort $order equals a check of every conference', async (query: HistoryQuery) => {
  for (const [client, isChair] of [
    [admin, false],
    [chair, true],
  ] as const) {
    for (const range of [{}, month()]) {
      await expectPages(naiveHistory({ ...query, ...range }, isChair), async (page) => {
        const { records, ...sums } = await client.history.list({
          query: { ...query, ...range, ...page, ...(isChair ? {} : { tenantWide: 'true' }) },
        });
        return { ids: records.map(({ id }) => id), ...sums };
      });
    }
  }
});
