import { MEETING_SCOPES, MEETING_TYPES, type Meeting } from '@rmeet/contract';
import { useMemo } from 'react';
import { useAddressParams } from '../../../lib/addressParams.ts';
import {
  oneOf,
  readListState as read,
  writeListState as write,
  type ListState as StateOf,
  type Order,
} from '../../../lib/listState.ts';

type Scope = (typeof MEETING_SCOPES)[number];
export const SORT_KEYS = ['startTime', 'subject', 'duration', 'numericId'] as const;
export type SortKey = (typeof SORT_KEYS)[number];

/** Upcoming meetings: earliest first; past meetings: latest first. */
function naturalOrder(scope: string | undefined): Order {
  return scope === 'past' || scope === 'all' ? 'DESC' : 'ASC';
}

const shape = {
  filters: {
    scope: oneOf<Scope>(MEETING_SCOPES, 'today'),
    /** Empty: any type. */
    type: oneOf<Meeting['type'] | ''>(MEETING_TYPES, ''),
  },
  sorts: SORT_KEYS,
  order: ({ scope }: Readonly<Record<string, string>>) => naturalOrder(scope),
};

export type ListState = StateOf<typeof shape>;

/** The list's state from the URL; missing or invalid values become the defaults. */
export function readListState(params: URLSearchParams): ListState {
  return read(shape, params);
}

/** The URL after a change. A different scope has a different default order. */
export function writeListState(params: URLSearchParams, change: Partial<ListState>): URLSearchParams {
  const scopeChanged = change.scope !== undefined && change.scope !== readListState(params).scope;
  return write(
    shape,
    params,
    scopeChanged ? { sort: 'startTime', order: naturalOrder(change.scope), ...change } : change,
  );
}

/** Reads and changes the list's state in the URL. Typing in the search field replaces the history entry. */
export function useListState(): [ListState, (change: Partial<ListState>) => void] {
  const [params, setParams] = useAddressParams();
  const state = useMemo(() => readListState(params), [params]);
  const change = (part: Partial<ListState>) =>
    setParams(
      (now) => {
        const next = writeListState(now, part);
        // Without a view, a URL whose last filter was removed would no longer show the table.
        if (!next.has('view')) next.set('view', 'list');
        return next;
      },
      { replace: 'keyword' in part },
    );
  return [state, change];
}
