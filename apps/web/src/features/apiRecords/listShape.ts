import { API_CLIENT_STATES } from '@rmeet/contract';
import { oneOf, shortText, type ListState } from '../../lib/listState.ts';

export const listShape = {
  filters: {
    state: oneOf(['', ...API_CLIENT_STATES], ''),
    tenant: shortText(36),
    view: oneOf(['', 'webhooks'], ''),
  },
  sorts: ['name', 'createdAt', 'lastUsedAt', 'expiresAt'],
} as const;

export type ClientListState = ListState<typeof listShape>;
