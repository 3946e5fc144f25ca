import { setTimeout as wait } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { holdKey, type Db } from '../../../platform/db/index.ts';
import type { SecretBox } from '../../../platform/secrets/index.ts';
import { Refusal, type Peer } from './kinds.ts';
import { ssoToken } from './tables.ts';

/** A server that asks for a token has this long, ms: longer than a call may take (platform/outbound). */
const LEASE = 15_000;
/** How often a server looks whether another one has got the token, ms. */
const LOOK_EVERY = 250;
/** A token is replaced this long before it ends, ms: calls that are under way finish with it. */
const SPARE = 300_000;

type Asked = Pick<Peer, 'id' | 'tenantId' | 'version'>;
type Turn = { token: string } | 'mine' | 'wait';

const bindingOf = ({ id, version }: Asked): string => `sso token ${id} ${version}`;

/**
 * Tokens with which this product calls providers. Providers give one at a time and limit how often (WeCom's document
 * 91039): all servers share it, and one of them asks for a new one while the others wait.
 */
export function createTokens({ db, secrets, now }: { db: Db; secrets: SecretBox; now: () => Date }) {
  /** What this server is asking for. */
  const asking = new Map<string, Promise<string>>();

  /** The token that is stored, or whose turn it is to ask. No connection is held while the provider is asked. */
  const lookUp = (peer: Asked, refused: string | undefined): Promise<Turn> =>
    db.tenant(peer.tenantId, async (tx): Promise<Turn> => {
      await holdKey(tx, `sso token ${peer.id}`);
      const row = await tx.findOne(ssoToken, eq(ssoToken.providerId, peer.id));
      const isOwn = row?.version === peer.version;
      if (isOwn && row.tokenSealed !== null && row.expiresAt > now()) {
        const token = secrets.open(row.tokenSealed, bindingOf(peer));
        if (token !== refused) return { token };
      }
      if (isOwn && row.leasedUntil > now()) return 'wait';
      const leasedUntil = new Date(now().getTime() + LEASE);
      const values = { version: peer.version, tokenSealed: null, expiresAt: now(), leasedUntil };
      await tx.insert(ssoToken, { providerId: peer.id, ...values }, { target: ssoToken.providerId, set: values });
      return 'mine';
    });

  const store = (peer: Asked, values: { tokenSealed: string | null; expiresAt: Date }) =>
    db.tenant(peer.tenantId, (tx) =>
      tx.update(ssoToken, { ...values, leasedUntil: now() }, eq(ssoToken.providerId, peer.id)),
    );

  async function askFor(peer: Asked, ask: Ask): Promise<string> {
    try {
      const { token, lifetime } = await ask();
      const expiresAt = new Date(now().getTime() + Math.max(0, lifetime * 1_000 - SPARE));
      await store(peer, { tokenSealed: secrets.seal(token, bindingOf(peer)), expiresAt });
      return token;
    } catch (error) {
      // The next one need not wait for the end of the lease.
      await store(peer, { tokenSealed: null, expiresAt: now() });
      throw error;
    }
  }

  async function load(peer: Asked, ask: Ask, refused: string | undefined): Promise<string> {
    for (let waited = 0; waited <= LEASE; waited += LOOK_EVERY) {
      const turn = await lookUp(peer, refused);
      if (turn === 'mine') return askFor(peer, ask);
      if (turn !== 'wait') return turn.token;
      await wait(LOOK_EVERY);
    }
    throw new Refusal('busy', 'Another server waits for the token.');
  }

  return {
    /** `refused`: a token that the provider no longer accepts. Throws what `ask` throws. */
    tokenOf(peer: Asked, ask: Ask, refused?: string): Promise<string> {
      const key = JSON.stringify([peer.id, peer.version, refused]);
      const running = asking.get(key);
      if (running) return running;
      const started = load(peer, ask, refused).finally(() => asking.delete(key));
      asking.set(key, started);
      return started;
    },
  };
}

/** Gets a token; `lifetime` in s. */
type Ask = () => Promise<{ token: string; lifetime: number }>;

export type Tokens = ReturnType<typeof createTokens>;
