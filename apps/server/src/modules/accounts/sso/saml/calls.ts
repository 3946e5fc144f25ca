import type { contract, Input } from '@rmeet/contract';
import { AppError, FileAnswer, type Context } from '../../../../platform/http/index.ts';
import { useOnceOf, type Attempts, type SsoDeps } from '../attempts.ts';
import { endSessionsOf } from '../logout.ts';
import { toPage } from '../redirects.ts';
import { findAny, peerOfKind } from '../repo.ts';
import type { IdentityProviderRow } from '../tables.ts';
import type { LogoutRequest } from './logout-request.ts';
import type { Saml, SamlPeer } from './saml.ts';

type Calls = typeof contract.sso;

/** What browsers bring from SAML identity providers. */
export function createSamlCalls(
  { db, log, secrets, sessions }: Pick<SsoDeps, 'db' | 'log' | 'secrets' | 'sessions'>,
  attempts: Pick<Attempts, 'keepAnswer'>,
  saml: Saml,
) {
  /** `enabled`: only one that signs people in now. @throws AppError SSO_UNKNOWN */
  async function found(id: string, enabled: boolean): Promise<{ provider: IdentityProviderRow; peer: SamlPeer }> {
    const provider = await db.platform((tx) => findAny(tx, id));
    const peer = provider && peerOfKind(secrets, provider, 'SAML');
    if (!provider || !peer || (enabled && !provider.enabled)) throw new AppError('SSO_UNKNOWN');
    return { provider, peer };
  }

  /** @throws AppError SSO_LOGOUT_INVALID */
  function read(peer: SamlPeer, { query, origin }: Context): LogoutRequest {
    try {
      return saml.readLogout(peer, query, origin);
    } catch (error) {
      log.warn({ providerId: peer.id, reason: (error as Error).message }, 'A request to sign out was refused');
      throw new AppError('SSO_LOGOUT_INVALID');
    }
  }

  return {
    async metadata({ origin }: Context, { params }: Input<Calls['samlMetadata']>): Promise<FileAnswer> {
      // Its administrator may prepare it before people use it.
      const { peer } = await found(params.providerId, false);
      const body = Buffer.from(saml.metadata(peer, origin));
      return new FileAnswer({ name: 'rmeet-metadata.xml', type: 'application/samlmetadata+xml', body });
    },

    /** Without a browser that waits, the page says so: no one is signed in by an answer that was not asked for. */
    async answer(_context: Context, { params, body }: Input<Calls['samlAnswer']>): Promise<FileAnswer> {
      const { provider } = await found(params.providerId, true);
      const { SAMLResponse, RelayState: state } = body;
      return toPage({ state, code: await attempts.keepAnswer(provider, state, SAMLResponse) });
    },

    /** Ends the sessions that a request names; an answer to this server's own request changes nothing more. */
    async logout(context: Context, { params, query }: Input<Calls['samlLogout']>): Promise<FileAnswer> {
      const { provider, peer } = await found(params.providerId, true);
      if (query.SAMLRequest === undefined) return FileAnswer.at('/', 0);
      const request = read(peer, context);
      const { id, subject, sessionIndexes, until } = request;
      if (!(await useOnceOf(db, provider, { id, until }))) throw new AppError('SSO_LOGOUT_INVALID');
      await db.tenant(provider.tenantId, async (tx) => {
        const sids = sessionIndexes.length === 0 ? [undefined] : sessionIndexes;
        for (const sid of sids) await endSessionsOf(tx, sessions, provider.id, { subject, sid });
      });
      return FileAnswer.at((await saml.answerLogout(peer, request, context.origin)) ?? '/', 0);
    },
  };
}

export type SamlCalls = ReturnType<typeof createSamlCalls>;
