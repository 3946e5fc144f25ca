import { ANNOUNCEMENT_STATUSES } from '@rmeet/contract';
import { oneOf, type ListState } from '../../../lib/listState.ts';

export const listShape = {
  filters: { status: oneOf(['', ...ANNOUNCEMENT_STATUSES], '') },
  // The server's order: the newest first.
  sorts: ['created'],
} as const;

export type AnnouncementListState = ListState<typeof listShape>;
