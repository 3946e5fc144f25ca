import type { ManagedEntry } from '@rmeet/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api/index.ts';
import { useListQuery } from '../../lib/useListQuery.ts';
import { oneOf, withoutEmpty, type ListState } from '../../lib/listState.ts';
import { changeOf, creationOf, type PermissionDraft } from './permission.ts';

const KEY = ['permissions'];

export const SHAPE = {
  filters: { type: oneOf(['', '0', '1', '2'], ''), system: oneOf(['', '0', '1'], '') },
  sorts: ['code', 'name', 'type', 'sort'],
} as const;

/** One page of the entries. The previous page stays until the next one has arrived. */
export function usePermissionList({ type, system, ...state }: ListState<typeof SHAPE>) {
  return useListQuery([...KEY, 'list', { ...state, type, system }], () =>
    api.permissions.list({ query: { ...state, ...withoutEmpty({ type, isAdmin: system }) } }),
  );
}

/** Creates a permission, or changes `edited`. The form shows errors. */
export function useSavePermission() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ draft, edited }: { draft: PermissionDraft; edited: ManagedEntry | null }) =>
      edited === null
        ? api.permissions.create({ body: creationOf(draft) })
        : api.permissions.update({ body: { ...changeOf(edited, draft), version: edited.version } }),
    onSuccess: () => client.invalidateQueries({ queryKey: KEY }),
    meta: { quiet: true },
  });
}

export function useRemovePermission() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.permissions.remove({ query: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
    meta: { quiet: true },
  });
}
