import { oneOf, type ListState } from '../../lib/listState.ts';

export const TENANT_STATUSES = ['enabled', 'disabled'] as const;

export const listShape = {
  filters: { status: oneOf(['', ...TENANT_STATUSES], '') },
  sorts: ['name', 'createdAt'],
} as const;

export type TenantListState = ListState<typeof listShape>;
