import { SCIM_TOKENS_MAX, type contract, type ScimOverview } from '@rmeet/contract';
import { and, asc, eq } from 'drizzle-orm';
import { newId, type Db, type TenantTx } from '../../../../platform/db/index.ts';
import { AppError, type AccountCaller, type Handlers } from '../../../../platform/http/index.ts';
import { hashToken, newToken } from '../../../../platform/secrets/index.ts';
import { recordAudit } from '../../../audit/index.ts';
import { role } from '../../roles/tables.ts';
import { findOwnTenant } from '../../users/index.ts';
import { createScimGroups, grantByGroups } from './groups.ts';
import { scimGroup, scimMember, scimToken, type ScimGroupRow } from './tables.ts';
import type { ScimDeps } from './users.ts';

type Calls = typeof contract.scim;
type TokenRow = typeof scimToken.$inferSelect;

function mustAdminister(caller: AccountCaller): void {
  if (caller.kind !== 'user' || !caller.isTenantAdmin) throw new AppError('FORBIDDEN');
}

const presentToken = ({ id, name, createdAt, lastUsedAt }: TokenRow): ScimOverview['tokens'][number] => ({
  id,
  name,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});
const tokenTarget = ({ id, name }: TokenRow) => ({ kind: 'scimToken', id, name });

/** What tenant administrators set for directories that push. */
// oxlint-disable-next-line max-lines-per-function -- a flat list of short calls
export function createScimRoutes(deps: ScimDeps & { db: Db }): Handlers<Calls> {
  const { db, now } = deps;
  const groups = createScimGroups(deps);
  const presentGroups = async (tx: TenantTx, rows: readonly ScimGroupRow[]): Promise<ScimOverview['groups']> => {
    const members = await groups.sizes(tx);
    return rows.map(({ id, name, roleId }) => ({ id, name, roleId, members: members.get(id) ?? 0 }));
  };
  return {
    overview: ({ caller }) => {
      mustAdminister(caller);
      return db.tenant(caller.tenantId, async (tx) => ({
        tokens: (await tx.find(scimToken, undefined, { orderBy: asc(scimToken.createdAt) })).map(presentToken),
        groups: await presentGroups(
          tx,
          await tx.find(scimGroup, undefined, { orderBy: asc(scimGroup.name), limit: 500 }),
        ),
      }));
    },
    createToken: (context, { body }) => {
      mustAdminister(context.caller);
      return db.tenant(context.caller.tenantId, async (tx) => {
        // One change at a time, so that the number is counted.
        await findOwnTenant(tx, true);
        if ((await tx.count(scimToken)) >= SCIM_TOKENS_MAX) throw new AppError('SCIM_TOKENS');
        const token = newToken();
        const values = { id: newId(), name: body.name, hash: hashToken(token), createdAt: now() };
        const [row] = await tx.insert(scimToken, values);
        if (!row) throw new AppError('SERVICE_BUSY');
        await recordAudit(tx, context, now(), { target: tokenTarget(row), after: { name: row.name } });
        return { ...presentToken(row), token };
      });
    },
    removeToken: (context, { params }) => {
      mustAdminister(context.caller);
      return db.tenant(context.caller.tenantId, async (tx) => {
        const [row] = await tx.delete(scimToken, eq(scimToken.id, params.id));
        if (!row) throw new AppError('NOT_FOUND');
        await recordAudit(tx, context, now(), { target: tokenTarget(row), before: { name: row.name } });
        return null;
      });
    },
    setRole: (context, { params, body: { roleId } }) => {
      mustAdminister(context.caller);
      if (!context.caller.permissions.includes('users:grant')) throw new AppError('FORBIDDEN');
      return db.tenant(context.caller.tenantId, async (tx) => {
        const before = await tx.findOne(scimGroup, eq(scimGroup.id, params.id), { lock: 'update' });
        if (!before) throw new AppError('NOT_FOUND');
        if (roleId !== null && !(await tx.findOne(role, and(eq(role.id, roleId), eq(role.kind, 'user')))))
          throw new AppError('ROLE_UNKNOWN');
        const [row] = await tx.update(scimGroup, { roleId }, eq(scimGroup.id, params.id));
        if (!row) throw new AppError('NOT_FOUND');
        const members = await tx.find(scimMember, eq(scimMember.groupId, row.id));
        const people = members.map(({ accountId }) => accountId);
        await grantByGroups(tx, deps, people, before.roleId === null ? [] : [before.roleId]);
        await recordAudit(tx, context, now(), {
          target: { kind: 'scimGroup', id: row.id, name: row.name },
          before: { role: before.roleId },
          after: { role: roleId },
        });
        const [presented] = await presentGroups(tx, [row]);
        if (!presented) throw new AppError('NOT_FOUND');
        return presented;
      });
    },
  };
}
