import { createHash, randomBytes } from 'node:crypto';
import type { SecretBox } from '../../../platform/secrets/index.ts';
import type { BroadcastIngestRow } from '../ingest/tables.ts';

/** Of a stream key. */
const KEY_BYTES = 24;

type Identity = Pick<BroadcastIngestRow, 'tenantId' | 'broadcastId'>;

const bindingOf = ({ tenantId, broadcastId }: Identity, what: 'key' | 'play') =>
  `ingest-${what}:${tenantId}:${broadcastId}`;

/** What the row of a stream key is found by: SHA-256, hexadecimal. The key is random, so that no salt is needed. */
export const hashStreamKey = (key: string): string => createHash('sha256').update(key).digest('hex');

/** A new stream key as it is stored. */
export function newStreamKey(
  secrets: SecretBox,
  identity: Identity,
): Pick<BroadcastIngestRow, 'keySealed' | 'keyHash'> {
  const key = randomBytes(KEY_BYTES).toString('base64url');
  return { keySealed: secrets.seal(key, bindingOf(identity, 'key')), keyHash: hashStreamKey(key) };
}

/** The stream key of an encoder. */
export const streamKeyOf = (secrets: SecretBox, row: BroadcastIngestRow): string =>
  secrets.open(row.keySealed, bindingOf(row, 'key'));

/** The address that a stream is taken from, as it is stored. */
export const sealPlayAddress = (secrets: SecretBox, identity: Identity, address: string): string =>
  secrets.seal(address, bindingOf(identity, 'play'));

/** Where a stream is taken from; empty if encoders push it. */
export const playAddressOf = (secrets: SecretBox, row: BroadcastIngestRow): string =>
  row.playSealed === null ? '' : secrets.open(row.playSealed, bindingOf(row, 'play'));
