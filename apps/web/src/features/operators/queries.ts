import { operators, pathOf, type Operator } from '@rmeet/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api/index.ts';
import { withoutEmpty } from '../../lib/listState.ts';
import { useListQuery } from '../../lib/useListQuery.ts';
import { findRow } from '../../lib/findRow.ts';
import { language } from '../../lib/i18n/index.ts';
import { useProfile } from '../../lib/profile.ts';
import type { OperatorListState } from './listShape.ts';

const KEY = 'operators';

function filterOf({ keyword, status, sort, order }: OperatorListState) {
  return { keyword, sort, order, ...withoutEmpty({ status }), ...(language() === 'en' ? { en: '1' } : {}) };
}

export function useOperatorList(state: OperatorListState) {
  return useListQuery([KEY, 'list', state, language()], () =>
    api.operators.list({ query: { ...filterOf(state), current: state.current, size: state.size } }),
  );
}

/** URL of the workbook with the whole list. */
export function exportPath(state: OperatorListState): string {
  return pathOf(operators.export, { query: filterOf(state) });
}

export function useRefreshOperators(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: [KEY] });
}

/** The current version of an operator; there is no call for a single one. */
export function findOperator({ id, account }: Pick<Operator, 'id' | 'account'>): Promise<Operator | undefined> {
  return findRow((paging) => api.operators.list({ query: { keyword: account, sort: 'account', ...paging } }), id);
}

/** Whether the caller is a super administrator. */
export function useIsSuperAdmin(): boolean {
  return useProfile()?.accountRole === 'superAdmin';
}

/** When the platform's staff are asked for a second factor. */
export function useStaffFactor() {
  return useQuery({ queryKey: [KEY, 'second-factor'], queryFn: () => api.multiauth.platformSettings() });
}

export const operatorCalls = {
  setEnabled: (ids: string[], enabled: boolean) => api.operators.status({ body: { ids, enabled } }),
  resetPassword: (id: string) => api.operators.resetPassword({ body: { id } }),
  endSessions: (ids: string[]) => api.operators.endSessions({ body: { ids } }),
};
