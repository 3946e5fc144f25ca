import { audit, pathOf } from '@rmeet/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api/index.ts';
import { useListQuery } from '../../lib/useListQuery.ts';
import { filterOf, type AuditState } from './filter.ts';

/** One page of the log. The previous page stays until the next one has arrived. */
export function useAuditLog(state: AuditState) {
  return useListQuery(['audit', 'list', state], () =>
    api.audit.list({ query: { ...filterOf(state), current: state.current, size: state.size } }),
  );
}

/** The recorded actions. They only change with a new version of the product. */
export function useActions() {
  return useQuery({ queryKey: ['audit', 'actions'], queryFn: () => api.audit.actions(), staleTime: Infinity });
}

/** URL of the workbook with all entries that match the filter. */
export function exportPath(state: AuditState): string {
  return pathOf(audit.export, { query: filterOf(state) });
}
