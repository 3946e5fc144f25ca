export { commandRoutes, type CommandHandlers } from './routes.ts';
export { createRequests, type GiveCommand } from './requests.ts';
