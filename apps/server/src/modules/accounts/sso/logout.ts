import type { contract, Data, Input } from '@rmeet/contract';
import { eq } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import { AppError, type AccountCaller, type Context } from '../../../platform/http/index.ts';
import { hashToken } from '../../../platform/secrets/index.ts';
import { whyUnreachable } from './http.ts';
import type { LogoutToken, Oidc } from './oidc.ts';
import { findEnabled, peerOf } from './repo.ts';
import { hintOf, type SsoDeps } from './sign-in.ts';
import { ssoSession, ssoUsed } from './tables.ts';

type Calls = typeof contract.sso;

/** The end of sessions, here and at the identity provider. */
export function createSsoLogout(deps: SsoDeps & { oidc: Pick<Oidc, 'readLogout'> }) {
  const { db, log, secrets, sessions, kindOf, oidc } = deps;

  async function read(providerId: string, token: string): Promise<LogoutToken & { tenantId: string }> {
    const provider = await db.platform((tx) => findEnabled(tx, providerId));
    if (provider?.settings.kind !== 'OIDC') throw new AppError('SSO_UNKNOWN');
    try {
      const peer = peerOf(secrets, provider);
      return { ...(await oidc.readLogout(peer, token)), tenantId: provider.tenantId };
    } catch (error) {
      const why = whyUnreachable(error);
      log.warn({ providerId, reason: why ?? (error as Error).message }, 'A logout token was refused');
      if (why !== undefined) throw new AppError('SSO_UNREACHABLE', { name: provider.name });
      throw new AppError('SSO_LOGOUT_INVALID');
    }
  }

  return {
    /** Ends the sessions that a logout token names. @throws AppError SSO_UNKNOWN, SSO_UNREACHABLE, SSO_LOGOUT_INVALID */
    async backchannel(
      _context: Context,
      { params: { providerId }, body }: Input<Calls['backchannelLogout']>,
    ): Promise<Data<Calls['backchannelLogout']>> {
      const { tenantId, jti, sub, sid, expiresAt } = await read(providerId, body.logout_token);
      await db.tenant(tenantId, async (tx) => {
        const [isNew] = await tx.insert(ssoUsed, { providerId, hash: hashToken(jti), expiresAt }, 'nothing');
        if (!isNew) throw new AppError('SSO_LOGOUT_INVALID');
        const rows = await tx.find(
          ssoSession,
          allOf(
            eq(ssoSession.providerId, providerId),
            ...(sub === undefined ? [] : [eq(ssoSession.subject, sub)]),
            ...(sid === undefined ? [] : [eq(ssoSession.sid, sid)]),
          ),
        );
        for (const { accountId, sessionId } of rows) await sessions.endOwn(tx, accountId, sessionId);
      });
      return null;
    },

    /** Where the provider ends the caller's session, too; null if none opened it, or it cannot. Never fails. */
    async endAddress({ caller, origin }: Context<AccountCaller>): Promise<string | null> {
      const found = await db.tenant(caller.tenantId, async (tx) => {
        const row = await tx.findOne(ssoSession, eq(ssoSession.sessionId, caller.sessionId));
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
