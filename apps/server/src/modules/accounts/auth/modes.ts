import { SIGN_IN_MODES, type SignInMode, type SsoChoice } from '@rmeet/contract';
import type { Db } from '../../../platform/db/index.ts';
import { findOnlyTenant, findTenantBy } from '../tenants/index.ts';
import { partyAt } from './passkeys/party.ts';
import type { PhoneCodes } from './phone-codes.ts';

export type Modes = (
  tenantUri: string | undefined,
  at: Parameters<typeof partyAt>[0],
) => Promise<{ modes: SignInMode[]; providers: SsoChoice[] }>;

interface ModesDeps {
  db: Db;
  phoneCodes: Pick<PhoneCodes, 'canSend'>;
  /** Whether a tenant trusts certificate authorities (module certificates, which builds on this one). */
  takesCertificates: (tenantId: string) => Promise<boolean>;
  /** The identity providers of a tenant that sign people in (module sso, which builds on this one). */
  providersOf: (tenantId: string) => Promise<SsoChoice[]>;
  publicUrls: () => readonly string[];
}

/**
 * The ways to sign in that work for the people of a tenant, by its id or name, the usual one first. If none is named,
 * for those of the only tenant. For an unknown tenant, or one of several, all that work on the platform. `at`: where
 * the call was sent to and from, because passkeys do not work at every address.
 */
export const createModes =
  ({ db, phoneCodes, providersOf, takesCertificates, publicUrls }: ModesDeps): Modes =>
  async (tenantUri, at) => {
    const tenant = await db.platform((tx) =>
      tenantUri === undefined ? findOnlyTenant(tx) : findTenantBy(tx, tenantUri),
    );
    const canSend = await phoneCodes.canSend(tenant?.tenantId);
    const offered = tenant?.signInModes ?? SIGN_IN_MODES;
    const providers = tenant && offered.includes('SSO') ? await providersOf(tenant.tenantId) : [];
    const canUseCertificates =
      tenant !== undefined && offered.includes('CERTIFICATE') && (await takesCertificates(tenant.tenantId));
    const works: Partial<Record<SignInMode, boolean>> = {
      SMS: canSend,
      SSO: providers.length > 0,
      CERTIFICATE: canUseCertificates,
      PASSKEY: partyAt(at, publicUrls()).party !== null,
    };
    return { modes: offered.filter((mode) => works[mode] ?? true), providers };
  };
