import {
  MEASURES,
  TOTAL_COUNT_LIMIT,
  type contract,
  type Data,
  type Input,
  type Locale,
  type StatisticsAnswer,
} from '@rmeet/contract';
import type { Db } from '../../platform/db/index.ts';
import { listAnswer, type ListColumn } from '../../platform/export/index.ts';
import { AppError, FileAnswer, type AccountCaller, type Context } from '../../platform/http/index.ts';
import { findTenant } from '../accounts/tenants/index.ts';
import { tenantMeant } from '../accounts/users/index.ts';
import { recordAudit } from '../audit/index.ts';
import { readBreakdown } from './breakdown.ts';
import { dayOf, DEFAULT_ZONE, monthsOf, spanBefore } from './calendar.ts';
import { countSpan, type Recount } from './counting.ts';
import { lastCounted, readSeries, readTotals, type Reader } from './figures.ts';
import { readMeetingsBehind } from './meetings.ts';
import { readReport, reportPdf } from './report.ts';
import { findSettings } from './settings.ts';
import { statisticSetting } from './tables.ts';
import { MEASURE_WORDS, reportWord } from './words.ts';

type AccountContext = Context<AccountCaller>;
type Calls = typeof contract.statistics;
type SeriesQuery = Input<Calls['query']>['query'];
type Bucket = StatisticsAnswer['buckets'][number];

interface StatisticsDeps {
  db: Db;
  now: () => Date;
}

/** The name of a list or report with its period. */
const fileName = ({ from, to }: SeriesQuery | Input<Calls['report']>['query'], locale: Locale): string =>
  `${reportWord('title', locale)} ${from} - ${to}`;

const COLUMNS: readonly ListColumn<Bucket>[] = [
  { zh: '日期', en: 'Date', width: 12, cell: ({ start }) => start },
  ...MEASURES.map((measure) => ({
    zh: MEASURE_WORDS[measure].zh,
    en: MEASURE_WORDS[measure].en,
    width: 18,
    cell: ({ figures }: Bucket) => figures[measure],
  })),
];

async function* inTurn<T>(items: readonly T[]): AsyncGenerator<T> {
  for (const item of items) yield item;
}

type Reading = <T>(
  context: AccountContext,
  tenantId: string | undefined,
  work: (reader: Reader) => Promise<T>,
) => Promise<T>;

/** Users read their own tenant, whatever they name; operators the one they name, or all. */
const readingOf =
  (db: Db): Reading =>
  ({ caller }, tenantId, work) => {
    if (caller.kind === 'user') return db.tenant(caller.tenantId, work);
    return tenantId === undefined ? db.platform(work) : db.tenant(tenantId, work);
  };

/** The zone of the one tenant that is read; null for all. */
async function zoneOf({ caller }: AccountContext, tenantId: string | undefined, reader: Reader) {
  if (caller.kind === 'operator' && tenantId === undefined) return null;
  const [row] = await reader.find(statisticSetting);
  return row?.timeZone ?? DEFAULT_ZONE;
}

/** The figures as files. */
function createFiles({ db, now }: Pick<StatisticsDeps, 'db' | 'now'>) {
  const reading = readingOf(db);

  async function listOf(context: AccountContext, query: SeriesQuery, format: 'xlsx' | 'csv'): Promise<FileAnswer> {
    const { locale, signal } = context;
    const { tenantId, unit, ...cut } = query;
    const items = inTurn(await reading(context, tenantId, (reader) => readSeries(reader, unit, cut)));
    const title = { zh: fileName(query, 'zh'), en: fileName(query, 'en') };
    const sheet = { zh: reportWord('title', 'zh'), en: reportWord('title', 'en') };
    return listAnswer({ title, sheet, columns: COLUMNS, items, locale, signal, format });
  }

  return {
    export: (context: AccountContext, query: SeriesQuery): Promise<FileAnswer> => listOf(context, query, 'xlsx'),
    text: (context: AccountContext, query: SeriesQuery): Promise<FileAnswer> => listOf(context, query, 'csv'),

    async report(context: AccountContext, query: Input<Calls['report']>['query']): Promise<FileAnswer> {
      const { locale, caller } = context;
      const { tenantId, ...cut } = query;
      const named = caller.kind === 'user' ? caller.tenantId : tenantId;
      const owner =
        named === undefined
          ? reportWord('platform', locale)
          : ((await db.tenant(named, (tx) => findTenant(tx, named)))?.name ?? '');
      const report = await reading(context, tenantId, (reader) => readReport(reader, cut, { owner, locale }));
      return new FileAnswer({
        name: `${fileName(query, locale)}.pdf`,
        type: 'application/pdf',
        body: await reportPdf(report, now()),
      });
    },
  };
}

/** Counts days again by hand. */
const createRecount =
  ({ db, now }: StatisticsDeps) =>
  /** @throws AppError TENANT_REQUIRED, NOT_FOUND */
  async (context: AccountContext, { tenantId: given, from, to }: Input<Calls['recount']>['body']): Promise<Recount> => {
    const tenantId = tenantMeant(context.caller, given);
    const at = now();
    const { name, timeZone } = await db.tenant(tenantId, async (tx) => {
      const found = await findTenant(tx, tenantId);
      if (!found) throw new AppError('NOT_FOUND');
      return { name: found.name, timeZone: (await findSettings(tx)).timeZone };
    });
    const today = dayOf(at, timeZone);
    const done: Recount = { counted: 0, kept: 0 };
    // A month at a time, so that no transaction is long.
    for (const month of from > today ? [] : monthsOf({ from, to: to < today ? to : today })) {
      const { counted, kept } = await db.tenant(tenantId, (tx) => countSpan(tx, { ...month, timeZone, now: at }));
      done.counted += counted;
      done.kept += kept;
    }
    await db.tenant(tenantId, (tx) =>
      recordAudit(tx, context, at, {
        target: { kind: 'tenant', id: tenantId, name },
        after: { from, to, ...done },
      }),
    );
    return done;
  };

/** What happened in meetings over time. */
export function createStatistics({ db, now }: StatisticsDeps) {
  const reading = readingOf(db);
  return {
    query: (context: AccountContext, { tenantId, unit, ...cut }: SeriesQuery): Promise<StatisticsAnswer> =>
      reading(context, tenantId, async (reader) => {
        const before = spanBefore(cut);
        const timeZone = await zoneOf(context, tenantId, reader);
        const countedAt = await lastCounted(reader);
        return {
          period: { from: cut.from, to: cut.to },
          before,
          unit,
          timeZone,
          countedAt: countedAt?.toISOString() ?? null,
          isRunning: cut.to >= dayOf(now(), timeZone ?? DEFAULT_ZONE),
          totals: await readTotals(reader, cut),
          totalsBefore: await readTotals(reader, { ...cut, ...before }),
          buckets: await readSeries(reader, unit, cut),
        };
      }),

    breakdown: (
      context: AccountContext,
      { tenantId, by, ...cut }: Input<Calls['breakdown']>['query'],
    ): Promise<Data<Calls['breakdown']>> => reading(context, tenantId, (reader) => readBreakdown(reader, by, cut)),

    async meetings(
      context: AccountContext,
      { tenantId, ...query }: Input<Calls['meetings']>['query'],
    ): Promise<Data<Calls['meetings']>> {
      const { records, total } = await reading(context, tenantId, (reader) => readMeetingsBehind(reader, query, now()));
      const { current, size } = query;
      const page = { records, total: Math.min(total, TOTAL_COUNT_LIMIT), current, size };
      return total > TOTAL_COUNT_LIMIT ? { ...page, totalIsLowerBound: true } : page;
    },

    ...createFiles({ db, now }),
    recount: createRecount({ db, now }),
  };
}

export type StatisticsService = ReturnType<typeof createStatistics>;
