import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api/index.ts';
import { loadChunk } from '../../lib/chunks.ts';
import { summed, type Reached, type Trial } from './trials.ts';

/** Maximum number of parallel tests. */
const PARALLEL = 4;

/** The settings of this installation from the environment. */
export function useChecks(isSignedIn: boolean) {
  return useQuery({
    queryKey: ['setup-checks'],
    queryFn: () => api.setup.checks(),
    enabled: isSignedIn,
    staleTime: Infinity,
    meta: { quiet: true },
  });
}

/** Sends a test mail. */
export function useTestMail() {
  return useMutation({
    meta: { quiet: true },
    mutationFn: async (to: string) => ({ to, ...(await api.setup.sendTestMail({ body: { to } })) }),
  });
}

/** Tests the connection from this browser to every media server. */
export function useMediaCheck() {
  return useMutation({
    meta: { quiet: true },
    mutationFn: async (): Promise<Reached[]> => {
      const { reachMedia } = await loadChunk(() => import('../../call/media-trial.ts'));
      const { places } = await api.setup.checkMedia();
      const trials: Trial[] = [];
      const queue = places.entries();
      const lane = async () => {
        for (const [index, { token, ...place }] of queue)
          trials[index] = { ...place, reach: await reachMedia(place.url, token) };
      };
      await Promise.all(Array.from({ length: PARALLEL }, lane));
      return summed(trials);
    },
  });
}
