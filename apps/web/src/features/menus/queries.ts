import { ENTRY_TYPES, type ManagedEntry } from '@rmeet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api/index.ts';
import { bodyOf, draftOf, type EntryDraft } from './draft.ts';
import type { Place } from './moves.ts';

const KEY = ['permissions', 'tree'];

/** Every menu entry and permission, parents before children, in order. */
export function useEntries() {
  return useQuery({ queryKey: KEY, queryFn: () => api.permissions.tree(), meta: { quiet: true } });
}

/** The current entries, for a form whose record was changed in the meantime. */
export function useNewestEntries(): () => Promise<ManagedEntry[]> {
  const client = useQueryClient();
  return () => client.fetchQuery({ queryKey: KEY, queryFn: () => api.permissions.tree(), staleTime: 0 });
}

/** The entries in the cache. */
export function useKnownEntries(): () => readonly ManagedEntry[] {
  const client = useQueryClient();
  return () => client.getQueryData<ManagedEntry[]>(KEY) ?? [];
}

export function useMoveEntry() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, pid, index }: Place & { id: string }) => api.permissions.move({ body: { id, pid, index } }),
    onSuccess: (entries) => client.setQueryData(KEY, entries),
    onError: () => client.invalidateQueries({ queryKey: KEY }),
  });
}

/** Creates an entry, or changes the edited one. The form shows errors. */
export function useSaveEntry() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ draft, edited }: { draft: EntryDraft; edited: { id: string; version: number } | null }) =>
      edited === null
        ? api.permissions.create({ body: { ...bodyOf(draft), type: draft.type } })
        : api.permissions.update({ body: { ...bodyOf(draft), ...edited } }),
    onSuccess: () => client.invalidateQueries({ queryKey: KEY }),
    meta: { quiet: true },
  });
}

/** Shows or hides an entry in the sidebar. */
export function useSetHidden() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ entry, hidden }: { entry: ManagedEntry; hidden: boolean }) =>
      api.permissions.update({
        body: { ...bodyOf({ ...draftOf(entry), hidden }), id: entry.id, version: entry.version },
      }),
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
    meta: { quiet: true },
  });
}

export function useRemoveEntry() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.permissions.remove({ query: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
    meta: { quiet: true },
  });
}

/** Permission codes that a menu entry may require, in order. */
export function permissionsAmong(entries: readonly ManagedEntry[]): (ManagedEntry & { code: string })[] {
  return entries.filter(
    (entry): entry is ManagedEntry & { code: string } => entry.type === ENTRY_TYPES.permission && entry.code !== null,
  );
}
