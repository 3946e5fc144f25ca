import type { ApiGrant, contract, Input, OfferedClient, Page } from '@rmeet/contract';
import { and, eq, isNull, sql, type SQL } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import { newId, type Db, type TenantTx } from '../../../platform/db/index.ts';
import { AppError, type AccountCaller, type Context, type UserCaller } from '../../../platform/http/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { pageOf, presentGrant } from './present.ts';
import { clientsGrantedByTenant, findClient, listGrants, stateOf } from './repo.ts';
import { createWithClient, mustBeOpen, targetOf } from './service.ts';
import { apiClient, apiGrant, apiToken, type ApiClientRow, type ApiGrantRow } from './tables.ts';

type AccountContext = Context<AccountCaller>;
type UserContext = Context<UserCaller>;

const isOpen = isNull(apiGrant.endedAt);

/** @throws AppError NOT_OFFERED for a client that does not act for users */
function mustAct(row: ApiClientRow): void {
  if (!row.actsForUsers) throw new AppError('NOT_OFFERED');
}

/** The open consent, which is made if there is none. */
async function grant(
  now: Date,
  tx: TenantTx,
  context: UserContext,
  row: ApiClientRow,
  accountId: string | null,
): Promise<ApiGrantRow> {
  mustAct(row);
  const values = { id: newId(), clientId: row.id, accountId, grantedBy: context.caller.name, grantedAt: now };
  const [made] = await tx.insert(apiGrant, values, 'nothing');
  await recordAudit(tx, context, now, {
    target: targetOf(row),
    before: { actsFor: null },
    after: { actsFor: accountId === null ? '*' : context.caller.account },
  });
  const isSame = accountId === null ? isNull(apiGrant.accountId) : eq(apiGrant.accountId, accountId);
  const found = made ?? (await tx.findOne(apiGrant, and(eq(apiGrant.clientId, row.id), isSame, isOpen)));
  if (!found) throw new AppError('SERVICE_BUSY');
  return found;
}

/** Ends a grant and its tokens. @throws AppError NOT_FOUND */
async function end(now: Date, tx: TenantTx, context: AccountContext, which: SQL): Promise<void> {
  const [ended] = await tx.update(apiGrant, { endedAt: now }, allOf(which, isOpen));
  const client = ended && (await findClient(tx, ended.clientId));
  if (!client) throw new AppError('NOT_FOUND');
  await tx.delete(apiToken, eq(apiToken.grantId, ended.id));
  await recordAudit(tx, context, now, {
    target: targetOf(client),
    before: { actsFor: ended.accountId === null ? '*' : ended.grantedBy },
    after: { actsFor: null },
  });
}

/** The clients to which a person may consent, or did, with that consent. */
async function offeredTo(tx: TenantTx, userId: string, now: Date): Promise<OfferedClient[]> {
  const rows = await tx.find(apiClient, allOf(eq(apiClient.actsForUsers, true), isNull(apiClient.endedAt)), {
    orderBy: sql`lower(${apiClient.name})`,
  });
  const open = await tx.find(apiGrant, and(eq(apiGrant.accountId, userId), isOpen));
  const own = new Map(open.map((row) => [row.clientId, row]));
  const granted = await clientsGrantedByTenant(
    tx,
    rows.map((row) => row.id),
  );
  return rows
    .filter((row) => stateOf(row, now) === 'active' || own.has(row.id))
    .map(({ id, name, description, scopes }) => {
      const mine = own.get(id);
      return {
        clientId: id,
        name,
        description,
        scopes,
        grant: mine
          ? {
              id: mine.id,
              grantedAt: mine.grantedAt.toISOString(),
              lastUsedAt: mine.lastUsedAt?.toISOString() ?? null,
            }
          : null,
        grantedByTenant: granted.has(id),
      };
    });
}

/** Who may be acted for by which client: consents of users, and of administrators for all of them. */
export function createGrants({ db, now }: { db: Db; now: () => Date }) {
  const withClient = createWithClient(db);

  return {
    list: (
      { caller }: AccountContext,
      id: string,
      paging: Input<typeof contract.apiRecords.grants>['query'],
    ): Promise<Page<ApiGrant>> =>
      withClient(caller, id, async (tx) => pageOf(await listGrants(tx, id, paging), paging, presentGrant), 'read'),

    /** @throws AppError NOT_FOUND */
    end: (context: AccountContext, id: string, grantId: string): Promise<void> =>
      withClient(context.caller, id, (tx) =>
        end(now(), tx, context, allOf(eq(apiGrant.id, grantId), eq(apiGrant.clientId, id))),
      ),

    /** @throws AppError FORBIDDEN but for administrators, NOT_FOUND, API_CLIENT_ENDED, NOT_OFFERED */
    forTenant: (context: UserContext, id: string): Promise<ApiGrant> =>
      withClient(context.caller, id, async (tx, row) => {
        if (!context.caller.isTenantAdmin) throw new AppError('FORBIDDEN');
        mustBeOpen(row);
        const made = await grant(now(), tx, context, row, null);
        return presentGrant({ ...made, account: null, name: null });
      }),

    offered: ({ caller }: UserContext): Promise<OfferedClient[]> =>
      db.tenant(caller.tenantId, (tx) => offeredTo(tx, caller.userId, now())),

    /** @throws AppError NOT_FOUND, NOT_OFFERED */
    grantOwn: (context: UserContext, clientId: string): Promise<void> =>
      withClient(context.caller, clientId, async (tx, row) => {
        if (row.endedAt) throw new AppError('NOT_FOUND');
        await grant(now(), tx, context, row, context.caller.userId);
      }),

    /** @throws AppError NOT_FOUND */
    endOwn: (context: UserContext, id: string): Promise<void> =>
      db.tenant(context.caller.tenantId, (tx) =>
        end(now(), tx, context, allOf(eq(apiGrant.id, id), eq(apiGrant.accountId, context.caller.userId))),
      ),
  };
}

export type ApiGrants = ReturnType<typeof createGrants>;
