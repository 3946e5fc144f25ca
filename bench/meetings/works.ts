import type { Page } from '@rmeet/contract';
import type { Caller, Callers } from './callers.ts';
import type { Filled } from './fill.ts';

/** One call; `page` is one of those a list offers, `run` makes one request differ from the next. */
export type Work = (callers: Callers, page: number, run: number) => Promise<Pick<Page<unknown>, 'total'> | undefined>;

/** The calls: for lists both the first pages and the last ones offered by the total. */
export interface Case {
  name: string;
  work: Work;
  isPaged: boolean;
  /** Fewer runs than others, if calls per minute are limited. */
  runs?: number;
}

type ListQuery = NonNullable<NonNullable<Parameters<Caller['meetings']['list']>[0]>['query']>;
type HistoryQuery = NonNullable<NonNullable<Parameters<Caller['history']['list']>[0]>['query']>;
const WHO = { person: 'a person', secretary: 'a secretary', admin: 'the tenant' } as const;
type Who = keyof typeof WHO;
const EVERYBODY: readonly Who[] = ['person', 'secretary', 'admin'];

const DAY = 86_400_000;
const LIMITED_RUNS = 25;
const iso = (at: number): string => new Date(at).toISOString();

/**
 * All features of list, search, calendar and history: each filter, sort and kind of paging, for people with few
 * meetings, with many and with all.
 */
// oxlint-disable-next-line max-lines-per-function -- one flat list of cases
export function casesOf({ now, numbers, conferenceIds, hostNames }: Filled): Case[] {
  const cases: Case[] = [];
  const midnight = Math.floor(now / DAY) * DAY;
  const day = { dayStart: iso(midnight), dayEnd: iso(midnight + DAY) };
  const month = (run: number) => {
    const from = midnight - (run % 12) * 30 * DAY;
    return { from: iso(from), until: iso(from + 31 * DAY) };
  };
  const wide = (who: Who) => (who === 'admin' ? { tenantWide: 'true' } : {});

  function list(name: string, callers: readonly Who[], query: (run: number) => ListQuery): void {
    for (const who of callers) {
      cases.push({
        name: `${name}, ${WHO[who]}`,
        isPaged: true,
        work: (all, current, run) => all[who].meetings.list({ query: { ...query(run), ...wide(who), current } }),
      });
    }
  }
  function history(name: string, callers: readonly Who[], query: (run: number) => HistoryQuery): void {
    for (const who of callers) {
      cases.push({
        name: `${name}, ${WHO[who]}`,
        isPaged: true,
        work: (all, current, run) => all[who].history.list({ query: { ...query(run), ...wide(who), current } }),
      });
    }
  }
  function once(name: string, work: (callers: Callers, run: number) => Promise<unknown>, runs?: number): void {
    cases.push({
      name,
      isPaged: false,
      work: async (callers, _page, run) => void (await work(callers, run)),
      ...(runs === undefined ? {} : { runs }),
    });
  }

  for (const scope of ['all', 'running', 'today', 'upcoming', 'past'] as const)
    list(`list ${scope}`, EVERYBODY, () => ({ scope, order: scope === 'past' ? 'DESC' : 'ASC', ...day }));
  for (const sort of ['subject', 'duration', 'numericId'] as const) {
    list(`list by ${sort}`, EVERYBODY, () => ({ sort }));
    list(`list upcoming by ${sort}`, ['admin'], () => ({ scope: 'upcoming', ...day, sort, order: 'DESC' }));
    list(`list past by ${sort}`, ['admin'], () => ({ scope: 'past', ...day, sort }));
    list(`list a month by ${sort}`, ['admin'], (run) => ({ ...month(run), sort }));
  }
  for (const type of ['VIDEO_MEETING', 'LIVE_MEETING', 'LOCAL_MEETING'] as const) {
    list(`list ${type}`, ['secretary', 'admin'], () => ({ type }));
    list(`list past ${type}`, ['admin'], () => ({ type, scope: 'past', ...day, order: 'DESC' }));
    list(`list ${type} by subject`, ['admin'], () => ({ type, sort: 'subject' }));
  }
  for (const status of ['SCHEDULE', 'ONLINE', 'OFFLINE'] as const) {
    for (const order of ['ASC', 'DESC'] as const) list(`list ${status} ${order}`, ['admin'], () => ({ status, order }));
    list(`list ${status} by duration`, ['admin'], () => ({ status, sort: 'duration' }));
    list(`list ${status} VIDEO_MEETING`, ['admin'], () => ({ status, type: 'VIDEO_MEETING' }));
  }

  const keywords: Record<string, (run: number) => string> = {
    'a number': (run) => numbers[run % numbers.length] ?? '',
    'a part of numbers': (run) => String(1_000 + ((run * 37) % 1_000)),
    'a rare subject': (run) => `case ${1_000 + run}`,
    'an uncommon subject': (run) => `case ${run % 10}`,
    'a frequent subject': () => 'round',
    'two characters': () => '会诊',
    'one character': () => '会',
    "everybody's": () => '1',
    'a host': (run) => hostNames[run % hostNames.length] ?? '',
    'a family name': () => '王',
    'no match': () => '龘龘',
  };
  for (const [name, keyword] of Object.entries(keywords)) {
    list(`search ${name}`, ['person', 'secretary'], (run) => ({ keyword: keyword(run) }));
    list(`search ${name}`, ['admin'], (run) => ({ keyword: keyword(run), order: 'DESC' }));
    list(`search ${name} by subject`, ['admin'], (run) => ({ keyword: keyword(run), sort: 'subject' }));
    list(`search ${name} upcoming`, ['admin'], (run) => ({ keyword: keyword(run), scope: 'upcoming', ...day }));
    list(`search ${name} VIDEO_MEETING`, ['admin'], (run) => ({ keyword: keyword(run), type: 'VIDEO_MEETING' }));
    history(`search ${name} in history`, ['person', 'admin'], (run) => ({ keyword: keyword(run) }));
    history(`search ${name} in history by duration`, ['admin'], (run) => ({ keyword: keyword(run), sort: 'duration' }));
  }
  // A text in every future meeting and in no past one, like text from templates.
  history('search what was never held in history', ['admin'], () => ({ keyword: 'planned' }));

  for (const who of EVERYBODY)
    once(`month, ${WHO[who]}`, (callers, run) =>
      callers[who].meetings.list({ query: { ...month(run), size: 200, ...wide(who) } }),
    );
  once('month, the tenant, fifth page', ({ admin }, run) =>
    admin.meetings.list({ query: { ...month(run), size: 200, current: 5, tenantWide: 'true' } }),
  );
  for (const order of ['DESC', 'ASC'] as const) {
    history(`history ${order}`, EVERYBODY, () => ({ order }));
    history(`history by duration ${order}`, EVERYBODY, () => ({ sort: 'duration', order }));
  }
  history('history of a month', EVERYBODY, (run) => ({ from: month(run).from, until: month(run).until }));
  history('history of a month by duration', EVERYBODY, (run) => ({
    from: month(run).from,
    until: month(run).until,
    sort: 'duration',
  }));
  for (const type of ['VIDEO_MEETING', 'LIVE_MEETING', 'LOCAL_MEETING'] as const) {
    history(`history ${type}`, EVERYBODY, () => ({ type }));
    history(`history ${type} by duration`, ['admin'], () => ({ type, sort: 'duration' }));
    history(`history ${type} of a month`, ['admin'], (run) => ({
      type,
      from: month(run).from,
      until: month(run).until,
    }));
  }
  for (const who of ['person', 'secretary'] as const) {
    once(
      `historyAll of a month, ${WHO[who]}`,
      (callers, run) => callers[who].history.all({ query: { startDate: month(run).from, endDate: month(run).until } }),
      LIMITED_RUNS,
    );
  }
  once('history record', ({ admin }, run) =>
    admin.history.record({ query: { id: conferenceIds[run % conferenceIds.length] ?? '' } }),
  );
  for (const who of ['person', 'secretary'] as const)
    once(`activity, ${WHO[who]}`, (callers) =>
      callers[who].meetings.activity({ query: { startDate: iso(midnight - 2 * DAY) } }),
    );
  return cases;
}
