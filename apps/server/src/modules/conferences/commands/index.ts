export { commandRoutes, type CommandHandlers } from './document-calls.ts';
export { createRequests, type GiveCommand } from './requests.ts';
