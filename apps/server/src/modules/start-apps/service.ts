import { asc, eq, inArray } from 'drizzle-orm';
import {
  isAppAddress,
  START_APP_LIMITS,
  type App,
  type contract,
  type Data,
  type Input,
  type StartApp,
} from '@rmeet/contract';
import { allOf } from '../../platform/db/conditions.ts';
import { newId, type Db, type TenantTx } from '../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../platform/http/index.ts';
import { userRoles } from '../accounts/roles/index.ts';
import { accountRole, role } from '../accounts/roles/tables.ts';
import { tenant } from '../accounts/tenants/tables.ts';
import { changed, recordAudit } from '../audit/index.ts';
import { startApp, startAppRole, type StartAppRow } from './tables.ts';

type UserContext = Context<UserCaller>;
type Body = Input<typeof contract.startApps.create>['body'];
type RoleName = StartApp['roles'][number];

const FIELDS = ['name', 'nameEn', 'icon', 'url', 'roles'] as const;
const targetOf = ({ id, name }: StartAppRow) => ({ kind: 'startApp', id, name });
const audited = ({ name, nameEn, icon, url, roles }: StartApp) => ({
  name,
  nameEn,
  icon,
  url,
  roles: roles.map((one) => one.name),
});

const inOrder = { orderBy: [asc(startApp.sort), asc(startApp.id)] };

/** The apps' roles by app. */
async function rolesOf(tx: TenantTx, appIds: readonly string[]): Promise<Map<string, RoleName[]>> {
  if (appIds.length === 0) return new Map();
  const [given, roles] = [tx.scoped(startAppRole), tx.scoped(role)];
  const rows = await tx
    .select({ appId: given.appId, id: roles.id, name: roles.name, nameEn: roles.nameEn })
    .from(given)
    .innerJoin(roles, eq(roles.id, given.roleId))
    .where(inArray(given.appId, [...appIds]))
    .orderBy(roles.name);
  return new Map(
    [...Map.groupBy(rows, (row) => row.appId)].map(([appId, list]) => [
      appId,
      list.map(({ id, name, nameEn }) => ({ id, name, nameEn })),
    ]),
  );
}

const presentApp = ({ id, name, nameEn, icon, url }: StartAppRow, order: number): App => ({
  id,
  name,
  nameEn,
  icon,
  url,
  order,
});

async function present(tx: TenantTx, rows: readonly StartAppRow[]): Promise<StartApp[]> {
  const roles = await rolesOf(
    tx,
    rows.map(({ id }) => id),
  );
  return rows.map((row, order) => ({
    ...presentApp(row, order),
    roles: roles.get(row.id) ?? [],
    version: row.version,
  }));
}

/** One app with its position among all. */
async function presentOne(tx: TenantTx, id: string): Promise<StartApp> {
  const found = (await present(tx, await tx.find(startApp, undefined, inOrder))).find((one) => one.id === id);
  if (!found) throw new Error('An app disappeared while it was presented.');
  return found;
}

/**
 * The values of a request without its roles, and these without duplicates.
 *
 * @throws AppError START_APP_ADDRESS_REFUSED, START_APP_ROLE_UNKNOWN
 */
async function checkedValues(tx: TenantTx, { roleIds, name, nameEn, icon, url }: Body) {
  if (!isAppAddress(url)) throw new AppError('START_APP_ADDRESS_REFUSED');
  const wanted = [...new Set(roleIds)];
  const known = wanted.length === 0 ? [] : await tx.find(role, inArray(role.id, wanted));
  if (known.length < wanted.length || known.some(({ kind }) => kind !== 'user'))
    throw new AppError('START_APP_ROLE_UNKNOWN');
  return { values: { name, nameEn, icon, url, isLimited: wanted.length > 0 }, roles: wanted };
}

async function storeRoles(tx: TenantTx, appId: string, roleIds: readonly string[]): Promise<void> {
  await tx.delete(startAppRole, eq(startAppRole.appId, appId));
  await tx.insert(
    startAppRole,
    roleIds.map((roleId) => ({ appId, roleId })),
  );
}

/** Until the end of the transaction, no other one adds or moves apps of the tenant. */
async function holdOrder(tx: TenantTx): Promise<StartAppRow[]> {
  await tx.findOne(tenant, eq(tenant.tenantId, tx.tenantId), { lock: 'no key update' });
  return tx.find(startApp, undefined, inOrder);
}

/** Apps for those who manage them. */
function createEditing({ db, now }: { db: Db; now: () => Date }) {
  return {
    /** @throws AppError START_APPS_FULL, START_APP_ADDRESS_REFUSED, START_APP_ROLE_UNKNOWN */
    create: (context: UserContext, body: Body): Promise<StartApp> =>
      db.tenant(context.caller.tenantId, async (tx) => {
        const { values, roles } = await checkedValues(tx, body);
        const there = await holdOrder(tx);
        if (there.length >= START_APP_LIMITS.apps)
          throw new AppError('START_APPS_FULL', { limit: START_APP_LIMITS.apps });
        const sort = (there.at(-1)?.sort ?? -1) + 1;
        const [row] = await tx.insert(startApp, { id: newId(), ...values, sort, createdAt: now() });
        if (!row) throw new Error('A new app was lost.');
        await storeRoles(tx, row.id, roles);
        const made = await presentOne(tx, row.id);
        await recordAudit(tx, context, now(), { target: targetOf(row), after: audited(made) });
        return made;
      }),

    /** @throws AppError NOT_FOUND, CHANGED_MEANWHILE, START_APP_ADDRESS_REFUSED, START_APP_ROLE_UNKNOWN */
    update: (
      context: UserContext,
      { id, version, ...body }: Body & { id: string; version: number },
    ): Promise<StartApp> =>
      db.tenant(context.caller.tenantId, async (tx) => {
        if (!(await tx.findOne(startApp, eq(startApp.id, id), { lock: 'update' }))) throw new AppError('NOT_FOUND');
        const { values, roles } = await checkedValues(tx, body);
        const before = await presentOne(tx, id);
        const [row] = await tx.update(
          startApp,
          { ...values, version: version + 1 },
          allOf(eq(startApp.id, id), eq(startApp.version, version)),
        );
        if (!row) throw new AppError('CHANGED_MEANWHILE');
        await storeRoles(tx, id, roles);
        const after = await presentOne(tx, id);
        await recordAudit(tx, context, now(), {
          target: targetOf(row),
          ...changed(audited(before), audited(after), FIELDS),
        });
        return after;
      }),

    /** @throws AppError NOT_FOUND */
    remove: (context: UserContext, id: string): Promise<null> =>
      db.tenant(context.caller.tenantId, async (tx) => {
        const row = await tx.findOne(startApp, eq(startApp.id, id), { lock: 'update' });
        if (!row) throw new AppError('NOT_FOUND');
        const before = audited(await presentOne(tx, id));
        await tx.delete(startApp, eq(startApp.id, id));
        await recordAudit(tx, context, now(), { target: targetOf(row), before });
        return null;
      }),
  };
}

/** Their order. */
function createSorting({ db, now }: { db: Db; now: () => Date }) {
  return {
    /** @throws AppError NOT_FOUND for an unknown app, CHANGED_MEANWHILE if apps are missing or named twice */
    sort: (context: UserContext, ids: readonly string[]): Promise<null> =>
      db.tenant(context.caller.tenantId, async (tx) => {
        const there = await holdOrder(tx);
        const names = new Map(there.map(({ id, name }) => [id, name]));
        if (ids.some((id) => !names.has(id))) throw new AppError('NOT_FOUND');
        if (new Set(ids).size !== ids.length || ids.length !== there.length) throw new AppError('CHANGED_MEANWHILE');
        for (const [sort, id] of ids.entries()) await tx.update(startApp, { sort }, eq(startApp.id, id));
        await recordAudit(tx, context, now(), {
          target: { kind: 'startApp', id: '', name: '' },
          before: { order: there.map(({ name }) => name) },
          after: { order: ids.map((id) => names.get(id) ?? '') },
        });
        return null;
      }),
  };
}

/** Apps of the start page. */
export function createStartApps(deps: { db: Db; now: () => Date }) {
  const { db } = deps;
  return {
    ...createEditing(deps),
    ...createSorting(deps),

    list: ({ caller }: UserContext): Promise<Data<typeof contract.startApps.list>> =>
      db.tenant(caller.tenantId, async (tx) => {
        const records = await present(tx, await tx.find(startApp, undefined, inOrder));
        return { records, total: records.length, roles: await userRoles(tx) };
      }),

    /** The apps that the caller may open. */
    own: ({ caller }: UserContext): Promise<App[]> =>
      db.tenant(caller.tenantId, async (tx) => {
        const rows = await tx.find(startApp, undefined, inOrder);
        if (rows.length === 0) return [];
        const held = new Set(
          (await tx.find(accountRole, eq(accountRole.accountId, caller.userId))).map(({ roleId }) => roleId),
        );
        const roles = await rolesOf(
          tx,
          rows.map(({ id }) => id),
        );
        return rows
          .filter(({ id, isLimited }) => !isLimited || (roles.get(id) ?? []).some((one) => held.has(one.id)))
          .map(presentApp);
      }),
  };
}

export type StartApps = ReturnType<typeof createStartApps>;
