import type { DirectoryChangeKind, DirectoryRound } from '@rmeet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api/index.ts';
import { useListQuery } from '../../lib/useListQuery.ts';

const KEY = 'directories';
/** While a round runs, ms. */
const REFRESH = 2_000;
export const CHANGES_SIZE = 20;
const ROUNDS_SIZE = 10;

export const isOpen = (round: DirectoryRound | null | undefined): boolean =>
  round?.state === 'waiting' || round?.state === 'running';

export function useDirectories() {
  return useQuery({
    queryKey: [KEY, 'list'],
    queryFn: () => api.directories.list(),
    refetchInterval: ({ state }) => (state.data?.some(({ lastRound }) => isOpen(lastRound)) ? REFRESH : false),
    meta: { quiet: 'unloaded' },
  });
}

/** The last rounds of a directory; `state` is that of the last one, so that the list follows it. */
export function useRounds(id: string, state: string) {
  return useQuery({
    queryKey: [KEY, 'rounds', id, state],
    queryFn: () => api.directories.rounds({ params: { id }, query: { size: ROUNDS_SIZE } }),
    placeholderData: (before) => before,
    refetchInterval: ({ state: query }) => (isOpen(query.data?.records[0]) ? REFRESH : false),
    meta: { quiet: 'unloaded' },
  });
}

export function useChanges(round: DirectoryRound, kind: DirectoryChangeKind | undefined, current: number) {
  return useListQuery([KEY, 'changes', round.id, round.state, kind, current], () =>
    api.directories.changes({
      params: { id: round.directoryId, roundId: round.id },
      query: { current, size: CHANGES_SIZE, ...(kind === undefined ? {} : { kind }) },
    }),
  );
}

/** The roles that groups can give. */
export function useRoles() {
  return useQuery({
    queryKey: [KEY, 'roles'],
    queryFn: () => api.roles.options({ query: { kind: 'user' } }),
    staleTime: 60_000,
  });
}

export function useRefreshDirectories(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: [KEY] });
}

export function useDirectoryActions() {
  const refresh = useRefreshDirectories();
  const start = useMutation({
    mutationFn: ({ id, ...body }: { id: string; dryRun: boolean; force?: boolean }) =>
      api.directories.start({ params: { id }, body }),
    onSettled: refresh,
  });
  const cancel = useMutation({
    mutationFn: ({ directoryId: id, id: roundId }: DirectoryRound) =>
      api.directories.cancel({ params: { id, roundId } }),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: (id: string) => api.directories.remove({ params: { id } }),
    onSettled: refresh,
  });
  const link = useMutation({
    mutationFn: ({ id, changeIds }: { id: string; changeIds: string[] }) =>
      api.directories.link({ params: { id }, body: { changeIds } }),
    onSettled: refresh,
  });
  return { start, cancel, remove, link };
}
