import type { ApprovalRequest } from '@rmeet/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api/index.ts';
import { withoutEmpty } from '../../lib/listState.ts';
import { useListQuery } from '../../lib/useListQuery.ts';
import { useLiveQueries } from '../../lib/useLiveQueries.ts';
import type { ApprovalListState } from './listShape.ts';

/** Also used as the key of the count in the sidebar. */
const KEY = 'approvals';

/** One page of the queue. The previous page stays until the next one has arrived. */
export function useApprovalList({ keyword, state, current, size }: ApprovalListState) {
  return useListQuery([KEY, 'list', { keyword, state, current, size }], () =>
    api.approvals.list({ query: { current, size, ...withoutEmpty({ keyword, state }) } }),
  );
}

/** Fetches the queue again when the server reports changed meetings. */
export function useLiveApprovals(): void {
  useLiveQueries(KEY);
}

export interface Decision {
  request: ApprovalRequest;
  approve: boolean;
  note: string;
}

/** Approves or refuses; fetches the queue again in either case, because others may have changed it. */
export function useDecide() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ request: { meetId, version }, approve, note }: Decision) =>
      api.approvals.decide({ params: { id: meetId }, body: { approve, note: note.trim(), version } }),
    onSettled: () => client.invalidateQueries({ queryKey: [KEY] }),
  });
}
