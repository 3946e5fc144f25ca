import {
  TOTAL_COUNT_LIMIT,
  type contract,
  type Data,
  type Input,
  type Person,
  type Profile,
  type TenantInfo,
} from '@rmeet/contract';
import type { TenantTx } from '../../../platform/db/index.ts';
import { AppError, type AccountCaller, type Context, type FileAnswer } from '../../../platform/http/index.ts';
import { presentTenantInfo } from '../tenants/index.ts';
import { exportAnswer, type ExportedUser } from './export.ts';
import { RESTORABLE_FOR, tenantMeant } from './policy.ts';
import type { UserDeps } from './ports.ts';
import { presentPerson, presentProfile, presentUser } from './present.ts';
import {
  colleaguesById,
  departmentSizes,
  findAccount,
  findInvitations,
  findOwnTenant,
  findTenantOf,
  listUsers,
  searchColleagues,
  usersAfter,
  type UserFilter,
  type UserQuery,
} from './repo.ts';
import type { AccountRow } from './tables.ts';

type AccountContext = Context<AccountCaller>;
type ExportQuery = Input<typeof contract.users.export>['query'];
type LookupBody = Input<typeof contract.users.lookup>['body'];

const EXPORT_PAGE = 1_000;

/** All reads of accounts. */
// oxlint-disable-next-line max-lines-per-function -- a flat list of short reads
export function createDirectory({ db, now, sessions, rights }: UserDeps) {
  const restorableFrom = (): Date => new Date(now().getTime() - RESTORABLE_FOR);

  /** Reads in the caller's or the named tenant. @throws AppError NOT_FOUND for an unknown tenant */
  function reading<T>(
    caller: AccountCaller,
    tenantId: string | undefined,
    work: (tx: TenantTx) => Promise<T>,
  ): Promise<T> {
    return db.tenant(tenantMeant(caller, tenantId), async (tx) => {
      if (caller.kind === 'operator' && !(await findOwnTenant(tx))) throw new AppError('NOT_FOUND');
      return work(tx);
    });
  }

  /** Page by page, each in its own transaction, so that a slow download keeps none open. */
  async function* everyUser({ caller }: AccountContext, filter: UserFilter): AsyncGenerator<ExportedUser> {
    for (let after: AccountRow | undefined; ;) {
      const page = await reading(caller, filter.tenantId, async (tx) => {
        const rows = await usersAfter(tx, filter, restorableFrom(), after, EXPORT_PAGE);
        const roles = await rights.rolesOfAccounts(
          tx,
          rows.map((row) => row.id),
        );
        const invited = await findInvitations(
          tx,
          rows.map((row) => row.id),
        );
        return rows.map((row) => ({ row, roles: roles.get(row.id) ?? [], isInvited: invited.has(row.id) }));
      });
      yield* page;
      if (page.length < EXPORT_PAGE) return;
      after = page.at(-1)?.row;
    }
  }

  return {
    list: ({ caller, locale }: AccountContext, query: UserQuery): Promise<Data<typeof contract.users.list>> =>
      reading(caller, query.tenantId, async (tx) => {
        const { rows, total } = await listUsers(tx, query, restorableFrom());
        const ids = rows.map((row) => row.id);
        const [roles, managing, open, invited] = [
          await rights.rolesOfAccounts(tx, ids),
          await rights.managementCodesOf(tx, ids),
          await sessions.countOpen(tx, ids),
          await findInvitations(tx, ids),
        ];
        const records = rows.map((row) =>
          presentUser(
            row,
            {
              roles: roles.get(row.id) ?? [],
              managing: managing.get(row.id) ?? [],
              sessions: open.get(row.id) ?? 0,
              invitation: invited.get(row.id),
            },
            caller,
            query.en ? 'en' : locale,
            now(),
          ),
        );
        const page = { records, total: Math.min(total, TOTAL_COUNT_LIMIT), current: query.current, size: query.size };
        return total > TOTAL_COUNT_LIMIT ? { ...page, totalIsLowerBound: true } : page;
      }),

    departments: (
      { caller }: AccountContext,
      tenantId: string | undefined,
    ): Promise<Data<typeof contract.users.departments>> => reading(caller, tenantId, departmentSizes),

    async export(
      context: AccountContext,
      { format, ...query }: UserFilter & Pick<ExportQuery, 'format'>,
    ): Promise<FileAnswer> {
      // Checked first: once the download has begun, no error can be returned.
      await reading(context.caller, query.tenantId, async () => undefined);
      return exportAnswer(everyUser(context, query), {
        format,
        locale: query.en ? 'en' : context.locale,
        signal: context.signal,
      });
    },

    async lookup(
      { caller }: AccountContext,
      { query, size, sort }: LookupBody,
    ): Promise<Data<typeof contract.users.lookup>> {
      const ids = [...new Set(query.IN.id)];
      const rows =
        ids.length === 0 ? [] : await db.tenant(caller.tenantId, (tx) => colleaguesById(tx, ids, sort.name, size));
      return { records: rows.map(presentPerson), total: rows.length, current: 1, size };
    },

    async search({ caller }: AccountContext, keyword: string): Promise<Person[]> {
      return (await db.tenant(caller.tenantId, (tx) => searchColleagues(tx, keyword))).map(presentPerson);
    },

    current: ({ caller }: AccountContext): Promise<Profile> =>
      db.tenant(caller.tenantId, async (tx) => {
        const [row, tenant] = [await findAccount(tx, caller.userId), await findTenantOf(tx)];
        if (!row || !tenant) throw new AppError('UNAUTHORIZED');
        return presentProfile(row, tenant, rights.flagsOf(caller.permissions));
      }),

    /** The caller's own tenant, by the id of one of its accounts. */
    tenantInfo: ({ caller }: AccountContext, accountId: string): Promise<TenantInfo> =>
      db.tenant(caller.tenantId, async (tx) => {
        const [row, tenant] = [await findAccount(tx, accountId), await findTenantOf(tx)];
        if (!row || row.deletedAt || !tenant) throw new AppError('NOT_FOUND');
        return presentTenantInfo(tenant);
      }),
  };
}

export type Directory = ReturnType<typeof createDirectory>;
