import { STORAGE_KEYS, type OfferedPackage } from '@rmeet/contract';
import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { api } from '../../../lib/api/index.ts';
import { parseClientInfo, type ClientInfo } from './storedList.ts';

/** Event of `window`: the list of packages in the session storage has changed, also by a client shell. */
export const CLIENT_INFO_EVENT = 'clientInfoUrl';
const FRESH = 5 * 60_000;

let read: { json: string | null; list: readonly ClientInfo[] } = { json: null, list: [] };

/** The same list as long as the storage has the same text. */
function current(): readonly ClientInfo[] {
  const json = sessionStorage.getItem(STORAGE_KEYS.clientInfoUrl);
  if (json !== read.json) read = { json, list: parseClientInfo(json) };
  return read.list;
}

function subscribe(listener: () => void): () => void {
  window.addEventListener(CLIENT_INFO_EVENT, listener);
  return () => window.removeEventListener(CLIENT_INFO_EVENT, listener);
}

/** The list of packages in the session storage; follows the global event. */
export const useClientInfo = (): readonly ClientInfo[] => useSyncExternalStore(subscribe, current);

async function load(url?: string): Promise<OfferedPackage[]> {
  const offered = await api.clientPackages.list({ query: { url } });
  sessionStorage.setItem(STORAGE_KEYS.clientInfoUrl, JSON.stringify(offered));
  window.dispatchEvent(new Event(CLIENT_INFO_EVENT));
  return offered;
}

/**
 * The packages that the user is offered, which also go into the session storage.
 *
 * @param url of a package that is wanted whatever its roll-out
 */
export const useOfferedPackages = (url?: string) =>
  useQuery({
    queryKey: ['client-packages', 'offered', url ?? ''],
    queryFn: () => load(url),
    staleTime: FRESH,
    meta: { quiet: true },
  });
