import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/index.ts';

const TEXTS = ['notice-texts'];

/** All texts of the tenant, its own and the built-in ones. */
export function useNoticeTexts() {
  return useQuery({ queryKey: TEXTS, queryFn: () => api.notices.texts(), meta: { quiet: true } });
}

/** Fetches them again after a change. */
export function useRefreshTexts(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: TEXTS });
}
