import { keepPreviousData, useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query';

/** One page of a list. The previous page stays while the next one loads. The list itself shows a failed first load. */
export function useListQuery<Data>(
  queryKey: QueryKey,
  queryFn: () => Promise<Data>,
  options: Pick<UseQueryOptions<Data>, 'enabled' | 'refetchInterval'> = {},
) {
  return useQuery<Data>({
    queryKey,
    queryFn,
    placeholderData: keepPreviousData,
    meta: { quiet: 'unloaded' },
    ...options,
  });
}
