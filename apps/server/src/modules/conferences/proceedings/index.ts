import { createFloor } from './floor.ts';
import { createRollCall } from './roll-call.ts';
import { proceedingRoutes, type ProceedingHandlers } from './routes.ts';
import { Scenes, type ScenesDeps } from './scenes.ts';
import { createTimer } from './timer.ts';
import { Votes, type VotesDeps } from './votes.ts';

export type { ProceedingHandlers } from './routes.ts';

/** The floor, timer, roll calls, votes and scenes: their routes, and what happens as time passes. */
export function createProceedings(deps: ScenesDeps & VotesDeps): {
  routes: ProceedingHandlers;
  applyDueScenes: Scenes['applyDue'];
  stop: () => Promise<void>;
} {
  const scenes = new Scenes(deps);
  const votes = new Votes(deps);
  return {
    routes: proceedingRoutes({
      floor: createFloor(deps),
      timer: createTimer(deps),
      rollCall: createRollCall(deps),
      votes,
      scenes,
    }),
    applyDueScenes: (running) => scenes.applyDue(running),
    stop: () => votes.stop(),
  };
}
