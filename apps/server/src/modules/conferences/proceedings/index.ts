import { createFloor } from './floor.ts';
import { proceedingRoutes, type ProceedingHandlers } from './routes.ts';
import { createScenes, type ScenesDeps } from './scenes.ts';
import { createVotes, type VotesDeps } from './votes.ts';

export type { ProceedingHandlers } from './routes.ts';

/** How conferences proceed: their routes, and what happens by the clock. */
export function createProceedings(deps: ScenesDeps & VotesDeps): {
  routes: ProceedingHandlers;
  applyDueScenes: ReturnType<typeof createScenes>['applyDue'];
  stop: () => Promise<void>;
} {
  const scenes = createScenes(deps);
  const votes = createVotes(deps);
  return {
    routes: proceedingRoutes({ floor: createFloor(deps), votes, scenes }),
    applyDueScenes: (running) => scenes.applyDue(running),
    stop: () => votes.stop(),
  };
}
