import type { contract, Data, Input, ProviderConfig } from '@rmeet/contract';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import type { Context, Handlers, UserCaller } from '../../../platform/http/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { watchLink } from '../../meetings/index.ts';
import type { IngestHostRow } from '../ingest/tables.ts';
import { ingestHosts } from '../ingest/hosts.ts';
import { ingestOf } from '../manual/addresses.ts';
import { managedBy, type Broadcast } from '../access.ts';
import { findTargets, presentTarget, replaceTargets, type TargetDeps } from './targets.ts';

type UserContext = Context<UserCaller>;

export interface ProviderDeps extends TargetDeps {
  db: Db;
  /** The address of the playlist for an account, which works for a while. */
  playlistFor: (context: UserContext, broadcastId: string) => string;
  /** Where encoders send outside streams by RTMP, if that is configured. */
  ingestUrl: string | undefined;
  ingestPort: number;
}

/** Where broadcasts are played and pushed to, for those who manage them. */
export function createProviders(deps: ProviderDeps) {
  const { db, now, playlistFor } = deps;

  async function present(
    tx: TenantTx,
    context: UserContext,
    { row }: Broadcast,
    seen: readonly IngestHostRow[],
  ): Promise<ProviderConfig> {
    const targets = await findTargets(tx, row.id);
    return {
      provider: 'own',
      ingest: row.source === 'push' ? await ingestOf(tx, context, row, seen, deps) : null,
      play: { page: watchLink(context.origin, row.id), hls: playlistFor(context, row.id) },
      push: targets.map((target) => presentTarget(target, row.state === 'onAir', deps)),
    };
  }

  return {
    /** @throws AppError NOT_FOUND, FORBIDDEN */
    async providerConfig(
      context: UserContext,
      id: string,
    ): Promise<Data<typeof contract.liveProviders.providerConfig>> {
      const { caller } = context;
      const seen = await ingestHosts(deps);
      return db.tenant(caller.tenantId, async (tx) =>
        present(tx, context, await managedBy(tx, caller, id, false), seen),
      );
    },

    /** @throws AppError NOT_FOUND, FORBIDDEN, PUSH_ADDRESS_REFUSED, PUSH_KEY_REQUIRED */
    async setPushTargets(
      context: UserContext,
      { params: { id }, body: { targets } }: Input<typeof contract.liveProviders.setPushTargets>,
    ): Promise<Data<typeof contract.liveProviders.setPushTargets>> {
      const { caller } = context;
      const seen = await ingestHosts(deps);
      return db.tenant(caller.tenantId, async (tx) => {
        const found = await managedBy(tx, caller, id);
        const before = await findTargets(tx, id);
        await replaceTargets(tx, id, targets, deps);
        // Addresses contain keys: the names say enough.
        await recordAudit(tx, context, now(), {
          target: { kind: 'broadcast', id, name: found.meeting.subject },
          before: { pushTargets: before.map(({ name }) => name).join(', ') },
          after: { pushTargets: targets.map(({ name }) => name).join(', ') },
        });
        return present(tx, context, found, seen);
      });
    },
  };
}

export const providerRoutes = (
  providers: ReturnType<typeof createProviders>,
): Handlers<typeof contract.liveProviders> => ({
  providerConfig: (context, { params }) => providers.providerConfig(context, params.id),
  setPushTargets: (context, input) => providers.setPushTargets(context, input),
});
