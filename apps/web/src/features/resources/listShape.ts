import { oneOf, type ListState } from '../../lib/listState.ts';

export const RESOURCE_STATUSES = ['enabled', 'disabled'] as const;

export const listShape = {
  filters: { status: oneOf(['', ...RESOURCE_STATUSES], '') },
  sorts: ['name', 'zone', 'ports', 'hours'],
} as const;

export type ResourceListState = ListState<typeof listShape>;
