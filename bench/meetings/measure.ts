import { percentile } from '../report.ts';
import type { Callers } from './callers.ts';
import type { Case } from './works.ts';

const RUNS = 60;
const WARM_UP = 5;
/** Maximum time for one case in both tenants: a case that takes too long is measured less often. */
const LONGEST = 4_000;
const PAGE_SIZE = 20;
/** This many of the first pages and of the last, in turn. */
const PAGES = 5;

/** A tenant of one size, with its callers and their inputs. */
export interface Tenant {
  callers: Callers;
  cases: readonly Case[];
}

export interface Times {
  p50: number;
  p99: number;
}
export interface Measured {
  name: string;
  small: Times;
  large: Times;
  ratio: number;
}

const timesOf = (times: readonly number[]): Times => ({ p50: percentile(times, 0.5), p99: percentile(times, 0.99) });

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

type TenantCase = readonly [Tenant, Tenant['cases'][number]];

/** The times of a case in both tenants, measured in turns. */
async function timesInTurns(
  [few, small]: TenantCase,
  [many, large]: TenantCase,
  pageOf: (tenant: number, run: number) => number,
): Promise<[number[], number[]]> {
  const runs = small.runs ?? RUNS;
  const times: [number[], number[]] = [[], []];
  const started = performance.now();
  for (
    let run = small.runs ? 0 : -WARM_UP;
    run < runs && (run < WARM_UP || performance.now() - started < LONGEST);
    run++
  ) {
    const turn = Math.abs(run);
    const pair = [
      await timed(() => small.work(few.callers, pageOf(0, turn), turn)),
      await timed(() => large.work(many.callers, pageOf(1, turn), turn)),
    ] as const;
    if (run >= 0) for (const tenant of [0, 1] as const) times[tenant].push(pair[tenant]);
  }
  return times;
}

/**
 * How long each case selected by `only` takes in both tenants, in turns, so that other work of the machine affects both
 * alike. For a list, the last pages offered by its total are a separate case.
 */
export async function measure(few: Tenant, many: Tenant, only: RegExp): Promise<Measured[]> {
  const found: Measured[] = [];
  for (const [i, small] of few.cases.entries()) {
    const large = many.cases[i];
    if (!large || !only.test(small.name)) continue;
    const last: number[] = [];
    for (const [{ callers }, { work }] of [
      [few, small],
      [many, large],
    ] as const)
      last.push(Math.max(1, Math.ceil(((await work(callers, 1, 0))?.total ?? 0) / PAGE_SIZE)));
    const isLong = small.isPaged && last.some((page) => page > PAGES);
    for (const isLast of isLong ? [false, true] : [false]) {
      const pageOf = (tenant: number, run: number): number => {
        const end = last[tenant] ?? 1;
        return isLast ? Math.max(1, end - (run % PAGES)) : 1 + (run % Math.min(PAGES, end));
      };
      const times = await timesInTurns([few, small], [many, large], pageOf);
      const [ofSmall, ofLarge] = [timesOf(times[0]), timesOf(times[1])];
      found.push({
        name: isLast ? `${small.name}, last pages` : small.name,
        small: ofSmall,
        large: ofLarge,
        ratio: ofLarge.p99 / ofSmall.p99,
      });
    }
  }
  return found;
}
