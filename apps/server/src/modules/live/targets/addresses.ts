import { signForAliyun, signForTencent } from '@rmeet/rtmp';
import type { SecretBox } from '../../../platform/secrets/index.ts';
import type { BroadcastTargetRow } from './tables.ts';

/** How long a signed address may be used to begin, ms; a stream that runs goes on. */
const SIGNED_FOR = 24 * 3_600_000;

const bindingOf = (tenantId: string, id: string, what: 'address' | 'key') => `push-${what}:${tenantId}:${id}`;

interface Identity {
  tenantId: string;
  id: string;
}

/** What is stored of a target's address and key. */
export function sealTarget(secrets: SecretBox, { tenantId, id }: Identity, what: 'address' | 'key', text: string) {
  return secrets.seal(text, bindingOf(tenantId, id, what));
}

/** Where a target is pushed to, without a signature. */
export function addressOf(secrets: SecretBox, { tenantId, id, addressSealed }: BroadcastTargetRow): string {
  return secrets.open(addressSealed, bindingOf(tenantId, id, 'address'));
}

function keyOf(secrets: SecretBox, { tenantId, id, keySealed }: BroadcastTargetRow): string | null {
  return keySealed === null ? null : secrets.open(keySealed, bindingOf(tenantId, id, 'key'));
}

/** An address of a target's provider, signed from now on if the provider wants that. */
export function signedAddress(secrets: SecretBox, row: BroadcastTargetRow, address: string, now: Date): string {
  const key = keyOf(secrets, row);
  if (key === null || address === '') return address;
  const signature = { key, expires: new Date(now.getTime() + SIGNED_FOR) };
  if (row.provider === 'aliyun') return signForAliyun(address, signature);
  return row.provider === 'tencent' ? signForTencent(address, signature) : address;
}
