import {
  TOTAL_COUNT_LIMIT,
  type contract,
  type Data,
  type Input,
  type Operator,
  type PasswordRules,
  type Profile,
} from '@rmeet/contract';
import { PLATFORM_TENANT_ID, type Db, type TenantTx } from '../../../platform/db/index.ts';
import { AppError, type Context, type FileAnswer, type OperatorCaller } from '../../../platform/http/index.ts';
import { changed, recordAudit } from '../../audit/index.ts';
import { flagsOf } from '../permissions/index.ts';
import { grantRoles, rolesOfAccounts } from '../roles/index.ts';
import { passwordRulesOf } from '../tenants/index.ts';
import {
  addAccount,
  checkNewPassword,
  findAccount,
  hashPassword,
  makePassword,
  presentProfile,
  setAccountsEnabled,
  setPassword,
  type AccountSessions,
} from '../users/index.ts';
import type { AccountRow } from '../users/tables.ts';
import { exportAnswer, type ExportedOperator } from './export.ts';
import { presentOperator } from './present.ts';
import {
  findOperators,
  hasOtherSuperAdmin,
  listOperators,
  operatorsAfter,
  platformTenant,
  updateOperator,
  type OperatorFilter,
  type OperatorQuery,
} from './repo.ts';

type OperatorContext = Context<OperatorCaller>;
type Body<K extends 'create' | 'update' | 'status' | 'resetPassword' | 'endSessions'> = Input<
  (typeof contract.operators)[K]
>['body'];

const EXPORT_PAGE = 1_000;
const AUDITED = ['account', 'name', 'phone', 'email', 'locale', 'isSuperAdmin', 'roles'] as const;

export interface OperatorDeps {
  db: Db;
  now: () => Date;
  sessions: AccountSessions;
  /** Decrypts a password from the browser; undefined if it cannot be decrypted. */
  openPassword: (ciphertext: string) => Promise<string | undefined>;
}

const targetOf = ({ id, name }: AccountRow) => ({ kind: 'account', id, name });
const detailsOf = ({ name, phoneNumber, email, locale, isSuperAdmin }: Omit<Body<'update'>, 'id' | 'version'>) => ({
  name,
  phone: phoneNumber,
  email,
  locale,
  isSuperAdmin,
});

/** @throws AppError OWN_ACCOUNT: callers cannot lock themselves out */
function mustNotBeOwn({ caller }: OperatorContext, ids: readonly string[]): void {
  if (ids.includes(caller.userId)) throw new AppError('OWN_ACCOUNT');
}

async function roleNames(tx: TenantTx, id: string): Promise<string[]> {
  return ((await rolesOfAccounts(tx, [id])).get(id) ?? []).map((role) => role.name);
}

async function find(tx: TenantTx, ids: readonly string[]): Promise<AccountRow[]> {
  const rows = await findOperators(tx, ids);
  if (rows.length < new Set(ids).size) throw new AppError('NOT_FOUND');
  return rows;
}

async function findOne(tx: TenantTx, id: string): Promise<AccountRow> {
  const [row] = await find(tx, [id]);
  if (!row) throw new AppError('NOT_FOUND');
  return row;
}

/** @throws AppError LAST_ADMIN if no other enabled super administrator is left */
async function mustLeaveSuperAdmin(tx: TenantTx, losing: readonly AccountRow[]): Promise<void> {
  const admins = losing.filter((row) => row.isSuperAdmin && row.enabled).map((row) => row.id);
  if (admins.length > 0 && !(await hasOtherSuperAdmin(tx, admins))) throw new AppError('LAST_ADMIN');
}

/** What reads and changes of operators have in common. */
function createOperatorAccess({ db, sessions }: OperatorDeps) {
  const reading = <T>(work: (tx: TenantTx) => Promise<T>): Promise<T> => db.tenant(PLATFORM_TENANT_ID, work);

  /** Runs a change with the platform's tenant locked: the last super administrator is counted one change at a time. */
  function changing<T>(work: (tx: TenantTx) => Promise<T>): Promise<T> {
    return db.tenant(PLATFORM_TENANT_ID, async (tx) => {
      await platformTenant(tx, true);
      return work(tx);
    });
  }

  async function present(
    tx: TenantTx,
    rows: readonly AccountRow[],
    locale: OperatorContext['locale'],
  ): Promise<Operator[]> {
    const ids = rows.map((row) => row.id);
    const [roles, open] = [await rolesOfAccounts(tx, ids), await sessions.countOpen(tx, ids)];
    return rows.map((row) =>
      presentOperator(row, { roles: roles.get(row.id) ?? [], sessions: open.get(row.id) ?? 0 }, locale),
    );
  }

  async function presentOne(tx: TenantTx, row: AccountRow, { locale }: OperatorContext): Promise<Operator> {
    const [operator] = await present(tx, [row], locale);
    if (!operator) throw new Error('An operator disappeared while it was presented.');
    return operator;
  }

  return { reading, changing, present, presentOne };
}

type OperatorAccess = ReturnType<typeof createOperatorAccess>;

/** Reads operators. */
function createOperatorReader({ reading, present }: OperatorAccess) {
  /** Page by page, each in its own transaction, so that a slow download keeps none open. */
  async function* everyOperator(filter: OperatorFilter): AsyncGenerator<ExportedOperator> {
    for (let after = ''; ;) {
      const page = await reading(async (tx) => {
        const rows = await operatorsAfter(tx, filter, after, EXPORT_PAGE);
        const roles = await rolesOfAccounts(
          tx,
          rows.map((row) => row.id),
        );
        return rows.map((row) => ({ row, roles: roles.get(row.id) ?? [] }));
      });
      yield* page;
      if (page.length < EXPORT_PAGE) return;
      after = page.at(-1)?.row.account ?? '';
    }
  }

  return {
    current: ({ caller }: OperatorContext): Promise<Profile> =>
      reading(async (tx) => {
        const row = await findAccount(tx, caller.userId);
        if (!row) throw new AppError('UNAUTHORIZED');
        return presentProfile(row, await platformTenant(tx), flagsOf(caller.permissions));
      }),

    list: ({ locale }: OperatorContext, query: OperatorQuery): Promise<Data<typeof contract.operators.list>> =>
      reading(async (tx) => {
        const { rows, total } = await listOperators(tx, query);
        const records = await present(tx, rows, query.en ? 'en' : locale);
        const page = { records, total: Math.min(total, TOTAL_COUNT_LIMIT), current: query.current, size: query.size };
        return total > TOTAL_COUNT_LIMIT ? { ...page, totalIsLowerBound: true } : page;
      }),

    export: ({ locale, signal }: OperatorContext, query: OperatorFilter): FileAnswer =>
      exportAnswer(everyOperator(query), query.en ? 'en' : locale, signal),
  };
}

/** The password of a new operator: the checked one from the request, or a generated one, which is in the response. */
async function firstPassword(
  openPassword: OperatorDeps['openPassword'],
  rules: PasswordRules,
  { account, password: sent }: Body<'create'>,
): Promise<{ plain: string; made: string | null }> {
  if (sent === undefined) {
    const made = makePassword(rules);
    return { plain: made, made };
  }
  const plain = await openPassword(sent);
  if (plain === undefined) throw new AppError('PASSWORD_UNREADABLE');
  await checkNewPassword(plain, account, rules);
  return { plain, made: null };
}

/** Creates and edits operators. */
function createOperatorEditing(
  { now, sessions, openPassword }: OperatorDeps,
  { reading, changing, presentOne }: OperatorAccess,
) {
  return {
    /** Creates an operator. The password must be changed at the first sign-in, because another person knows it. */
    async create(context: OperatorContext, body: Body<'create'>): Promise<Data<typeof contract.operators.create>> {
      const rules = passwordRulesOf(await reading((tx) => platformTenant(tx)));
      const { plain, made } = await firstPassword(openPassword, rules, body);
      const passwordHash = await hashPassword(plain);
      return changing(async (tx) => {
        const row = await addAccount(
          tx,
          {
            kind: 'operator',
            account: body.account,
            ...detailsOf(body),
            department: '',
            isTenantAdmin: false,
            passwordHash,
            passwordDue: true,
          },
          now(),
        );
        await grantRoles(tx, row.id, 'operator', body.roleIds);
        const roles = await roleNames(tx, row.id);
        await recordAudit(tx, context, now(), {
          target: targetOf(row),
          after: { account: row.account, ...detailsOf(body), roles, password: '***' },
        });
        return { operator: await presentOne(tx, row, context), password: made };
      });
    },

    /** @throws AppError NOT_FOUND, OWN_ACCOUNT, LAST_ADMIN, CHANGED_MEANWHILE, ROLE_UNKNOWN */
    update: (context: OperatorContext, body: Body<'update'>): Promise<Operator> =>
      changing(async (tx) => {
        const before = await findOne(tx, body.id);
        if (before.isSuperAdmin && !body.isSuperAdmin) {
          mustNotBeOwn(context, [before.id]);
          await mustLeaveSuperAdmin(tx, [before]);
        }
        const formerRoles = await roleNames(tx, before.id);
        const after = await updateOperator(tx, before.id, body.version, detailsOf(body));
        if (!after) throw new AppError('CHANGED_MEANWHILE');
        await grantRoles(tx, before.id, 'operator', body.roleIds);
        const roles = await roleNames(tx, before.id);
        await recordAudit(tx, context, now(), {
          target: targetOf(after),
          ...changed({ ...before, roles: formerRoles }, { ...after, roles }, AUDITED),
        });
        await sessions.accessChanged(tx, [after.id]);
        return presentOne(tx, after, context);
      }),
  };
}

/** Enables and disables operators, resets their passwords and ends their sessions. */
function createOperatorLocks({ now, sessions }: OperatorDeps, { reading, changing }: OperatorAccess) {
  return {
    /** @throws AppError NOT_FOUND, OWN_ACCOUNT, LAST_ADMIN */
    setEnabled: (context: OperatorContext, { ids, enabled }: Body<'status'>): Promise<{ changed: number }> =>
      changing(async (tx) => {
        const rows = await find(tx, ids);
        if (!enabled) {
          mustNotBeOwn(context, ids);
          await mustLeaveSuperAdmin(tx, rows);
        }
        const updated = await setAccountsEnabled(tx, ids, enabled, sessions);
        for (const row of updated)
          await recordAudit(tx, context, now(), {
            target: targetOf(row),
            before: { enabled: !enabled },
            after: { enabled },
          });
        return { changed: updated.length };
      }),

    /** @throws AppError NOT_FOUND, OWN_ACCOUNT */
    async resetPassword(context: OperatorContext, { id }: Body<'resetPassword'>): Promise<{ password: string }> {
      const password = makePassword(passwordRulesOf(await reading((tx) => platformTenant(tx))));
      const passwordHash = await hashPassword(password);
      return changing(async (tx) => {
        const row = await findOne(tx, id);
        mustNotBeOwn(context, [id]);
        await setPassword(tx, row, passwordHash, { due: true }, now());
        await recordAudit(tx, context, now(), {
          target: targetOf(row),
          before: { password: '***' },
          after: { password: '***' },
        });
        await sessions.endSessions(tx, [id], 'password');
        return { password };
      });
    },

    /** @throws AppError NOT_FOUND */
    endSessions: (context: OperatorContext, { ids }: Body<'endSessions'>): Promise<{ ended: number }> =>
      changing(async (tx) => {
        const rows = await find(tx, ids);
        const open = await sessions.countOpen(tx, ids);
        for (const row of rows) {
          await recordAudit(tx, context, now(), {
            target: targetOf(row),
            before: { sessions: open.get(row.id) ?? 0 },
            after: { sessions: 0 },
          });
        }
        return { ended: await sessions.endSessions(tx, ids, 'ended') };
      }),
  };
}

/** The platform's staff. */
export function createOperatorService(deps: OperatorDeps) {
  const access = createOperatorAccess(deps);
  return {
    ...createOperatorReader(access),
    ...createOperatorEditing(deps, access),
    ...createOperatorLocks(deps, access),
  };
}

export type OperatorService = ReturnType<typeof createOperatorService>;
