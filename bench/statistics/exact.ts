import { isDeepStrictEqual } from 'node:util';
import { MEETING_TYPES, type contract, type Input, type StatisticFigures } from '@rmeet/contract';
import { sql } from 'drizzle-orm';
import { drizzleOf } from '../../apps/server/src/platform/db/index.ts';
import { dayOf, DEFAULT_ZONE, plusDays, startOf } from '../../apps/server/src/modules/statistics/calendar.ts';
import { randomOf } from '../../apps/server/test/platform/support/odd-targets.ts';
import { figuresOfDetails, rowsOf, type Cut } from '../../apps/server/test/modules/support/statistics.ts';
import type { TestServer } from '../../apps/server/test/modules/support/server.ts';

const SEED = 20_261_127;
export const CUTS = 100;
/** Days of details, of the longest cut, and of those at the end in which meetings may still run. */
const SPAN = { past: 729, longest: 62, open: 2 };
/** Days whose details are deleted, which are three or four months. */
const DELETED = 110;

type Totals = (query: Input<typeof contract.statistics.query>['query']) => Promise<StatisticFigures>;

interface Exactness {
  server: TestServer;
  now: number;
  totalsOf: Totals;
}

/** Whole months and weeks among other periods, so that people are compared too. */
function cutsOf(now: number): Cut[] {
  const random = randomOf(SEED);
  const under = (n: number): number => Math.floor(random() * n);
  const today = dayOf(new Date(now), DEFAULT_ZONE);
  return Array.from({ length: CUTS }, () => {
    const to = plusDays(today, -SPAN.open - under(SPAN.past - SPAN.longest - SPAN.open));
    const month = `${to.slice(0, 8)}01`;
    const isMonth = random() < 0.3;
    return {
      from: isMonth ? plusDays(month, -1).slice(0, 8).concat('01') : plusDays(to, -under(SPAN.longest)),
      to: isMonth ? plusDays(month, -1) : to,
      ...(random() < 0.5 ? { department: random() < 0.2 ? '医院' : `医院/科室 ${under(500)}` } : {}),
      ...(random() < 0.4 ? { type: MEETING_TYPES[under(MEETING_TYPES.length)] ?? MEETING_TYPES[0] } : {}),
    };
  });
}

/** Compares figures with plain SQL over the details. @throws Error for the first cut that differs */
export async function compareCuts({ server, now, totalsOf }: Exactness): Promise<void> {
  const [tenant] = await rowsOf<{ id: string }>(
    server,
    sql`select tenant_id::text as id from tenant where name = 'bench'`,
  );
  for (const cut of cutsOf(now)) {
    const { storageBytes: _, ...figures } = await totalsOf({ ...cut, unit: 'month' });
    const details = await figuresOfDetails(server, { ...cut, tenantId: tenant?.id ?? '', zone: DEFAULT_ZONE });
    if (!isDeepStrictEqual(figures, details))
      throw new Error(`${JSON.stringify(cut)} has ${JSON.stringify(figures)}, its details ${JSON.stringify(details)}.`);
  }
}

/**
 * Deletes the details of the oldest months, as retention does, and counts these days again. Returns how many
 * conferences were deleted. @throws Error if the figures of a month changed
 */
export async function compareAfterRetention(
  { server, now, totalsOf }: Exactness,
  recount: (span: { from: string; to: string }) => Promise<unknown>,
): Promise<number> {
  const first = plusDays(dayOf(new Date(now), DEFAULT_ZONE), -SPAN.past);
  const last = plusDays(first, DELETED);
  const until = startOf(plusDays(last, 1), DEFAULT_ZONE).toISOString();
  const read = () => totalsOf({ from: first, to: last, unit: 'month' });
  const before = await read();
  const deleted = await server.db.platform(async (tx) => {
    const drizzle = drizzleOf(tx);
    // The checks of foreign keys would take most of the time.
    await drizzle.execute(sql`set local session_replication_role = replica`);
    await drizzle.execute(sql`set local statement_timeout = 0`);
    const old = sql`(select id from conference where started_at < ${until}::timestamptz)`;
    await drizzle.execute(sql`delete from terminal_session where conference_id in ${old}`);
    const { rows } = (await drizzle.execute(
      sql`with gone as (delete from conference where started_at < ${until}::timestamptz returning 1)
        select count(*)::integer as n from gone`,
    )) as { rows: { n: number }[] };
    return rows[0]?.n ?? 0;
  });
  await recount({ from: first, to: last });
  const after = await read();
  if (deleted === 0 || !isDeepStrictEqual(after, before))
    throw new Error(`After retention ${JSON.stringify(after)}, before ${JSON.stringify(before)}.`);
  return deleted;
}
