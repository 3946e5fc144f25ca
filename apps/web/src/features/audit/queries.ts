import { audit, pathOf } from '@rmeet/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api/index.ts';
import { useListQuery } from '../../lib/useListQuery.ts';
import { filterOf, type AuditState } from './filter.ts';

/** One page of the log. The page before stays while the next one comes. */
export function useAuditLog(state: AuditState) {
  return useListQuery(['audit', 'list', state], () =>
    api.audit.list({ query: { ...filterOf(state), current: state.current, size: state.size } }),
  );
}

/** The actions that are recorded. They change with the product alone. */
export function useActions() {
  return useQuery({ queryKey: ['audit', 'actions'], queryFn: () => api.audit.actions(), staleTime: Infinity });
}

/** Where the workbook with all that meets the filter is. */
export function exportPath(state: AuditState): string {
  return pathOf(audit.export, { query: filterOf(state) });
}
