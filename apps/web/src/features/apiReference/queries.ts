import { useQuery } from '@tanstack/react-query';
import type { OpenApi } from './document.ts';

/** The document that the server makes of its calls. */
export function useOpenApi() {
  return useQuery({
    queryKey: ['openapi'],
    queryFn: async (): Promise<OpenApi> => {
      const response = await fetch('/api/openapi.json');
      if (!response.ok) throw new Error(`openapi.json: ${response.status}`);
      return (await response.json()) as OpenApi;
    },
    staleTime: Infinity,
    meta: { quiet: true },
  });
}
