export { createFloor, type Floor } from './floor.ts';
export { proceedingRoutes, type ProceedingHandlers } from './routes.ts';
export { createScenes, type Scenes } from './scenes.ts';
export { createVotes, type Votes } from './votes.ts';
