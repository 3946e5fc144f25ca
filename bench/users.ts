import { constants, publicEncrypt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contract, createClient } from '@rmeet/contract';
import { createDatabase, startPostgres } from '@rmeet/testkit';
import { sql } from 'drizzle-orm';
import { tenant } from '../apps/server/src/modules/accounts/tenants/tables.ts';
import { hashPassword } from '../apps/server/src/modules/accounts/users/index.ts';
import { drizzleOf, newId, type Db } from '../apps/server/src/platform/db/index.ts';
import { startTestServer, type TestServer } from '../apps/server/test/modules/support/server.ts';
import { median, type Benchmark, type Report } from './report.ts';
import { sender } from './send.ts';

const SMALL = 1_000;
const LARGE = Number(process.env['RMEET_BENCH_ACCOUNTS'] ?? 100_000);
const RUNS = 25;
const PASSWORD = 'Bench-password-1';
const DEPARTMENTS = 500;
const PIECE = 2_000;
/** Like addTenant's statement: one of fourteen surnames, and one of 3,000 given names. */
const nameOf = (i: number): string => {
  const given = [7_919, 104_729].map((step) => 20_000 + (((i % 3_000) * step) % 3_000));
  return `${'王李张刘陈杨黄赵周吴徐孙马朱'.charAt(i % 14)}${String.fromCodePoint(...given)}`;
};
const NAME = nameOf(7);
const GOAL = 2;

/** Statistics, and the search index without pending entries, as maintenance leaves them. */
async function settle(db: Db): Promise<void> {
  await db.platform(async (tx) => {
    await drizzleOf(tx).execute(sql`analyze account, account_role, department`);
    await drizzleOf(tx).execute(sql`select gin_clean_pending_list('account_search_idx')`);
  });
}

/**
 * Adds a tenant with this many users: Chinese names (nameOf), accounts `<name>.user<n>`, phone numbers, mail addresses
 * of one domain, and the role of every user. The first one administers it. All share one password.
 */
async function addTenant(db: Db, name: string, users: number, passwordHash: string): Promise<void> {
  const tenantId = newId();
  await db.platform((tx) => tx.insert(tenant, { tenantId, name, createdAt: new Date() }));
  // In pieces, because a statement may take a minute at most.
  for (let from = 1; from <= users; from += PIECE) {
    await db.platform((tx) =>
      drizzleOf(tx).execute(sql`
      insert into account (id, tenant_id, account, name, email, phone, department, password_hash, created_at,
      last_login_at, is_tenant_admin)
      select gen_random_uuid(), ${tenantId}::uuid, ${name}::text || '.user' || i,
        substr('王李张刘陈杨黄赵周吴徐孙马朱', i % 14 + 1, 1) || chr(20000 + i % 3000 * 7919 % 3000) || chr(20000 + i % 3000 *
        104729 % 3000),
        'user' || i || '@example.org', '138' || lpad((i * 7907::bigint % 100000000)::text, 8, '0'), '医院/科室 ' || i
        % ${DEPARTMENTS}::int, ${passwordHash}::text,
        now() - i * interval '1 minute', case when i % 3 > 0 then now() - i * interval '1 second' end, i = 1
      from generate_series(${from}::int, ${Math.min(from + PIECE - 1, users)}::int) as i`),
    );
  }
  await db.platform(async (tx) => {
    const drizzle = drizzleOf(tx);
    await drizzle.execute(
      sql`insert into department select distinct tenant_id, department from account where tenant_id =
        ${tenantId}::uuid and department <> ''`,
    );
    await drizzle.execute(
      sql`insert into account_role select account.tenant_id, account.id, role.id from account, role where
        account.tenant_id = ${tenantId}::uuid and role.is_default and role.kind = 'user'`,
    );
  });
  await settle(db);
}

/** Typed calls over HTTP as the administrator of a tenant. */
async function administrator({ origin }: TestServer, tenantName: string) {
  let token = '';
  const send = sender(origin, () => token);
  const [auth, users] = [createClient(contract.auth, send), createClient(contract.users, send)];
  const { publicKey } = await auth.loginMode({ query: {} });
  // Each ciphertext can be used for one sign-in.
  const password = () =>
    publicEncrypt(
      { key: publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
      Buffer.from(PASSWORD),
    ).toString('base64');
  const signIn = () =>
    auth.login({ body: { account: `${tenantName}.user1`, password: password(), deviceId: `bench ${tenantName}` } });
  ({ token } = await signIn());
  return { users, signIn };
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function onDatabase(
  server: TestServer,
  report: Report,
): Promise<{ ratios: Record<string, number>; slowest: number }> {
  const passwordHash = await hashPassword(PASSWORD);
  await addTenant(server.db, 'small', SMALL, passwordHash);
  report({
    case: `${LARGE} users`,
    figure: 'added in',
    value: (await time(() => addTenant(server.db, 'large', LARGE, passwordHash))) / 1_000,
    unit: 's',
  });
  const [small, large] = [await administrator(server, 'small'), await administrator(server, 'large')];
  type Works = typeof small;
  const list =
    (query: Parameters<Works['users']['list']>[0]['query']) =>
    ({ users }: Works) =>
      users.list({ query });
  const works: Record<string, (as: Works) => Promise<unknown>> = {
    list: list({}),
    'list by last sign-in': list({ sort: 'lastLoginAt', order: 'DESC' }),
    'list of enabled ones': list({ status: 'enabled' }),
    'list of a department': list({ department: '医院/科室 7' }),
    'search, three characters of a name': list({ keyword: NAME }),
    'search, two characters of a name': list({ keyword: NAME.slice(1) }),
    'search, one character of a name': list({ keyword: NAME.slice(2) }),
    'search, no match': list({ keyword: '龘龘' }),
    'search of colleagues, two characters of a name': ({ users }) =>
      users.search({ query: { keyword: NAME.slice(1) } }),
    'department tree': ({ users }) => users.departments({ query: {} }),
    'sign-in': ({ signIn }) => signIn(),
  };
  // The total counts up to 10,000, so these count at least ten times as many rows as the small tenant has.
  const frequent: typeof works = {
    'frequent, one in 90': list({ keyword: 'r77' }),
    'frequent, one in 14, a surname': list({ keyword: '王' }),
    'frequent, everybody': list({ keyword: 'example' }),
    'frequent, colleagues of a surname': ({ users }) => users.search({ query: { keyword: '王' } }),
  };
  const ratios: Record<string, number> = {};
  let slowest = 0;
  for (const [name, work] of Object.entries({ ...works, ...frequent })) {
    const [few, many]: number[][] = [[], []];
    // In turns, so that other work of the machine affects both; the first ones warm up.
    for (let run = -2; run < RUNS; run++) {
      const pair = [await time(() => work(small)), await time(() => work(large))] as const;
      if (run < 0) continue;
      few?.push(pair[0]);
      many?.push(pair[1]);
    }
    const [less, more] = [median(few ?? []), median(many ?? [])];
    if (name in works) ratios[name] = more / less;
    else slowest = Math.max(slowest, more);
    report({ case: name, figure: `median of ${SMALL}`, value: less, unit: 'ms' });
    report({ case: name, figure: `median of ${LARGE}`, value: more, unit: 'ms' });
    report({ case: name, figure: 'ratio', value: more / less, unit: '' });
  }
  return { ratios, slowest };
}

/** A tenant of 100,000 users against one of 1,000, over HTTP. */
const users: Benchmark = async (report) => {
  const postgres = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'rmeet-bench-'));
  try {
    const server = await startTestServer({
      store: { folder, databaseUrl: (await createDatabase(postgres.url)).url, remove: async () => undefined },
    });
    const { ratios, slowest } = await onDatabase(server, report);
    await server.close();
    const [worst = '', ratio = Number.NaN] = Object.entries(ratios).toSorted(([, a], [, b]) => b - a)[0] ?? [];
    return (
      `${LARGE} users take at worst ${ratio.toFixed(2)} times as long as ${SMALL} (${worst}; goal: ${GOAL}), ` +
      `and ${slowest.toFixed(0)} ms for the keyword of everybody.`
    );
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};
export default users;
