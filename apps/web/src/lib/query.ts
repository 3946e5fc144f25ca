import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, reportError } from './api/index.ts';

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: ErrorMeta;
    mutationMeta: ErrorMeta;
  }
}

/**
 * `quiet`: the component shows the error itself, so there is no toast; `unloaded`: it does so only while it has no
 * data.
 */
interface ErrorMeta extends Record<string, unknown> {
  quiet?: boolean | 'unloaded';
}

/** Statuses after which a retry may succeed. */
function isPassing(error: unknown): boolean {
  return error instanceof ApiError && [0, 408, 502, 503, 504].includes(error.httpStatus);
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      const quiet = query.meta?.quiet === 'unloaded' ? query.state.data === undefined : query.meta?.quiet;
      if (quiet !== true) reportError(error);
    },
  }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, mutation) => {
      if (mutation.meta?.quiet !== true) reportError(error);
    },
  }),
  defaultOptions: {
    queries: { retry: (failures, error) => failures < 2 && isPassing(error), staleTime: 5_000 },
  },
});
