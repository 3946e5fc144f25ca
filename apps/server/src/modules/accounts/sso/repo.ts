import type { SettingsOf, SsoChoice, SsoKind } from '@rmeet/contract';
import { asc, eq } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import type { PlatformTx, TenantTx } from '../../../platform/db/index.ts';
import type { SecretBox } from '../../../platform/secrets/index.ts';
import type { Peer } from './kinds.ts';
import { identityProvider, type IdentityProviderRow } from './tables.ts';

/** The identity providers of a tenant, in their order. */
export const findProviders = (tx: TenantTx): Promise<IdentityProviderRow[]> =>
  tx.find(identityProvider, undefined, { orderBy: [asc(identityProvider.sort), asc(identityProvider.name)] });

export const findAny = (tx: PlatformTx, id: string): Promise<IdentityProviderRow | undefined> =>
  tx.findOne(identityProvider, eq(identityProvider.id, id));

/** One that is in use. */
export const findEnabled = (tx: PlatformTx | TenantTx, id: string): Promise<IdentityProviderRow | undefined> =>
  (tx as Pick<TenantTx, 'findOne'>).findOne(
    identityProvider,
    allOf(eq(identityProvider.id, id), eq(identityProvider.enabled, true)),
  );

export const choiceOf = ({ id, name, kind }: IdentityProviderRow): SsoChoice => ({ id, name, kind });

/** What a secret is sealed for. */
const bindingOf = ({ tenantId, id }: { tenantId: string; id: string }): string => `identity provider ${tenantId} ${id}`;

export const sealSecret = (secrets: SecretBox, of: { tenantId: string; id: string }, secret: string): string =>
  secrets.seal(secret, bindingOf(of));

/** An identity provider with its secret open. */
export function peerOf(secrets: SecretBox, row: IdentityProviderRow): Peer {
  const { id, tenantId, version, name, settings, secretSealed } = row;
  const secret = secretSealed === null ? '' : secrets.open(secretSealed, bindingOf(row));
  return { id, tenantId, version, name, settings, secret };
}

/** The same of one kind; undefined if it is of another. */
export function peerOfKind<K extends SsoKind>(
  secrets: SecretBox,
  row: IdentityProviderRow,
  kind: K,
): Peer<SettingsOf<K>> | undefined {
  return row.settings.kind === kind ? (peerOf(secrets, row) as Peer<SettingsOf<K>>) : undefined;
}
