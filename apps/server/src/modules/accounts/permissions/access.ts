import { eq } from 'drizzle-orm';
import {
  accountRoleOf,
  contract,
  ENTRY_TYPES,
  localName,
  USER_MANAGE_TYPES,
  type Access,
  type AccessRule,
  type Input,
  type Locale,
  type PermissionEntry,
  type Route,
  type Routes,
} from '@rmeet/contract';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import { AppError, type AccountCaller, type Context } from '../../../platform/http/index.ts';
import { tenant } from '../tenants/tables.ts';
import { tenantMeant } from '../users/index.ts';
import { account, type AccountRow } from '../users/tables.ts';
import { codesOf, decide, flagsOf, type Decision, type Decisions, type Subject } from './decide.ts';
import { isInUse, presentEntry } from './present.ts';
import { findEntries } from './repo.ts';
import { subjectOf } from './subject.ts';
import type { PermissionRow } from './tables.ts';
import { treeOrder } from './tree.ts';

type AccountContext = Context<AccountCaller>;

const ROUTES = Object.entries(contract as Record<string, Routes>).flatMap(([domain, routes]) =>
  Object.entries(routes).map(([name, route]) => [`${domain}.${name}`, route] as const),
);

const refused = (kind: AccessRule['kind'], names: string[] = []): Decision => ({
  allowed: false,
  rule: { kind, names },
});
const OPEN: Decision = { allowed: true, rule: { kind: 'anyone', names: [] } };

/** Whether an account may call a route, as mount() decides it. */
function decideCall({ kind, enabled }: Subject, { codes }: Decisions, { callers, permission }: Route): Decision {
  if (callers.includes('anyone')) return OPEN;
  if (!callers.includes(kind)) return refused('wrongKind');
  if (!enabled) return refused('disabled');
  if (permission === undefined) return OPEN;
  const decision = codes.get(permission);
  return decision?.allowed ? decision : refused('requires', [permission]);
}

/**
 * The decision on a menu entry as shown: a hidden entry, or one below a hidden entry, is refused.
 */
function shown(
  row: PermissionRow,
  byId: ReadonlyMap<string, PermissionRow>,
  decision: Decision,
  locale: Locale,
): Decision {
  if (!decision.allowed) return decision;
  for (let at: PermissionRow | undefined = row; at; at = byId.get(at.pid ?? '')) {
    if (at.hidden) return refused('hidden', [localName(at, locale)]);
  }
  return decision;
}

/** Where a menu entry of the users' system appears. */
function systemOf({ userManageType }: PermissionRow): 'user' | 'manage' {
  return userManageType === USER_MANAGE_TYPES.management ? 'manage' : 'user';
}

const decisionOf = (decisions: Decisions, { id }: PermissionRow): Decision =>
  decisions.entries.get(id) ?? refused('notGranted');

function shownPermissions(entries: readonly PermissionRow[], decisions: Decisions): Access['permissions'] {
  return entries
    .filter(({ type }) => type === ENTRY_TYPES.permission)
    .map((entry) => {
      const { allowed, rule } = decisionOf(decisions, entry);
      const { code, name, nameEn } = entry;
      return { code: code ?? '', name, nameEn, inUse: isInUse(entry, entries), allowed, rule };
    });
}

function shownMenus(entries: readonly PermissionRow[], decisions: Decisions, locale: Locale): Access['menus'] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return entries
    .filter(({ type, isAdmin }) => type !== ENTRY_TYPES.permission && !isAdmin)
    .map((entry) => {
      const { allowed, rule } = shown(entry, byId, decisionOf(decisions, entry), locale);
      const { id, pid, name, nameEn } = entry;
      return { id, pid, name, nameEn, system: systemOf(entry), allowed, rule };
    });
}

function shownCalls(subject: Subject, decisions: Decisions): Access['calls'] {
  return ROUTES.map(([id, route]) => {
    const { allowed, rule } = decideCall(subject, decisions, route);
    return { id, method: route.method, path: route.path, summary: route.summary, allowed, rule };
  });
}

/** What accounts see and may call. */
export function createAccess({ db }: { db: Db }) {
  /** An account of the transaction's tenant with its decisions, and all entries in the order of the tree. */
  async function loadDecisions(tx: TenantTx, accountId: string, locale: Locale) {
    const row: AccountRow | undefined = await tx.findOne(account, eq(account.id, accountId));
    const of = await tx.findOne(tenant, eq(tenant.tenantId, tx.tenantId));
    if (!row || !of) throw new AppError('NOT_FOUND');
    const [subject, found] = [await subjectOf(tx, row, of, locale), await findEntries(tx)];
    const entries = treeOrder(found);
    return { row, tenant: of, subject, entries, decisions: decide(subject, entries, locale) };
  }

  return {
    /** The entries the caller has, parents before children, in order. */
    async mine({ caller, locale }: AccountContext): Promise<PermissionEntry[]> {
      const { entries, decisions } = await db.tenant(caller.tenantId, (tx) => loadDecisions(tx, caller.userId, locale));
      return entries.filter(({ id }) => decisions.entries.get(id)?.allowed).map(presentEntry);
    },

    /**
     * "See as": what a user sees and may call, and by which rule. Read-only: it gives no right to act as that user.
     *
     * @throws AppError TENANT_REQUIRED, NOT_FOUND
     */
    async seeAs(
      { caller, locale }: AccountContext,
      { params, query }: Input<typeof contract.users.access>,
    ): Promise<Access> {
      return db.tenant(tenantMeant(caller, query.tenantId), async (tx) => {
        const { row, tenant: of, subject, entries, decisions } = await loadDecisions(tx, params.id, locale);
        if (row.kind !== 'user') throw new AppError('NOT_FOUND');
        return {
          user: {
            id: row.id,
            account: row.account,
            name: row.name,
            accountRole: accountRoleOf(row),
            enabled: subject.enabled,
            tenantName: of.name,
          },
          flags: flagsOf(codesOf(decisions)),
          permissions: shownPermissions(entries, decisions),
          menus: shownMenus(entries, decisions, locale),
          calls: shownCalls(subject, decisions),
        };
      });
    },
  };
}
