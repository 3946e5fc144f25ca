import { SIGN_IN_MODES, type SignInMode } from '@rmeet/contract';
import type { Db } from '../../../platform/db/index.ts';
import { findTenantBy } from '../tenants/index.ts';
import type { PhoneCodes } from './phone-codes.ts';

/**
 * The ways to sign in that work for the people of a tenant, by its id or name, the usual one first. For an unknown
 * tenant or without one, all that work on the platform.
 */
export const createModes =
  ({ db, phoneCodes }: { db: Db; phoneCodes: Pick<PhoneCodes, 'canSend'> }) =>
  async (tenantUri: string | undefined): Promise<SignInMode[]> => {
    const tenant = tenantUri === undefined ? undefined : await db.platform((tx) => findTenantBy(tx, tenantUri));
    const canSend = await phoneCodes.canSend(tenant?.tenantId);
    return (tenant?.signInModes ?? SIGN_IN_MODES).filter((mode) => mode !== 'SMS' || canSend);
  };
