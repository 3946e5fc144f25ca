import { oneOf, shortText, type ListState } from '../../lib/listState.ts';

export const USER_STATUSES = ['enabled', 'invited', 'disabled', 'deleted'] as const;

/** The URL state of the list of users. `tenant` is for operators. */
export const listShape = {
  filters: {
    tenant: shortText(36),
    department: shortText(300),
    status: oneOf(['', ...USER_STATUSES], ''),
    role: shortText(36),
  },
  sorts: ['name', 'account', 'department', 'createdAt', 'lastLoginAt'],
} as const;

export type UserListState = ListState<typeof listShape>;
