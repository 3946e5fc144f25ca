import type { OfferedPackage } from '@rmeet/contract';

/** What is needed of an entry of the stored list; a client shell may store its own list. */
export type ClientInfo = Pick<OfferedPackage, 'type' | 'url' | 'version'>;

/** The entries of a stored list; none if it is no list. */
export function parseClientInfo(json: string | null): readonly ClientInfo[] {
  let value: unknown;
  try {
    value = JSON.parse(json ?? '[]');
  } catch {
    return []; // not valid JSON
  }
  if (!Array.isArray(value)) return [];
  return (value as unknown[]).flatMap((entry) => {
    const { type, url, version } = (entry ?? {}) as Partial<Record<keyof ClientInfo, unknown>>;
    if (typeof type !== 'number' || typeof url !== 'string' || !/^https?:\/\//i.test(url)) return [];
    return [{ type, url, version: typeof version === 'string' ? version : '' }];
  });
}
