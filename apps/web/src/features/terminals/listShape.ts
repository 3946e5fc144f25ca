import { TERMINAL_KINDS } from '@rmeet/contract';
import { oneOf, shortText, type ListState } from '../../lib/listState.ts';

export const TERMINAL_STATUSES = ['enabled', 'disabled'] as const;

export const listShape = {
  filters: {
    kind: oneOf(['', ...TERMINAL_KINDS], ''),
    room: shortText(36),
    status: oneOf(['', ...TERMINAL_STATUSES], ''),
  },
  sorts: ['name', 'address', 'kind', 'lastSeenAt'],
} as const;

export type TerminalListState = ListState<typeof listShape>;
