import { asc, eq, inArray } from 'drizzle-orm';
import type { BroadcastPushTarget, contract, Input } from '@rmeet/contract';
import { parseRtmpAddress } from '@rmeet/rtmp';
import { newId, type TenantTx } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/http/index.ts';
import type { SecretBox } from '../../../platform/secrets/index.ts';
import { addressOf, sealTarget, signedAddress } from './addresses.ts';
import type { PushHosts } from './hosts.ts';
import { broadcastTarget, type BroadcastTargetRow } from './tables.ts';

type TargetBody = Input<typeof contract.liveProviders.setPushTargets>['body']['targets'][number];

export interface TargetDeps {
  secrets: SecretBox;
  hosts: Pick<PushHosts, 'allows'>;
  now: () => Date;
}

/** The servers that a broadcast is pushed to, in their order. */
export function findTargets(tx: TenantTx, broadcastId: string): Promise<BroadcastTargetRow[]> {
  return tx.find(broadcastTarget, eq(broadcastTarget.broadcastId, broadcastId), {
    orderBy: [asc(broadcastTarget.position), asc(broadcastTarget.id)],
  });
}

/** A target as those who manage the broadcast see it, with its secrets. */
export function presentTarget(
  row: BroadcastTargetRow,
  isOnAir: boolean,
  { secrets, now }: TargetDeps,
): BroadcastPushTarget {
  const address = addressOf(secrets, row);
  return {
    id: row.id,
    name: row.name,
    provider: row.provider,
    address,
    play: row.play,
    hasKey: row.keySealed !== null,
    // A recorder that was killed did not say that its pushes ended.
    state: isOnAir ? row.state : 'idle',
    reason: isOnAir ? row.reason : '',
    push: signedAddress(secrets, row, address, now()),
    watch: signedAddress(secrets, row, row.play, now()),
  };
}

/** The columns of a target. What stays is not sealed again: `pushKeyOf` compares it. */
function columnsOf(
  { name, provider, address, play, key }: TargetBody,
  { tenantId, id }: { tenantId: string; id: string },
  before: BroadcastTargetRow | undefined,
  { secrets, hosts }: TargetDeps,
) {
  const host = parseRtmpAddress(address)?.host;
  if (host === undefined || !hosts.allows(address)) throw new AppError('PUSH_ADDRESS_REFUSED', { host: host ?? '' });
  const isSigned = provider !== 'rtmp';
  const kept = isSigned && before?.provider === provider ? before.keySealed : null;
  const keySealed = isSigned && key !== undefined ? sealTarget(secrets, { tenantId, id }, 'key', key) : kept;
  if (isSigned && keySealed === null) throw new AppError('PUSH_KEY_REQUIRED', { name });
  const isSame = before !== undefined && addressOf(secrets, before) === address;
  const addressSealed = isSame ? before.addressSealed : sealTarget(secrets, { tenantId, id }, 'address', address);
  return { name, provider, play, addressSealed, keySealed };
}

/**
 * Replaces the targets of a broadcast.
 *
 * @throws AppError PUSH_ADDRESS_REFUSED, PUSH_KEY_REQUIRED
 */
export async function replaceTargets(
  tx: TenantTx,
  broadcastId: string,
  bodies: readonly TargetBody[],
  deps: TargetDeps,
): Promise<void> {
  const before = new Map((await findTargets(tx, broadcastId)).map((row) => [row.id, row]));
  for (const [position, body] of bodies.entries()) {
    const old = before.get(body.id ?? '');
    before.delete(old?.id ?? '');
    const id = old?.id ?? newId();
    const columns = { position, ...columnsOf(body, { tenantId: tx.tenantId, id }, old, deps) };
    if (old) await tx.update(broadcastTarget, columns, eq(broadcastTarget.id, id));
    else await tx.insert(broadcastTarget, { id, broadcastId, ...columns });
  }
  if (before.size > 0) await tx.delete(broadcastTarget, inArray(broadcastTarget.id, [...before.keys()]));
}
