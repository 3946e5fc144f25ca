import {
  errorMessage,
  USER_CHANGE_MAX,
  USER_IMPORT_ROWS,
  type contract,
  type Data,
  type Input,
  type Locale,
  type UserTask,
  type UserTaskItem,
} from '@rmeet/contract';
import type { TenantTx } from '../../../../platform/db/index.ts';
import { csvText } from '../../../../platform/export/index.ts';
import { AppError, type AccountCaller, type Context, type FileAnswer } from '../../../../platform/http/index.ts';
import { readSheetOrCsv } from '../../../../platform/import/index.ts';
import type { Jobs } from '../../../../platform/jobs/types.ts';
import { recordAudit } from '../../../audit/index.ts';
import type { TenantRow } from '../../tenants/tables.ts';
import { templateAnswer } from '../export.ts';
import type { Invitations } from '../invitations.ts';
import { mustMayGrant, RESTORABLE_FOR, tenantMeant } from '../policy.ts';
import { findMembers, findOwnTenant, usersAfter } from '../repo.ts';
import type { AccountRow, TaskActor, UserTaskItemRow, UserTaskRow } from '../tables.ts';
import { HEADS } from '../words.ts';
import { planImport } from './plan.ts';
import {
  clearTasks,
  countItems,
  countPasswords,
  countWithoutMail,
  findTask,
  insertTask,
  itemsAfter,
  listItems,
  startedTasks,
  takePasswords,
  updateTask,
  type NewItem,
} from './repo.ts';
import { reportAnswer } from './report.ts';
import { bindingOf, createTaskRun, type RunDeps } from './run.ts';
import { readUsers } from './sheet.ts';

type AccountContext = Context<AccountCaller>;
type Calls = typeof contract.userTasks;
type Of<K extends keyof Calls> = Input<Calls[K]>;

export interface TaskDeps extends RunDeps {
  jobs: Jobs;
  invitations: Pick<Invitations, 'invite' | 'mustBeReady'>;
}

export const TASK_JOB = 'users-tasks';

const PAGE = 1_000;
const LISTED = 10;
const DAY = 86_400_000;
/** How long tasks are kept, and first passwords that were not downloaded. */
const KEPT = { tasks: 7 * DAY, passwords: DAY };
const PASSWORD_FILE: Record<Locale, { name: string; head: string }> = {
  zh: { name: '初始密码.csv', head: '初始密码' },
  en: { name: 'First passwords.csv', head: 'First password' },
};

function actorOf({ caller, address, requestId }: AccountContext): TaskActor {
  const { kind, userId, tenantId, account, name, permissions } = caller;
  return {
    kind,
    userId,
    tenantId,
    account,
    name,
    permissions: [...permissions],
    isTenantAdmin: caller.kind === 'user' && caller.isTenantAdmin,
    isSuperAdmin: caller.kind === 'operator' && caller.isSuperAdmin,
    address,
    requestId,
  };
}

async function present(tx: TenantTx, { id, kind, name, change, state, createdAt }: UserTaskRow): Promise<UserTask> {
  const counts = await countItems(tx, id);
  return {
    id,
    kind,
    name,
    change,
    state,
    total: Object.values(counts).reduce((sum, n) => sum + n, 0),
    counts,
    withoutMail: await countWithoutMail(tx, id),
    passwords: await countPasswords(tx, id),
    createdAt: createdAt.toISOString(),
  };
}

function presentItem(item: UserTaskItemRow, locale: Locale): UserTaskItem {
  const { position, row, account, name, state, columns, faults, failure } = item;
  const reason = failure ? errorMessage(failure.code, locale, failure.params) : '';
  return { id: position, row, account, name, state, columns, faults, reason };
}

const itemOf = ({ id, account, name }: AccountRow): NewItem => ({
  row: null,
  accountId: id,
  account,
  name,
  state: 'toChange',
  values: null,
  columns: [],
  faults: [],
});

/** Checks imports and changes of many accounts. */
function createTaskChecks({ db, now, rights, invitations }: TaskDeps) {
  /** @throws AppError TENANT_REQUIRED, NOT_FOUND for an unknown tenant */
  const inTenant = <T>(
    { caller }: AccountContext,
    tenantId: string | undefined,
    work: (tx: TenantTx, tenant: TenantRow) => Promise<T>,
  ): Promise<T> =>
    db.tenant(tenantMeant(caller, tenantId), async (tx) => {
      const tenant = await findOwnTenant(tx);
      if (!tenant) throw new AppError('NOT_FOUND');
      return work(tx, tenant);
    });

  /** The named accounts that exist, or all that meet the filter. */
  async function accountsOf(tx: TenantTx, of: Of<'change'>['body']['of']): Promise<AccountRow[]> {
    if ('ids' in of) return findMembers(tx, of.ids);
    if (of.filter.status === 'deleted') return [];
    const found: AccountRow[] = [];
    while (found.length < USER_CHANGE_MAX) {
      const from = new Date(now().getTime() - RESTORABLE_FOR);
      const page = await usersAfter(tx, of.filter, from, found.at(-1), PAGE);
      found.push(...page);
      if (page.length < PAGE) break;
    }
    return found;
  }

  return {
    inTenant,

    /** @throws AppError TABLE_UNREADABLE, SHEET_TOO_LONG */
    async import(context: AccountContext, { body: { file, name, tenantId } }: Of<'import'>): Promise<UserTask> {
      // First, because reading is expensive.
      await inTenant(context, tenantId, async () => undefined);
      const sheet = await readSheetOrCsv(Buffer.from(file, 'base64'), USER_IMPORT_ROWS);
      return inTenant(context, tenantId, async (tx, tenant) => {
        const rows = readUsers(sheet, await rights.userRoles(tx));
        const items = await planImport(tx, { caller: context.caller, tenant, rights }, rows);
        const values = { kind: 'import' as const, name, change: null, actor: actorOf(context), createdAt: now() };
        return present(tx, await insertTask(tx, values, items));
      });
    },

    /** @throws AppError ROLE_UNKNOWN, FORBIDDEN, INVITATIONS_UNAVAILABLE */
    change: (context: AccountContext, { body: { tenantId, of, change } }: Of<'change'>): Promise<UserTask> =>
      inTenant(context, tenantId, async (tx) => {
        if (change.kind === 'invite') invitations.mustBeReady();
        if (change.kind === 'addRole' || change.kind === 'removeRole') {
          const isKnown = (await rights.userRoles(tx)).some(({ id }) => id === change.roleId);
          if (!isKnown) throw new AppError('ROLE_UNKNOWN');
          mustMayGrant(context.caller);
        }
        const items = (await accountsOf(tx, of)).slice(0, USER_CHANGE_MAX).map(itemOf);
        const values = { kind: 'change' as const, name: '', change, actor: actorOf(context), createdAt: now() };
        return present(tx, await insertTask(tx, values, items));
      }),
  };
}

/** Imports of users and changes of many at once. */
// oxlint-disable-next-line max-lines-per-function -- a flat list of short calls
export function createUserTasks(deps: TaskDeps) {
  const { db, now, jobs, log, secrets, invitations } = deps;
  const checks = createTaskChecks(deps);
  const { inTenant } = checks;
  const run = createTaskRun(deps);
  const wake = (): void => {
    jobs
      .send(undefined, TASK_JOB, {}, { key: TASK_JOB })
      .catch((error: unknown) => log.warn({ error }, 'A task of users begins a minute later'));
  };

  /** Tasks belong to the account that made them. @throws AppError NOT_FOUND */
  async function own(tx: TenantTx, { caller }: AccountContext, id: string, lock = false): Promise<UserTaskRow> {
    const row = await findTask(tx, id, lock);
    if (row?.actor.userId !== caller.userId) throw new AppError('NOT_FOUND');
    return row;
  }

  async function* everyItem(context: AccountContext, { params, query }: Of<'report'>): AsyncGenerator<UserTaskItem> {
    const locale = query.en ? 'en' : context.locale;
    for (let after = 0; ;) {
      const page = await inTenant(context, query.tenantId, (tx) => itemsAfter(tx, params.id, after, PAGE));
      yield* page.map((item) => presentItem(item, locale));
      if (page.length < PAGE) return;
      after = page.at(-1)?.position ?? 0;
    }
  }

  return {
    ...checks,

    list: (context: AccountContext, { query }: Of<'list'>): Promise<UserTask[]> =>
      inTenant(context, query.tenantId, async (tx) => {
        const tasks: UserTask[] = [];
        for (const row of await startedTasks(tx, context.caller.userId, LISTED)) tasks.push(await present(tx, row));
        return tasks;
      }),

    template: (context: AccountContext, { query }: Of<'template'>): FileAnswer =>
      templateAnswer({
        locale: query.en ? 'en' : context.locale,
        format: query.format,
        signal: context.signal,
      }),

    read: (context: AccountContext, { params, query }: Of<'read'>): Promise<UserTask> =>
      inTenant(context, query.tenantId, async (tx) => present(tx, await own(tx, context, params.id))),

    items: (context: AccountContext, { params, query }: Of<'items'>): Promise<Data<Calls['items']>> =>
      inTenant(context, query.tenantId, async (tx) => {
        await own(tx, context, params.id);
        const { rows, total } = await listItems(tx, params.id, query);
        const locale = query.en ? 'en' : context.locale;
        return {
          records: rows.map((row) => presentItem(row, locale)),
          total,
          current: query.current,
          size: query.size,
        };
      }),

    /** @throws AppError NOT_FOUND, TASK_STARTED, INVITATIONS_UNAVAILABLE */
    start: (context: AccountContext, { params, body: { tenantId, firstAccess } }: Of<'start'>): Promise<UserTask> =>
      inTenant(context, tenantId, async (tx) => {
        const row = await own(tx, context, params.id, true);
        if (row.state !== 'checked') throw new AppError('TASK_STARTED');
        const { counts, total } = await present(tx, row);
        if (firstAccess === 'invitation' && counts.toCreate > 0) invitations.mustBeReady();
        // With the rights that the caller has now.
        const started = { state: 'running' as const, firstAccess, actor: actorOf(context), turnAt: now() };
        const after = await updateTask(tx, row.id, started);
        await recordAudit(tx, context, now(), {
          target: { kind: 'account', id: '', name: '' },
          after: { rows: total, added: counts.toCreate, changed: counts.toChange },
        });
        tx.afterCommit(wake);
        return present(tx, after);
      }),

    /** What is being done at this moment is still finished. @throws AppError NOT_FOUND */
    cancel: (context: AccountContext, { params, body: { tenantId } }: Of<'cancel'>): Promise<UserTask> =>
      inTenant(context, tenantId, async (tx) => {
        const row = await own(tx, context, params.id, true);
        if (row.state !== 'checked' && row.state !== 'running') return present(tx, row);
        const after = await present(tx, await updateTask(tx, row.id, { state: 'cancelled', turnAt: null }));
        if (row.state === 'running')
          await recordAudit(tx, context, now(), {
            target: { kind: 'account', id: '', name: '' },
            after: { added: after.counts.created, changed: after.counts.changed },
          });
        return after;
      }),

    async report(context: AccountContext, input: Of<'report'>): Promise<FileAnswer> {
      const { params, query } = input;
      // Checked first: once the download has begun, no error can be returned.
      await inTenant(context, query.tenantId, (tx) => own(tx, context, params.id));
      const locale = query.en ? 'en' : context.locale;
      return reportAnswer(everyItem(context, input), { locale, format: query.format, signal: context.signal });
    },

    /** @throws AppError NOT_FOUND, PASSWORDS_TAKEN */
    passwords: (context: AccountContext, { params, body }: Of<'passwords'>): Promise<Data<Calls['passwords']>> =>
      inTenant(context, body.tenantId, async (tx) => {
        await own(tx, context, params.id, true);
        const rows = await takePasswords(tx, params.id);
        if (rows.length === 0) throw new AppError('PASSWORDS_TAKEN');
        await recordAudit(tx, context, now(), {
          target: { kind: 'account', id: '', name: '' },
          after: { rows: rows.length },
        });
        const locale = body.en ? 'en' : context.locale;
        const { name, head } = PASSWORD_FILE[locale];
        const text = csvText(
          [HEADS.account[locale], HEADS.name[locale], head],
          rows.map((row) => [row.account, row.name, secrets.open(row.sealedPassword ?? '', bindingOf(row))]),
        );
        return { name, file: Buffer.from(text).toString('base64') };
      }),

    /** Does the tasks that have been started. */
    async run(): Promise<void> {
      if (!(await run())) wake();
    },

    /** Deletes old tasks and old first passwords. */
    clear: (): Promise<void> =>
      db.platform((tx) =>
        clearTasks(tx, {
          tasks: new Date(now().getTime() - KEPT.tasks),
          passwords: new Date(now().getTime() - KEPT.passwords),
        }),
      ),
  };
}

export type UserTasks = ReturnType<typeof createUserTasks>;
