import { DOCUMENT_KINDS } from '@rmeet/contract';
import { oneOf, withoutEmpty, type ListState } from '../../lib/listState.ts';

export const VIEWS = ['documents', 'templates'] as const;

export const listShape = {
  filters: { kind: oneOf(['', ...DOCUMENT_KINDS], ''), view: oneOf(['', 'templates'], '') },
  sorts: ['updatedAt', 'title', 'createdAt'],
  order: () => 'DESC' as const,
} as const;
export type DocumentListState = ListState<typeof listShape>;

/** The request of a list; `isWide`: of the whole organisation. */
export function queryOf({ keyword, kind, view, sort, order, current, size }: DocumentListState, isWide: boolean) {
  return {
    sort,
    order,
    current,
    size,
    ...withoutEmpty({ keyword, kind }),
    of: isWide ? ('tenant' as const) : ('own' as const),
    ...(view === 'templates' && { templates: 'true' }),
  };
}
