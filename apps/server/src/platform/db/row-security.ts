import { sql } from 'drizzle-orm';
import { sqlError } from './errors.ts';
import type { Drizzle } from './scope.ts';
import { APPEND_ONLY_TABLES, APPLICATION_ROLE, PLATFORM_TENANT_ID, SHARED_TABLES } from './shared.ts';

/** The tenant of the transaction in the policies; outside a tenant transaction it matches no row. */
const TENANT = `nullif(current_setting('rmeet.tenant_id', true), '')::uuid`;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type Transaction = <T>(work: (tx: Drizzle) => Promise<T>) => Promise<T>;

/** The role of tenant transactions is missing or not effective, and this connection has no right to fix that. */
export class NoApplicationRole extends Error {
  constructor(user: string, role: Role | undefined) {
    super(
      role && (role.isSuper || role.bypasses)
        ? `The database's role ${APPLICATION_ROLE} can bypass row security. An administrator of the database must ` +
            `run: alter role ${APPLICATION_ROLE} nosuperuser nobypassrls;`
        : `The database's role ${APPLICATION_ROLE} is missing or not granted, and ${user} may not change that. An ` +
            `administrator of the database must run: create role ${APPLICATION_ROLE} nologin nosuperuser ` +
            `nobypassrls; grant ${APPLICATION_ROLE} to "${user}";`,
    );
    this.name = 'NoApplicationRole';
  }
}

interface Role {
  isSuper: boolean;
  bypasses: boolean;
  /** Whether this connection may switch to it. */
  isGranted: boolean;
}

/** Starts a transaction that sees only one tenant's rows; in one message, so that it takes no longer than `begin`. */
export function beginAs(tenantId: string): string {
  if (!UUID.test(tenantId)) throw new TypeError('A tenant id is a UUID.');
  return `begin; set local role ${APPLICATION_ROLE}; set local rmeet.tenant_id = '${tenantId}'`;
}

/**
 * Creates the role of tenant transactions, if it does not exist. Roles belong to the whole cluster, so another server
 * or database may create it at the same moment: such failures are retried.
 *
 * @throws NoApplicationRole
 */
export async function ensureRole(transaction: Transaction): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const { user, role } = await transaction(readRole);
    if (role && !role.isSuper && !role.bypasses && role.isGranted) return;
    try {
      await transaction(async (tx) => {
        if (!role) await tx.execute(sql.raw(`create role ${APPLICATION_ROLE} nologin nosuperuser nobypassrls`));
        else if (role.isSuper || role.bypasses)
          await tx.execute(sql.raw(`alter role ${APPLICATION_ROLE} nosuperuser nobypassrls`));
        if (!role?.isGranted) await tx.execute(sql.raw(`grant ${APPLICATION_ROLE} to current_user`));
      });
    } catch (error) {
      const state = sqlError(error)?.code;
      if (state === '42501') throw new NoApplicationRole(user, role);
      // duplicate_object, unique_violation, and internal_error for "tuple concurrently updated".
      if (attempt === 5 || !['42710', '23505', 'XX000'].includes(state ?? '')) throw error;
    }
  }
}

async function readRole(tx: Drizzle): Promise<{ user: string; role: Role | undefined }> {
  // From PostgreSQL 16 on, a member of a role may not automatically switch to it.
  const { rows } = (await tx.execute(sql`
    select current_user as user, rolsuper as "isSuper", rolbypassrls as "bypasses",
      pg_has_role(oid, case when current_setting('server_version_num')::int < 160000 then 'MEMBER' else 'SET'
      end) as "isGranted"
    from (select 1) as one left join pg_roles on rolname = ${APPLICATION_ROLE}`)) as {
    rows: [Role & { user: string }];
  };
  const [{ user, ...role }] = rows;
  return { user, role: role.isGranted === null ? undefined : role };
}

interface TableState {
  name: string;
  isSecured: boolean;
  policies: string[];
  privileges: string[];
}

/** Enables row security on every table with a tenant that lacks it, so that a new table cannot be forgotten. */
export async function ensureRowSecurity(tx: Drizzle): Promise<void> {
  const { rows } = (await tx.execute(sql`
    select relname as name, relrowsecurity as "isSecured",
      array(select polname::text from pg_policy where polrelid = pg_class.oid) as policies,
      array(select lower(privilege_type) from aclexplode(relacl) where grantee = ${APPLICATION_ROLE}::regrole
      order by 1) as privileges
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'tenant_id' and not
      attisdropped)`)) as {
    rows: TableState[];
  };
  const missing = rows.flatMap(statementsFor);
  if (missing.length === 0) return;
  for (const statement of [`grant usage on schema public to ${APPLICATION_ROLE}`, ...missing])
    await tx.execute(sql.raw(statement));
}

function statementsFor({ name, isSecured, policies, privileges }: TableState): string[] {
  const table = `public."${name}"`;
  const wanted = APPEND_ONLY_TABLES.has(name) ? ['insert', 'select'] : ['delete', 'insert', 'select', 'update'];
  const statements: string[] = [];
  if (!isSecured) statements.push(`alter table ${table} enable row level security`);
  if (!policies.includes('tenant_isolation')) {
    statements.push(
      `create policy tenant_isolation on ${table} to ${APPLICATION_ROLE} ` +
        `using (tenant_id = ${TENANT}) with check (tenant_id = ${TENANT})`,
    );
  }
  if (SHARED_TABLES.has(name) && !policies.includes('platform_rows')) {
    statements.push(
      `create policy platform_rows on ${table} for select to ` +
        `${APPLICATION_ROLE} using (tenant_id = '${PLATFORM_TENANT_ID}')`,
    );
  }
  if (privileges.join() !== wanted.join()) {
    statements.push(
      `revoke all on ${table} from ${APPLICATION_ROLE}`,
      `grant ${wanted.join(', ')} on ${table} to ${APPLICATION_ROLE}`,
    );
  }
  return statements;
}
