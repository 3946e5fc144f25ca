import type { ApiClient, contract, Data, Input, Page } from '@rmeet/contract';
import { eq, isNotNull, isNull } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import { isUniqueViolation, newId, type Db, type TenantTx } from '../../../platform/db/index.ts';
import { AppError, type AccountCaller, type Context } from '../../../platform/http/index.ts';
import { hashToken, newToken } from '../../../platform/secrets/index.ts';
import { changed, listTrail, presentAudit, recordAudit } from '../../audit/index.ts';
import { findTenant } from '../tenants/index.ts';
import { tenantMeant, type NewAccount } from '../users/index.ts';
import { account } from '../users/tables.ts';
import { pageOf, presentCall, presentClient, presentClients } from './present.ts';
import { storedKeysOf } from './public-keys.ts';
import { findClient, listCalls, listClients } from './repo.ts';
import { apiClient, apiGrant, apiSecret, apiToken, type ApiClientRow } from './tables.ts';

type Calls = typeof contract.apiRecords;
type AccountContext = Context<AccountCaller>;
type Details = Omit<Input<Calls['create']>['body'], 'tenantId'>;

export interface ApiRecordDeps {
  db: Db;
  now: () => Date;
  /** What clients need of accounts and roles. */
  accounts: {
    addAccount(tx: TenantTx, values: NewAccount, now: Date): Promise<{ id: string }>;
    grantRoles(tx: TenantTx, accountId: string, kind: 'user', roleIds: 'default'): Promise<void>;
  };
  /** What ends with a client. */
  onEnd: (tx: TenantTx, clientId: string) => Promise<void>;
}

const HOUR = 3_600_000;
const ENDING = 4;
const AUDITED = [
  'name',
  'description',
  'scopes',
  'networks',
  'perMinute',
  'wholeTenant',
  'actsForUsers',
  'publicKey',
  'enabled',
  'expiresAt',
] as const satisfies readonly (keyof ApiClientRow)[];

export const targetOf = ({ id, name }: Pick<ApiClientRow, 'id' | 'name'>) => ({ kind: 'apiClient', id, name });

/** @throws AppError NAME_TAKEN on a unique violation */
async function orTaken<T>(name: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isUniqueViolation(error, 'api_client_name_key')) throw new AppError('NAME_TAKEN', { name });
    throw error;
  }
}

/** The columns of a client's details. */
const valuesOf = ({ expiresAt, publicKey, ...rest }: Details) => ({
  ...rest,
  scopes: [...new Set(rest.scopes)],
  networks: [...new Set(rest.networks)],
  publicKey: storedKeysOf(publicKey),
  expiresAt: expiresAt === null ? null : new Date(expiresAt),
});

/** Stores a new secret and returns it. */
async function addSecret(tx: TenantTx, clientId: string, now: Date): Promise<string> {
  const secret = `rms_${newToken()}`;
  await tx.insert(apiSecret, {
    hash: hashToken(secret),
    clientId,
    ending: secret.slice(-ENDING),
    createdAt: now,
  });
  return secret;
}

/** The account as which a client acts without a person. It has no password, and signs in nowhere. */
function serviceAccount(id: string, { name, wholeTenant }: Details): NewAccount {
  return {
    kind: 'service',
    // People's names have no colon.
    account: `api:${id}`,
    name,
    phone: '',
    email: '',
    department: '',
    locale: 'zh',
    isTenantAdmin: wholeTenant,
    isSuperAdmin: false,
    passwordHash: '',
    passwordDue: false,
  };
}

/**
 * Runs `work` in the tenant of a client that the caller may reach. Unless it only reads, other changes of the client
 * wait for its end.
 */
export type WithClient = <T>(
  caller: AccountCaller,
  id: string,
  work: (tx: TenantTx, row: ApiClientRow) => Promise<T>,
  to?: 'read' | 'change',
) => Promise<T>;

/** @returns WithClient, which throws AppError NOT_FOUND, also for a client of another tenant */
export function createWithClient(db: Db): WithClient {
  return async (caller, id, work, to = 'change') => {
    const tenantId =
      caller.kind === 'user' ? caller.tenantId : (await db.platform((tx) => findClient(tx, id)))?.tenantId;
    if (tenantId === undefined) throw new AppError('NOT_FOUND');
    return db.tenant(tenantId, async (tx) => {
      const row = await findClient(tx, id, to === 'change');
      if (!row) throw new AppError('NOT_FOUND');
      return work(tx, row);
    });
  };
}

/** @throws AppError API_CLIENT_ENDED */
export function mustBeOpen({ endedAt }: ApiClientRow): void {
  if (endedAt) throw new AppError('API_CLIENT_ENDED');
}

/** Ends what a client no longer has: without a key its signed requests, with one its secrets. */
async function followKey(tx: TenantTx, before: ApiClientRow, after: ApiClientRow): Promise<void> {
  if (before.publicKey === after.publicKey) return;
  await tx.delete(apiToken, eq(apiToken.clientId, after.id));
  if (after.publicKey !== '') await tx.delete(apiSecret, eq(apiSecret.clientId, after.id));
}

/** API clients, for those who manage them. */
// oxlint-disable-next-line max-lines-per-function -- short methods of one resource
export function createApiRecordService({ db, now, accounts, onEnd }: ApiRecordDeps) {
  const withClient = createWithClient(db);

  async function insert(context: AccountContext, tx: TenantTx, body: Details) {
    const of = await findTenant(tx, tx.tenantId);
    if (of?.kind !== 'customer') throw new AppError('NOT_FOUND');
    const id = newId();
    const own = await accounts.addAccount(tx, serviceAccount(id, body), now());
    await accounts.grantRoles(tx, own.id, 'user', 'default');
    const values = { ...valuesOf(body), accountId: own.id, createdAt: now(), createdBy: context.caller.name };
    const [row] = await orTaken(body.name, tx.insert(apiClient, { id, ...values }));
    if (!row) throw new Error('The new client was not stored.');
    const secret = row.publicKey === '' ? await addSecret(tx, id, now()) : null;
    await recordAudit(tx, context, now(), {
      target: targetOf(row),
      after: Object.fromEntries(AUDITED.map((field) => [field, row[field]])),
    });
    return { client: await presentClient(tx, row, now()), secret };
  }

  return {
    async list({ caller }: AccountContext, query: Input<Calls['query']>['query']): Promise<Page<ApiClient>> {
      const tenantId = caller.kind === 'user' ? caller.tenantId : query.tenantId;
      const read = async (tx: Parameters<typeof listClients>[0]) => {
        const found = await listClients(tx, query, now());
        return pageOf({ ...found, rows: await presentClients(tx, found.rows, now()) }, query, (one) => one);
      };
      return tenantId === undefined ? db.platform(read) : db.tenant(tenantId, read);
    },

    show: ({ caller }: AccountContext, id: string): Promise<ApiClient> =>
      withClient(caller, id, (tx, row) => presentClient(tx, row, now()), 'read'),

    /** @throws AppError TENANT_REQUIRED, NAME_TAKEN, PUBLIC_KEY_INVALID, NOT_FOUND without such a tenant */
    create: (
      context: AccountContext,
      { tenantId, ...body }: Input<Calls['create']>['body'],
    ): Promise<Data<Calls['create']>> =>
      db.tenant(tenantMeant(context.caller, tenantId), (tx) => insert(context, tx, body)),

    /** @throws AppError NOT_FOUND, API_CLIENT_ENDED, CHANGED_MEANWHILE, NAME_TAKEN, PUBLIC_KEY_INVALID */
    update: (context: AccountContext, { id, version, ...body }: Input<Calls['update']>['body']): Promise<ApiClient> =>
      withClient(context.caller, id, async (tx, before) => {
        mustBeOpen(before);
        if (before.version !== version) throw new AppError('CHANGED_MEANWHILE');
        const set = { ...valuesOf(body), version: version + 1 };
        const [after] = await orTaken(body.name, tx.update(apiClient, set, eq(apiClient.id, id)));
        if (!after) throw new AppError('NOT_FOUND');
        await tx.update(
          account,
          { name: after.name, isTenantAdmin: after.wholeTenant },
          eq(account.id, after.accountId),
        );
        await followKey(tx, before, after);
        await recordAudit(tx, context, now(), { target: targetOf(after), ...changed(before, after, AUDITED) });
        return presentClient(tx, after, now());
      }),

    /** @throws AppError NOT_FOUND, API_CLIENT_ENDED, API_CLIENT_HAS_KEY */
    rotate: (context: AccountContext, id: string, overlapHours: number): Promise<Data<Calls['rotate']>> =>
      withClient(context.caller, id, async (tx, row) => {
        mustBeOpen(row);
        if (row.publicKey !== '') throw new AppError('API_CLIENT_HAS_KEY');
        if (overlapHours === 0) {
          await tx.delete(apiSecret, eq(apiSecret.clientId, id));
          await tx.delete(apiToken, eq(apiToken.clientId, id));
        } else {
          const until = new Date(now().getTime() + overlapHours * HOUR);
          const isNewest = allOf(eq(apiSecret.clientId, id), isNull(apiSecret.expiresAt));
          // One that was already replaced goes: two are valid at most.
          await tx.delete(apiSecret, allOf(eq(apiSecret.clientId, id), isNotNull(apiSecret.expiresAt)));
          await tx.update(apiSecret, { expiresAt: until }, isNewest);
        }
        const secret = await addSecret(tx, id, now());
        await recordAudit(tx, context, now(), {
          target: targetOf(row),
          before: { secret: '***' },
          after: { secret: '***', overlapHours },
        });
        return { client: await presentClient(tx, row, now()), secret };
      }),

    /** @throws AppError NOT_FOUND, API_CLIENT_ENDED */
    end: (context: AccountContext, id: string): Promise<ApiClient> =>
      withClient(context.caller, id, async (tx, before) => {
        mustBeOpen(before);
        const at = now();
        await tx.delete(apiToken, eq(apiToken.clientId, id));
        await tx.delete(apiSecret, eq(apiSecret.clientId, id));
        await tx.update(apiGrant, { endedAt: at }, allOf(eq(apiGrant.clientId, id), isNull(apiGrant.endedAt)));
        await tx.update(account, { enabled: false, isTenantAdmin: false }, eq(account.id, before.accountId));
        const set = { endedAt: at, enabled: false, version: before.version + 1 };
        const [after] = await tx.update(apiClient, set, eq(apiClient.id, id));
        if (!after) throw new AppError('NOT_FOUND');
        await onEnd(tx, id);
        await recordAudit(tx, context, at, {
          target: targetOf(after),
          before: { ended: false },
          after: { ended: true },
        });
        return presentClient(tx, after, at);
      }),

    trail: ({ caller }: AccountContext, id: string, paging: Input<Calls['trail']>['query']) =>
      withClient(caller, id, async (tx) => pageOf(await listTrail(tx, id, paging), paging, presentAudit), 'read'),

    calls: ({ caller }: AccountContext, id: string, query: Input<Calls['calls']>['query']) =>
      withClient(caller, id, async (tx) => pageOf(await listCalls(tx, id, query), query, presentCall), 'read'),
  };
}

export type ApiRecordService = ReturnType<typeof createApiRecordService>;
