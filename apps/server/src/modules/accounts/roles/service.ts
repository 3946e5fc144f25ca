import { TOTAL_COUNT_LIMIT, type contract, type Data, type Input, type Locale, type Role } from '@rmeet/contract';
import {
  isForeignKeyViolation,
  isUniqueViolation,
  PLATFORM_TENANT_ID,
  type Db,
  type PlatformTx,
} from '../../../platform/db/index.ts';
import { AppError, type AccountCaller, type Context, type OperatorCaller } from '../../../platform/http/index.ts';
import { changed, recordAudit } from '../../audit/index.ts';
import {
  accessChangedEverywhere,
  findEntriesById,
  grantableTo,
  labelOf,
  type AccessSessions,
  type AccountKind,
} from '../permissions/index.ts';
import {
  accountsOfRoles,
  deleteRole,
  findRole,
  findRolesOfKind,
  holdersOf,
  insertRole,
  listRoles,
  permissionsOfRoles,
  setPermissions,
  updateRole,
} from './repo.ts';
import type { RoleRow } from './tables.ts';

type OperatorContext = Context<OperatorCaller>;

/** Number of accounts named if a role in use cannot be deleted. */
const NAMED = 3;
const AUDITED = ['name', 'nameEn', 'description', 'kind', 'isDefault', 'permissions'] as const;

export interface RoleDeps {
  db: Db;
  sessions: AccessSessions;
  now: () => Date;
}

function present(row: RoleRow, permissionIds: readonly string[], accounts: number): Role {
  const { id, name, nameEn, description, kind, isDefault, builtIn, version } = row;
  return {
    id,
    name,
    nameEn,
    description,
    kind,
    isDefault,
    builtIn: builtIn !== null,
    permissionIds: [...permissionIds],
    accounts,
    version,
  };
}

const targetOf = ({ id, name }: RoleRow) => ({ kind: 'role', id, name });

/** Returns the contract's code if a name was taken, or an entry deleted, at the same time. */
async function orRefused<T>(name: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isUniqueViolation(error, 'role_name_key')) throw new AppError('NAME_TAKEN', { name });
    if (isForeignKeyViolation(error)) throw new AppError('PERMISSION_UNKNOWN');
    throw error;
  }
}

// oxlint-disable-next-line max-lines-per-function -- four short methods of one resource
export function createRoleService({ db, sessions, now }: RoleDeps) {
  /**
   * The entries with these ids, by their names and codes for the audit log.
   *
   * @throws AppError PERMISSION_UNKNOWN, NOT_GRANTABLE
   */
  async function namesOfGrantable(
    tx: PlatformTx,
    permissionIds: readonly string[],
    kind: AccountKind,
    locale: Locale,
  ): Promise<string[]> {
    const entries = await findEntriesById(tx, permissionIds);
    if (entries.length < permissionIds.length) throw new AppError('PERMISSION_UNKNOWN');
    const unfit = entries.filter((entry) => !grantableTo(entry).includes(kind)).map((entry) => labelOf(entry, locale));
    if (unfit.length > 0) throw new AppError('NOT_GRANTABLE', { names: unfit.toSorted().join(', ') });
    return entries.map((entry) => labelOf(entry)).toSorted();
  }

  /** The current grants of a role, in the same form. */
  async function namesOfRole(tx: PlatformTx, id: string): Promise<string[]> {
    const entries = await findEntriesById(tx, (await permissionsOfRoles(tx, [id])).get(id) ?? []);
    return entries.map((entry) => labelOf(entry)).toSorted();
  }

  return {
    async list(query: Input<typeof contract.roles.list>['query']): Promise<Data<typeof contract.roles.list>> {
      return db.platform(async (tx) => {
        const { rows, total } = await listRoles(tx, query);
        const ids = rows.map((row) => row.id);
        const [granted, accounts] = [await permissionsOfRoles(tx, ids), await accountsOfRoles(tx, ids)];
        const records = rows.map((row) => present(row, granted.get(row.id) ?? [], accounts.get(row.id) ?? 0));
        const page = { records, total: Math.min(total, TOTAL_COUNT_LIMIT), current: query.current, size: query.size };
        return total > TOTAL_COUNT_LIMIT ? { ...page, totalIsLowerBound: true } : page;
      });
    },

    /** Tenants choose from the roles for users, and so do operators who do not manage operators. */
    async options({ caller }: Context<AccountCaller>, kind: AccountKind): Promise<Data<typeof contract.roles.options>> {
      if (kind === 'operator' && !(caller.kind === 'operator' && caller.isSuperAdmin)) throw new AppError('FORBIDDEN');
      const rows = await db.tenant(caller.tenantId, (tx) => findRolesOfKind(tx, kind));
      return rows.map(({ id, name, nameEn, description, isDefault }) => ({ id, name, nameEn, description, isDefault }));
    },

    /** @throws AppError NAME_TAKEN, PERMISSION_UNKNOWN, NOT_GRANTABLE */
    async create(
      context: OperatorContext,
      { permissionIds, ...values }: Input<typeof contract.roles.create>['body'],
    ): Promise<Role> {
      const ids = [...new Set(permissionIds)];
      return orRefused(
        values.name,
        db.platform(async (platform) => {
          const tx = platform.asTenant(PLATFORM_TENANT_ID);
          const permissions = await namesOfGrantable(platform, ids, values.kind, context.locale);
          const row = await insertRole(tx, { ...values, createdAt: now() });
          await setPermissions(tx, row.id, ids);
          await recordAudit(tx, context, now(), { target: targetOf(row), after: { ...values, permissions } });
          return present(row, ids, 0);
        }),
      );
    },

    /** @throws AppError NOT_FOUND, CHANGED_MEANWHILE, NAME_TAKEN, PERMISSION_UNKNOWN, NOT_GRANTABLE */
    async update(
      context: OperatorContext,
      { id, version, permissionIds, ...values }: Input<typeof contract.roles.update>['body'],
    ): Promise<Role> {
      const ids = [...new Set(permissionIds)];
      return orRefused(
        values.name,
        db.platform(async (platform) => {
          const tx = platform.asTenant(PLATFORM_TENANT_ID);
          const before = await findRole(tx, id);
          if (!before) throw new AppError('NOT_FOUND');
          const permissions = await namesOfGrantable(platform, ids, before.kind, context.locale);
          const former = await namesOfRole(platform, id);
          const after = await updateRole(tx, id, version, values);
          if (!after) throw new AppError('CHANGED_MEANWHILE');
          await setPermissions(tx, id, ids);
          await recordAudit(tx, context, now(), {
            target: targetOf(after),
            ...changed({ ...before, permissions: former }, { ...after, permissions }, AUDITED),
          });
          await accessChangedEverywhere(platform, sessions, now());
          return present(after, ids, (await accountsOfRoles(platform, [id])).get(id) ?? 0);
        }),
      );
    },

    /** @throws AppError NOT_FOUND, BUILT_IN, ROLE_GRANTED with a few of the accounts and their number */
    async remove(context: OperatorContext, id: string): Promise<void> {
      await db.platform(async (platform) => {
        const tx = platform.asTenant(PLATFORM_TENANT_ID);
        const row = await findRole(tx, id);
        if (!row) throw new AppError('NOT_FOUND');
        if (row.builtIn !== null) throw new AppError('BUILT_IN');
        const { names, total } = await holdersOf(platform, id, NAMED);
        if (total > 0) throw new AppError('ROLE_GRANTED', { accounts: holdersText(names, total, context.locale) });
        const permissions = await namesOfRole(platform, id);
        await deleteRole(tx, id);
        const { name, nameEn, description, kind, isDefault } = row;
        await recordAudit(tx, context, now(), {
          target: targetOf(row),
          before: { name, nameEn, description, kind, isDefault, permissions },
        });
      });
    },
  };
}

/** `Alice, Bob, Carol and 9 more`, `Alice、Bob、Carol 等 12 个账号`. */
function holdersText(names: readonly string[], total: number, locale: Locale): string {
  const named = names.join(locale === 'en' ? ', ' : '、');
  if (total <= names.length) return named;
  return locale === 'en' ? `${named} and ${total - names.length} more` : `${named} 等 ${total} 个账号`;
}

export type RoleService = ReturnType<typeof createRoleService>;
