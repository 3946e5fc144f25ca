import type { InvalidateQueryFilters, QueryClient } from '@tanstack/react-query';

/**
 * Fetches queries again after the server announced a change. Running fetches may not include the change and are
 * awaited, not aborted: if changes came faster than responses, no response would ever arrive, and a requested further
 * page would be lost.
 */
export async function refetch(client: QueryClient, filters: InvalidateQueryFilters): Promise<void> {
  const underWay = client.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' });
  await Promise.allSettled(underWay.flatMap(({ promise }) => promise ?? []));
  // Another call that waited here may have started a fetch: it is recent enough.
  await client.invalidateQueries(filters, { cancelRefetch: false });
}
