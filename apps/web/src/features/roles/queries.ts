import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api/index.ts';
import { useListQuery } from '../../lib/useListQuery.ts';
import { oneOf, withoutEmpty, type ListState } from '../../lib/listState.ts';
import type { RoleDraft } from './role.ts';

const KEY = ['roles'];
export const SHAPE = {
  filters: { kind: oneOf(['', 'user', 'operator'], '') },
  sorts: ['name', 'kind', 'createdAt'],
} as const;

/** One page of the roles. The previous page stays until the next one has arrived. */
export function useRoleList({ kind, ...state }: ListState<typeof SHAPE>) {
  return useListQuery([...KEY, 'list', { ...state, kind }], () =>
    api.roles.list({ query: { ...state, ...withoutEmpty({ kind }) } }),
  );
}

/** All entries that can be granted. */
export function useEntries() {
  return useQuery({ queryKey: ['permissions', 'tree'], queryFn: () => api.permissions.tree(), meta: { quiet: true } });
}

/** Creates a role, or changes the edited one. The form shows errors. */
export function useSaveRole() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({
      draft: { kind, ...draft },
      edited,
    }: {
      draft: RoleDraft;
      edited: { id: string; version: number } | null;
    }) =>
      edited === null
        ? api.roles.create({ body: { ...draft, kind } })
        : api.roles.update({ body: { ...draft, ...edited } }),
    onSuccess: () => client.invalidateQueries({ queryKey: KEY }),
    meta: { quiet: true },
  });
}

export function useRemoveRole() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.roles.remove({ query: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
    meta: { quiet: true },
  });
}
