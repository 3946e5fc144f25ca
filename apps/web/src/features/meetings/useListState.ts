import { MEETING_SCOPES } from '@rmeet/contract';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';

type Scope = (typeof MEETING_SCOPES)[number];
export const SORT_KEYS = ['startTime', 'subject', 'duration', 'numericId'] as const;
export type SortKey = (typeof SORT_KEYS)[number];
export type Order = 'ASC' | 'DESC';
export const PAGE_SIZES = [10, 20, 50, 100] as const;

export interface ListState {
  scope: Scope;
  keyword: string;
  current: number;
  size: number;
  sort: SortKey;
  order: Order;
}

const FIRST_SCOPE: Scope = 'today';

/** What comes next first; of what is over, the latest first. */
function naturalOrder(scope: Scope): Order {
  return scope === 'past' || scope === 'all' ? 'DESC' : 'ASC';
}

/** The list's state as the address says it; what the address lacks or gets wrong is the default. */
export function readListState(params: URLSearchParams): ListState {
  const scope = MEETING_SCOPES.find((known) => known === params.get('scope')) ?? FIRST_SCOPE;
  const current = Number(params.get('page'));
  return {
    scope,
    keyword: (params.get('q') ?? '').slice(0, 100),
    current: Number.isInteger(current) && current >= 1 ? current : 1,
    size: PAGE_SIZES.find((known) => String(known) === params.get('size')) ?? 20,
    sort: SORT_KEYS.find((known) => known === params.get('sort')) ?? 'startTime',
    order: (['ASC', 'DESC'] as const).find((known) => known === params.get('order')) ?? naturalOrder(scope),
  };
}

/** The address after a change; defaults are left out. Anything but paging goes back to the first page. */
export function writeListState(params: URLSearchParams, change: Partial<ListState>): URLSearchParams {
  const before = readListState(params);
  const scopeChanged = change.scope !== undefined && change.scope !== before.scope;
  const next: ListState = {
    ...before,
    current: 1,
    // Another scope has another natural order.
    ...(scopeChanged ? { sort: 'startTime', order: naturalOrder(change.scope ?? FIRST_SCOPE) } : {}),
    ...change,
  };
  const result = new URLSearchParams(params);
  const put = (key: string, value: string | number, standard: string | number) => {
    if (value === standard) result.delete(key);
    else result.set(key, String(value));
  };
  put('scope', next.scope, FIRST_SCOPE);
  put('q', next.keyword, '');
  put('page', next.current, 1);
  put('size', next.size, 20);
  put('sort', next.sort, 'startTime');
  put('order', next.order, naturalOrder(next.scope));
  return result;
}

/** Reads and changes the list's state in the address. Typing in the search replaces the entry in the history. */
export function useListState(): [ListState, (change: Partial<ListState>) => void] {
  const [params, setParams] = useSearchParams();
  const state = useMemo(() => readListState(params), [params]);
  const change = (part: Partial<ListState>) => setParams((now) => writeListState(now, part), { replace: 'keyword' in part });
  return [state, change];
}
