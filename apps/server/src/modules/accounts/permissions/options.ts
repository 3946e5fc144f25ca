import { eq } from 'drizzle-orm';
import { ENTRY_TYPES, type contract, type Data, type Input } from '@rmeet/contract';
import type { Db } from '../../../platform/db/index.ts';
import { AppError, type AccountCaller, type Context } from '../../../platform/http/index.ts';
import { tenant } from '../tenants/tables.ts';
import { tenantMeant } from '../users/index.ts';
import { grantableTo, isDenied } from './decide.ts';
import { isInUse } from './present.ts';
import { findEntries } from './repo.ts';
import { treeOrder } from './tree.ts';

/** The entries that can be granted to users individually. */
export function createOptions({ db }: { db: Db }) {
  return {
    /**
     * The entries that can be granted to a user, in the order of the tree, without menus that require a code: they
     * follow the code.
     *
     * @throws AppError TENANT_REQUIRED, NOT_FOUND
     */
    async options(
      { caller }: Context<AccountCaller>,
      { tenantId }: Input<typeof contract.permissions.options>['query'],
    ): Promise<Data<typeof contract.permissions.options>> {
      return db.tenant(tenantMeant(caller, tenantId), async (tx) => {
        const of = await tx.findOne(tenant, eq(tenant.tenantId, tx.tenantId));
        if (!of) throw new AppError('NOT_FOUND');
        const entries = treeOrder(await findEntries(tx));
        const offered = entries.filter(
          (entry) =>
            grantableTo(entry).includes('user') && (entry.type === ENTRY_TYPES.permission || entry.code === null),
        );
        return offered.map((entry) => {
          const { id, code, type, name, nameEn } = entry;
          return {
            id,
            code,
            type,
            name,
            nameEn,
            inUse: isInUse(entry, entries),
            denied: isDenied(of.deniedFeatures, code),
          };
        });
      });
    },
  };
}
