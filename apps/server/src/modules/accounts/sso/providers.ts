import { X509Certificate } from 'node:crypto';
import {
  IDENTITY_PROVIDERS_MAX,
  type contract,
  type Data,
  type IdentityProvider,
  type Input,
  type ProviderSettings,
  type SamlMetadata,
} from '@rmeet/contract';
import { count, eq, inArray } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import { isUniqueViolation, newId, type TenantTx } from '../../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../../platform/http/index.ts';
import { changed, recordAudit } from '../../audit/index.ts';
import { role } from '../roles/tables.ts';
import type { SsoDeps } from './attempts.ts';
import { isForbidden, whyUnreachable, type SsoHttp } from './http.ts';
import { redirectUriOf } from './kinds.ts';
import { findProviders, sealSecret } from './repo.ts';
import { newSigningKey } from './saml/certificate.ts';
import { readMetadata } from './saml/metadata.ts';
import { accountIdentity, identityProvider, type IdentityProviderRow } from './tables.ts';

type Calls = typeof contract.identityProviders;
type Body = Input<Calls['create']>['body'];
type UserContext = Context<UserCaller>;

export interface ProviderDeps extends Pick<SsoDeps, 'db' | 'now' | 'secrets' | 'kindOf'> {
  http: Pick<SsoHttp, 'allows' | 'call'>;
  /** The addresses of this server; empty if none is known. */
  publicUrls: () => readonly string[];
}

const AUDITED = ['name', 'enabled', 'sort', 'settings', 'rules'] as const;
const targetOf = ({ id, name }: IdentityProviderRow) => ({ kind: 'identityProvider', id, name });

/** Who sets up identity providers can sign in as anyone of the tenant. @throws AppError FORBIDDEN */
function mustAdminister({ caller }: UserContext): void {
  if (!caller.isTenantAdmin) throw new AppError('FORBIDDEN');
}

/** The addresses that this server calls, as they are entered. People go to those of SAML, this server does not. */
function addressesOf(settings: ProviderSettings): string[] {
  if (settings.kind === 'OIDC') return [settings.issuer];
  if (settings.kind === 'CAS') return [settings.server];
  return settings.kind === 'SAML' ? [] : [settings.api, settings.page];
}

/** What the secret is sent to: if it changes, the secret must be entered again. */
function receiverOf(settings: ProviderSettings): string {
  if (settings.kind === 'OIDC') return JSON.stringify([settings.issuer, settings.clientId]);
  return JSON.stringify('api' in settings ? [settings.api, settings.clientId] : []);
}

/** Whether an administrator enters a secret. */
function needsSecret(settings: ProviderSettings): boolean {
  if (settings.kind === 'OIDC') return settings.clientAuth !== 'none';
  return settings.kind !== 'SAML' && settings.kind !== 'CAS';
}

/** @throws AppError SSO_METADATA_INVALID */
function mustHaveCertificates(settings: ProviderSettings): void {
  if (settings.kind !== 'SAML') return;
  try {
    for (const one of settings.certificates) void new X509Certificate(Buffer.from(one, 'base64'));
  } catch {
    throw new AppError('SSO_METADATA_INVALID', { reason: 'X509Certificate' });
  }
}

/** How many accounts are linked to each provider; those without any are missing. */
async function countIdentities(tx: TenantTx): Promise<Map<string, number>> {
  const identities = tx.scoped(accountIdentity);
  const rows = await tx
    .select({ id: identities.providerId, n: count() })
    .from(identities)
    .groupBy(identities.providerId);
  return new Map(rows.map(({ id, n }) => [id, n]));
}

function present(row: IdentityProviderRow, identities: number): IdentityProvider {
  const { id, kind, name, enabled, sort, settings, rules, secretSealed, version } = row;
  const hasSecret = needsSecret(settings) && secretSealed !== null;
  return { id, kind, name, enabled, sort, settings, rules, hasSecret, identities, version };
}

/** @throws AppError ROLE_UNKNOWN */
async function mustKnowRoles(tx: TenantTx, { rules: { roles } }: Body): Promise<void> {
  const ids = [...new Set(roles.map(({ roleId }) => roleId))];
  if (ids.length === 0) return;
  const found = await tx.find(role, allOf(inArray(role.id, ids), eq(role.kind, 'user')));
  if (found.length < ids.length) throw new AppError('ROLE_UNKNOWN');
}

/** @throws AppError NAME_TAKEN on a unique violation */
async function orNameTaken<T>(name: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isUniqueViolation(error, 'identity_provider_name_key')) throw new AppError('NAME_TAKEN', { name });
    throw error;
  }
}

/** The identity providers of the caller's tenant. */
// oxlint-disable-next-line max-lines-per-function -- one short method for each call
export function createIdentityProviders({ db, now, secrets, kindOf, http, publicUrls }: ProviderDeps) {
  /** The secret of a provider, sealed: entered, kept, or for SAML, made here. @throws AppError SSO_SECRET_REQUIRED */
  async function secretOf(
    { settings, secret }: Body,
    of: { tenantId: string; id: string },
    before: IdentityProviderRow | undefined,
  ): Promise<string | null> {
    const isSame = before !== undefined && receiverOf(before.settings) === receiverOf(settings);
    const kept = isSame ? before.secretSealed : null;
    if (settings.kind === 'SAML')
      return kept ?? sealSecret(secrets, of, JSON.stringify(await newSigningKey('Rmeet', now())));
    if (!needsSecret(settings)) return null;
    const sealed = secret === undefined ? kept : sealSecret(secrets, of, secret);
    if (sealed === null) throw new AppError('SSO_SECRET_REQUIRED');
    return sealed;
  }

  /** @throws AppError SSO_ADDRESS_REFUSED, SSO_SECRET_REQUIRED, SSO_METADATA_INVALID */
  async function columnsOf(body: Body, of: { tenantId: string; id: string }, before: IdentityProviderRow | undefined) {
    const { name, enabled, sort, settings, rules } = body;
    const refused = addressesOf(settings).find((url) => !http.allows(url));
    if (refused !== undefined) throw new AppError('SSO_ADDRESS_REFUSED', { host: new URL(refused).host });
    mustHaveCertificates(settings);
    return { name, enabled, sort, settings, rules, secretSealed: await secretOf(body, of, before) };
  }

  /** @throws AppError NOT_FOUND */
  async function found(tx: TenantTx, id: string): Promise<IdentityProviderRow> {
    const row = await tx.findOne(identityProvider, eq(identityProvider.id, id), { lock: 'update' });
    if (!row) throw new AppError('NOT_FOUND');
    return row;
  }

  return {
    list: ({ caller, origin }: UserContext): Promise<Data<Calls['list']>> =>
      db.tenant(caller.tenantId, async (tx) => {
        const [rows, identities] = [await findProviders(tx), await countIdentities(tx)];
        const origins = publicUrls().length === 0 ? [origin] : publicUrls();
        return {
          records: rows.map((row) => present(row, identities.get(row.id) ?? 0)),
          redirectUris: origins.map((one) => redirectUriOf(one)),
          loggedOutUris: origins.map((one) => `${one}/`),
          backchannelLogoutUri: `${origins[0]}/api/sso/backchannel-logout/`,
          samlUri: `${origins[0]}/api/sso/saml/`,
          casUri: `${origins[0]}/api/sso/cas/`,
          can: { update: caller.isTenantAdmin },
        };
      }),

    async create(context: UserContext, { body }: Input<Calls['create']>): Promise<IdentityProvider> {
      mustAdminister(context);
      const { tenantId } = context.caller;
      const id = newId();
      const columns = await columnsOf(body, { tenantId, id }, undefined);
      const work = db.tenant(tenantId, async (tx) => {
        await mustKnowRoles(tx, body);
        if ((await tx.count(identityProvider)) >= IDENTITY_PROVIDERS_MAX)
          throw new AppError('SSO_PROVIDERS_MAX', { limit: IDENTITY_PROVIDERS_MAX });
        const { kind } = body.settings;
        const [row] = await tx.insert(identityProvider, { id, kind, createdAt: now(), ...columns });
        if (!row) throw new Error('An identity provider was not stored.');
        await recordAudit(tx, context, now(), {
          target: targetOf(row),
          after: changed({} as IdentityProviderRow, row, AUDITED).after,
        });
        return present(row, 0);
      });
      return orNameTaken(body.name, work);
    },

    update(context: UserContext, { params: { id }, body }: Input<Calls['update']>): Promise<IdentityProvider> {
      mustAdminister(context);
      const { tenantId } = context.caller;
      const work = db.tenant(tenantId, async (tx) => {
        const before = await found(tx, id);
        if (before.version !== body.version) throw new AppError('CHANGED_MEANWHILE');
        if (before.kind !== body.settings.kind) throw new AppError('NOT_FOUND');
        await mustKnowRoles(tx, body);
        const columns = await columnsOf(body, { tenantId, id }, before);
        const [after] = await tx.update(
          identityProvider,
          { ...columns, version: before.version + 1 },
          eq(identityProvider.id, id),
        );
        if (!after) throw new AppError('NOT_FOUND');
        const isNewSecret = body.secret !== undefined && needsSecret(body.settings);
        const difference = changed(before, after, AUDITED);
        await recordAudit(tx, context, now(), {
          target: targetOf(after),
          before: { ...difference.before, ...(isNewSecret ? { secret: before.secretSealed && '***' } : {}) },
          after: { ...difference.after, ...(isNewSecret ? { secret: '***' } : {}) },
        });
        return present(after, (await countIdentities(tx)).get(id) ?? 0);
      });
      return orNameTaken(body.name, work);
    },

    async remove(context: UserContext, { params: { id } }: Input<Calls['remove']>): Promise<null> {
      mustAdminister(context);
      await db.tenant(context.caller.tenantId, async (tx) => {
        const row = await found(tx, id);
        const identities = (await countIdentities(tx)).get(id) ?? 0;
        await tx.delete(identityProvider, eq(identityProvider.id, id));
        await recordAudit(tx, context, now(), {
          target: targetOf(row),
          before: { ...changed({} as IdentityProviderRow, row, AUDITED).after, identities },
        });
      });
      return null;
    },

    check(context: UserContext, { body }: Input<Calls['check']>): Promise<Data<Calls['check']>> {
      mustAdminister(context);
      const { settings, secret } = body;
      return kindOf(settings).check(settings, secret);
    },

    async readSamlMetadata(
      context: UserContext,
      { body: { xml, url } }: Input<Calls['readSamlMetadata']>,
    ): Promise<SamlMetadata> {
      mustAdminister(context);
      const text = xml ?? (await download(http, url ?? ''));
      try {
        return readMetadata(text);
      } catch (error) {
        throw new AppError('SSO_METADATA_INVALID', { reason: (error as Error).message.slice(0, 200) });
      }
    },
  };
}

/** @throws AppError SSO_ADDRESS_REFUSED, SSO_METADATA_UNREACHABLE */
async function download(http: ProviderDeps['http'], url: string): Promise<string> {
  const { host } = new URL(url);
  if (!http.allows(url)) throw new AppError('SSO_ADDRESS_REFUSED', { host });
  try {
    const { status, text } = await http.call(url, { headers: { accept: 'application/samlmetadata+xml, */*' } });
    if (status === 200) return text;
    throw new AppError('SSO_METADATA_UNREACHABLE', { reason: `HTTP ${status}` });
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (isForbidden(error)) throw new AppError('SSO_ADDRESS_REFUSED', { host });
    throw new AppError('SSO_METADATA_UNREACHABLE', { reason: whyUnreachable(error) ?? (error as Error).name });
  }
}
