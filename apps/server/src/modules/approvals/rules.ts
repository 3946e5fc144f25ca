import { and, eq } from 'drizzle-orm';
import type { ApprovalRules, contract, Input } from '@rmeet/contract';
import type { Db, TenantTx } from '../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../platform/http/index.ts';
import { findTenant } from '../accounts/tenants/index.ts';
import { changed, recordAudit } from '../audit/index.ts';
import { approvalRule } from './tables.ts';

type UserContext = Context<UserCaller>;
type Body = Input<typeof contract.approvals.updateRules>['body'];

const FIELDS = [
  'all',
  'types',
  'vip',
  'longerThan',
  'morePeopleThan',
] as const satisfies readonly (keyof ApprovalRules)[];
/** The rules of a tenant without settings. */
const NONE: ApprovalRules = { all: false, types: [], vip: false, longerThan: null, morePeopleThan: null, version: 0 };

async function read(tx: TenantTx): Promise<ApprovalRules> {
  const row = await tx.findOne(approvalRule);
  if (!row) return NONE;
  const { tenantId: _, ...rules } = row;
  return rules;
}

/** Which meetings of a tenant need approval. */
export function createApprovalRules({ db, now }: { db: Db; now: () => Date }) {
  return {
    read: ({ caller }: UserContext): Promise<ApprovalRules> => db.tenant(caller.tenantId, read),

    /** @throws AppError CHANGED_MEANWHILE */
    update: (context: UserContext, { version, ...body }: Body): Promise<ApprovalRules> =>
      db.tenant(context.caller.tenantId, async (tx) => {
        const before = await read(tx);
        const values = { ...body, types: [...new Set(body.types)], version: version + 1 };
        // Of two concurrent first settings the second is rejected.
        const [row] =
          version === 0
            ? await tx.insert(approvalRule, values, 'nothing')
            : await tx.update(
                approvalRule,
                values,
                and(eq(approvalRule.tenantId, tx.tenantId), eq(approvalRule.version, version)),
              );
        if (!row) throw new AppError('CHANGED_MEANWHILE');
        const after = await read(tx);
        const target = { kind: 'tenant', id: tx.tenantId, name: (await findTenant(tx, tx.tenantId))?.name ?? '' };
        await recordAudit(tx, context, now(), { target, ...changed(before, after, FIELDS) });
        return after;
      }),
  };
}

export type ApprovalRuleService = ReturnType<typeof createApprovalRules>;
