import { oneOf, type ListState } from '../../lib/listState.ts';

export const OPERATOR_STATUSES = ['enabled', 'disabled'] as const;

export const listShape = {
  filters: { status: oneOf(['', ...OPERATOR_STATUSES], '') },
  sorts: ['name', 'account', 'createdAt', 'lastLoginAt'],
} as const;

export type OperatorListState = ListState<typeof listShape>;
