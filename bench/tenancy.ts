import { asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { createDatabase, startPostgres } from '@rmeet/testkit';
import { tenant } from '../apps/server/src/modules/accounts/tenants/tables.ts';
import { account } from '../apps/server/src/modules/accounts/users/tables.ts';
import { allOf } from '../apps/server/src/platform/db/conditions.ts';
import { drizzleOf, newId, openDb, searchPage, type Db, type TenantTx } from '../apps/server/src/platform/db/index.ts';
import { createLog } from '../apps/server/src/platform/log/log.ts';
import { pushEvent } from '../apps/server/src/platform/push/tables.ts';
import { median, type Benchmark, type Report } from './report.ts';

const RUNS = 300;
const SEARCHES = 25;
const BATCH = 5_000;
const SMALL = 1_000;
const LARGE = Number(process.env['RMEET_BENCH_ACCOUNTS'] ?? 100_000);
const LISTED = 20;

/** Keywords by their difficulty: how many names contain them, and too few characters for trigrams. */
const keywords = {
  'few of all': 'user4321',
  'two characters of a name': '晨曦',
  'one character of a name': '鑫',
  surname: '王',
  'no match': '龘龘',
  'in every address': 'example',
};

const users = allOf(eq(account.kind, 'user'), isNull(account.deletedAt));

/**
 * Adds a tenant with this many accounts: Chinese names (one in fourteen a 王, one in 2,500 a 晨曦 or 鑫), accounts
 * `user<n>`, mail addresses of one domain.
 */
async function addTenant(db: Db, name: string, accounts: number): Promise<string> {
  const tenantId = newId();
  await db.platform((tx) => tx.insert(tenant, { tenantId, name, createdAt: new Date() }));
  for (let first = 1; first <= accounts; first += BATCH) {
    await db.platform((tx) =>
      drizzleOf(tx).execute(sql`
      insert into account (id, tenant_id, account, name, email, phone, department, password_hash, created_at)
      select gen_random_uuid(), ${tenantId}::uuid, ${name}::text || '.user' || i,
        substr('王李张刘陈杨黄赵周吴徐孙马朱', i % 14 + 1, 1) || case i % 2500 when 7 then '晨曦' when 8 then '鑫' else chr(20000
        + i * 7919 % 3000) || chr((20000 + i * 104729::bigint % 3000)::int) end,
        'user' || i || '@example.org', '138' || lpad((i * 7907 % 100000000)::text, 8, '0'), '医院/外科/' || i % 50,
        '', now()
      from generate_series(${first}::int, ${Math.min(first + BATCH - 1, accounts)}::int) as i`),
    );
  }
  await db.platform((tx) => drizzleOf(tx).execute(sql`analyze account`));
  return tenantId;
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** The same work with and without row security in turns; the median of the pairs' times. */
async function compare(
  db: Db,
  tenantId: string,
  work: (tx: TenantTx) => Promise<unknown>,
): Promise<{ fenced: number; open: number }> {
  const [fenced, open]: number[][] = [[], []];
  for (let run = 0; run < RUNS; run++) {
    fenced?.push(await time(() => db.tenant(tenantId, work)));
    open?.push(await time(() => db.platform((tx) => work(tx.asTenant(tenantId)))));
  }
  return { fenced: median(fenced ?? []), open: median(open ?? []) };
}

/** One page of the users that contain the keyword, and their number. */
async function search(tx: TenantTx, keyword: string): Promise<void> {
  const orderBy = [asc(account.name), asc(account.id)];
  const { ids } = await searchPage(tx, [account.name, account.account, account.phone, account.email], keyword, {
    where: users,
    orderBy,
    limit: LISTED,
  });
  await tx.find(account, inArray(account.id, ids));
}

async function onDatabase(db: Db, report: Report): Promise<Record<string, number>> {
  const small = await addTenant(db, 'small', SMALL);
  const [one] = await db.tenant(small, (tx) => tx.find(account, undefined, { limit: 1 }));
  if (!one) throw new Error('There are no accounts.');
  const ratios: Record<string, number> = {};
  let version = 0;
  const works: Record<string, (tx: TenantTx) => Promise<unknown>> = {
    'point read': (tx) => tx.findOne(account, eq(account.id, one.id)),
    list: (tx) => tx.find(account, users, { orderBy: [asc(account.name), asc(account.id)], limit: LISTED }),
    insert: (tx) => tx.insert(pushEvent, { topic: 'bench', version: (version += 1), event: { type: 'bench' } }),
  };
  for (const [name, work] of Object.entries(works)) {
    const { fenced, open } = await compare(db, small, work);
    ratios[name] = fenced / open;
    report({ case: name, figure: 'without', value: open, unit: 'ms' });
    report({ case: name, figure: 'with', value: fenced, unit: 'ms' });
    report({ case: name, figure: 'ratio', value: fenced / open, unit: '' });
  }
  let large = '';
  report({
    case: `${LARGE} accounts`,
    figure: 'added in',
    value:
      (await time(async () => {
        large = await addTenant(db, 'large', LARGE);
      })) / 1000,
    unit: 's',
  });
  for (const [name, keyword] of Object.entries(keywords)) {
    const [among, few]: number[][] = [[], []];
    for (let run = 0; run < SEARCHES; run++) {
      among?.push(await time(() => db.tenant(large, (tx) => search(tx, keyword))));
      few?.push(await time(() => db.tenant(small, (tx) => search(tx, keyword))));
    }
    const figures = { [`among ${LARGE}`]: median(among ?? []), [`among ${SMALL}`]: median(few ?? []) };
    for (const [figure, value] of Object.entries(figures))
      report({ case: `search: ${name}`, figure, value, unit: 'ms' });
  }
  return ratios;
}

/** The cost of row security, and of searches by part of a text with it. */
const tenancy: Benchmark = async (report) => {
  const postgres = await startPostgres();
  try {
    const { db } = await openDb({ url: (await createDatabase(postgres.url)).url, log: createLog('bench', 'silent') });
    const ratios = await onDatabase(db, report);
    await db.close();
    return `A transaction with row security takes, times one without: ${Object.entries(ratios)
      .map(([name, ratio]) => `${name} ${ratio.toFixed(2)}`)
      .join(', ')}.`;
  } finally {
    await postgres.stop();
  }
};
export default tenancy;
