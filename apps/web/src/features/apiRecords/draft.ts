import type { ApiClient, ApiScope } from '@rmeet/contract';
import dayjs from 'dayjs';

/** How a client proves who it is. */
export const PROOFS = ['secret', 'key'] as const;

/** An API client in the form. */
export interface ClientDraft {
  /** Of a new one in the platform's system. */
  tenantId: string;
  name: string;
  description: string;
  scopes: readonly ApiScope[];
  /** One address or network a line. */
  networks: string;
  perMinute: number | null;
  wholeTenant: boolean;
  actsForUsers: boolean;
  enabled: boolean;
  /** The last day, `YYYY-MM-DD` in local time; empty: for ever. */
  lastDay: string;
  proof: (typeof PROOFS)[number];
  publicKey: string;
}

export const newClient: ClientDraft = {
  tenantId: '',
  name: '',
  description: '',
  scopes: [],
  networks: '',
  perMinute: 600,
  wholeTenant: false,
  actsForUsers: false,
  enabled: true,
  lastDay: '',
  proof: 'secret',
  publicKey: '',
};

export const DAY = 'YYYY-MM-DD';

export function draftOf(client: ApiClient): ClientDraft {
  const { tenantId, name, description, perMinute, wholeTenant, actsForUsers, enabled, publicKey, expiresAt } = client;
  return {
    tenantId,
    name,
    description,
    scopes: [...client.scopes].sort(),
    networks: client.networks.join('\n'),
    perMinute,
    wholeTenant,
    actsForUsers,
    enabled,
    lastDay: expiresAt === null ? '' : dayjs(expiresAt).format(DAY),
    proof: publicKey === '' ? 'secret' : 'key',
    publicKey,
  };
}

/** The lines of a text that say something. */
const linesOf = (text: string): string[] =>
  text
    .split(/[\n,;]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The body of a call that creates or changes the client. */
export function bodyOf(draft: ClientDraft) {
  const { name, description, scopes, perMinute, wholeTenant, actsForUsers, enabled, lastDay, proof } = draft;
  return {
    name: name.trim(),
    description: description.trim(),
    scopes: [...scopes],
    networks: linesOf(draft.networks),
    perMinute: perMinute ?? 0,
    wholeTenant,
    actsForUsers,
    enabled,
    expiresAt: lastDay === '' ? null : dayjs(lastDay).endOf('day').toISOString(),
    publicKey: proof === 'key' ? draft.publicKey.trim() : '',
  };
}
