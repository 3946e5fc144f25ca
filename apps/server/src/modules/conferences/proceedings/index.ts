export { createFloor, type Floor } from './floor.ts';
export { createRollCall, type RollCall } from './roll-call.ts';
export { proceedingRoutes, type ProceedingHandlers } from './routes.ts';
export { Scenes } from './scenes.ts';
export { createTimer, type Timer } from './timer.ts';
export { Votes } from './votes.ts';
