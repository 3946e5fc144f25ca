import { APPROVAL_STATES } from '@rmeet/contract';
import { oneOf, type ListState } from '../../lib/listState.ts';

export const listShape = { filters: { state: oneOf(['', ...APPROVAL_STATES], '') }, sorts: ['queue'] } as const;

export type ApprovalListState = ListState<typeof listShape>;
