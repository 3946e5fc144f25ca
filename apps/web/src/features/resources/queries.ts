import type { MeetingResource } from '@rmeet/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api/index.ts';
import { withoutEmpty } from '../../lib/listState.ts';
import { useListQuery } from '../../lib/useListQuery.ts';
import { findRow } from '../../lib/findRow.ts';
import type { ResourceListState } from './listShape.ts';

const KEY = 'resources';
const tenantWide = 'true';

/** The tenant's resources. Their usage also changes over time. */
export function useResourceList({ keyword, status, sort, order, current, size }: ResourceListState) {
  return useListQuery(
    [KEY, 'list', { keyword, status, sort, order, current, size }],
    () =>
      api.resources.list({
        query: { keyword, sort, order, current, size, tenantWide, ...withoutEmpty({ status }) },
      }),
    { refetchInterval: 60_000 },
  );
}

export function useRefreshResources(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: [KEY] });
}

/** The current version of a resource; there is no call for a single one. */
export async function findResource({
  id,
  name,
}: Pick<MeetingResource, 'id' | 'name'>): Promise<MeetingResource | undefined> {
  const found = await findRow((paging) => api.resources.list({ query: { keyword: name, tenantWide, ...paging } }), id);
  return found ?? findRow((paging) => api.resources.list({ query: { tenantWide, ...paging } }), id);
}

export function useRemoveResource() {
  const refresh = useRefreshResources();
  return useMutation({ mutationFn: (id: string) => api.resources.remove({ params: { id } }), onSettled: refresh });
}
