import type { InvalidateQueryFilters, QueryClient } from '@tanstack/react-query';

/**
 * Fetches queries again after the server announced a change. Running fetches may not have the change and are awaited,
 * not aborted: if changes came faster than responses, none would ever arrive, and a further page that was requested
 * would be lost.
 */
export async function refetch(client: QueryClient, filters: InvalidateQueryFilters): Promise<void> {
  const underWay = client.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' });
  await Promise.allSettled(underWay.flatMap(({ promise }) => promise ?? []));
  // Another call that waited here may have started a fetch: it is new enough.
  await client.invalidateQueries(filters, { cancelRefetch: false });
}
