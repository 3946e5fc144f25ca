import { BROADCAST_SCOPES } from '@rmeet/contract';
import { oneOf, withoutEmpty, type ListState } from '../../../lib/listState.ts';

export const listShape = {
  filters: { scope: oneOf(BROADCAST_SCOPES, 'all') },
  sorts: ['startTime', 'subject', 'viewers'],
  // What comes next is first; what was is last.
  order: ({ scope }: Readonly<Record<string, string>>) => (scope === 'upcoming' ? 'ASC' : 'DESC'),
} as const;
export type LiveListState = ListState<typeof listShape>;

/** The request's filter. */
export function queryOf({ keyword, scope, sort, order, current, size }: LiveListState) {
  return {
    scope,
    sort,
    order: order === 'ASC' ? ('asc' as const) : ('desc' as const),
    current,
    size,
    ...withoutEmpty({ keyword }),
  };
}

/** Up to this width a list is shown as cards. */
export const PHONE_LIST = '(max-width: 720px)';
