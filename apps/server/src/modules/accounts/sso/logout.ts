import type { contract, Data, Input } from '@rmeet/contract';
import { eq, inArray, isNull } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import type { TenantTx } from '../../../platform/db/index.ts';
import { AppError, type AccountCaller, type Context } from '../../../platform/http/index.ts';
import type { Sessions } from '../auth/index.ts';
import { session } from '../auth/tables.ts';
import { useOnceOf, type SsoDeps } from './attempts.ts';
import { whyUnreachable } from './http.ts';
import type { LogoutToken, Oidc } from './oidc.ts';
import { findEnabled, peerOfKind, peerOf } from './repo.ts';
import { hintOf } from './sign-in.ts';
import { ssoSession } from './tables.ts';

type Calls = typeof contract.sso;

/** Which sessions of a provider end: those of a person, of one of its sessions, or both. */
export interface Ended {
  subject?: string | undefined;
  sid?: string | undefined;
}

/** Ends the sessions here that come from sessions of a provider. Without any condition, none. */
export async function endSessionsOf(
  tx: TenantTx,
  sessions: Pick<Sessions, 'endOwn'>,
  providerId: string,
  { subject, sid }: Ended,
): Promise<void> {
  if (subject === undefined && sid === undefined) return;
  const origins = await tx.find(
    ssoSession,
    allOf(
      eq(ssoSession.providerId, providerId),
      ...(subject === undefined ? [] : [eq(ssoSession.subject, subject)]),
      ...(sid === undefined ? [] : [eq(ssoSession.sid, sid)]),
    ),
  );
  if (origins.length === 0) return;
  const ids = origins.map(({ id }) => id);
  const opened = await tx.find(session, allOf(inArray(session.originId, ids), isNull(session.endedAt)));
  for (const { accountId, id } of opened) await sessions.endOwn(tx, accountId, id);
}

/** The end of sessions, here and at the identity provider. */
export function createSsoLogout(deps: SsoDeps & { oidc: Pick<Oidc, 'readLogout'> }) {
  const { db, log, secrets, sessions, kindOf, oidc } = deps;

  async function read(providerId: string, token: string): Promise<LogoutToken & { tenantId: string }> {
    const provider = await db.platform((tx) => findEnabled(tx, providerId));
    const peer = provider && peerOfKind(secrets, provider, 'OIDC');
    if (!provider || !peer) throw new AppError('SSO_UNKNOWN');
    try {
      return { ...(await oidc.readLogout(peer, token)), tenantId: provider.tenantId };
    } catch (error) {
      const why = whyUnreachable(error);
      log.warn({ providerId, reason: why ?? (error as Error).message }, 'A logout token was refused');
      if (why !== undefined) throw new AppError('SSO_UNREACHABLE', { name: provider.name });
      throw new AppError('SSO_LOGOUT_INVALID');
    }
  }

  return {
    /** Ends the sessions of a logout token. @throws AppError SSO_UNKNOWN, SSO_UNREACHABLE, SSO_LOGOUT_INVALID */
    async backchannel(
      _context: Context,
      { params: { providerId }, body }: Input<Calls['backchannelLogout']>,
    ): Promise<Data<Calls['backchannelLogout']>> {
      const { tenantId, jti, sub: subject, sid, expiresAt } = await read(providerId, body.logout_token);
      const isNew = await useOnceOf(db, { id: providerId, tenantId }, { id: jti, until: expiresAt });
      if (!isNew) throw new AppError('SSO_LOGOUT_INVALID');
      await db.tenant(tenantId, (tx) => endSessionsOf(tx, sessions, providerId, { subject, sid }));
      return null;
    },

    /** Where the provider ends the caller's session, too; null if none opened it, or it cannot. Never fails. */
    async endAddress({ caller, origin }: Context<AccountCaller>): Promise<string | null> {
      const found = await db.tenant(caller.tenantId, async (tx) => {
        const own = await tx.findOne(session, eq(session.id, caller.sessionId));
        const row = own?.originId && (await tx.findOne(ssoSession, eq(ssoSession.id, own.originId)));
        const provider = row && (await findEnabled(tx, row.providerId));
        return provider && { row, provider };
      });
      if (!found) return null;
      const { row, provider } = found;
      try {
        return await kindOf(provider).endAddress(peerOf(secrets, provider), hintOf(secrets, row), `${origin}/`);
      } catch (error) {
        log.warn({ providerId: provider.id, reason: (error as Error).message }, 'An identity provider ends no session');
        return null;
      }
    },
  };
}
