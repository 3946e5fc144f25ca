import type { InvalidateQueryFilters, QueryClient } from '@tanstack/react-query';

/**
 * Fetches queries again because the server tells of a change. What is on its way may not know of it and is waited for,
 * not broken off: where changes come faster than answers no answer would ever arrive, and a further page that was asked
 * for would be lost.
 */
export async function refetch(client: QueryClient, filters: InvalidateQueryFilters): Promise<void> {
  const underWay = client.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' });
  await Promise.allSettled(underWay.flatMap(({ promise }) => promise ?? []));
  // Another call that waited here may have started a fetch: it is new enough.
  await client.invalidateQueries(filters, { cancelRefetch: false });
}
