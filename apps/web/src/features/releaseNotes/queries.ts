import type { UpgradeFrequency } from '@rmeet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api/index.ts';

const KEY = ['releaseNotes'];

/** The release notes that the account has not put off, once per page; they change with a new version only. */
export function useReleaseNotes() {
  return useQuery({
    queryKey: [...KEY, 'due'],
    queryFn: () => api.memo.read({ query: {} }),
    staleTime: Infinity,
    meta: { quiet: true },
  });
}

/** All release notes. */
export function useAllReleaseNotes() {
  return useQuery({
    queryKey: [...KEY, 'all'],
    queryFn: () => api.memo.read({ query: { all: 'true' } }),
    staleTime: Infinity,
    meta: { quiet: 'unloaded' },
  });
}

/** Puts the release notes off. */
export function usePutOff() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (upgradeFrequency: UpgradeFrequency) => api.memo.saveRemindMemo({ query: { upgradeFrequency } }),
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  });
}
