export { hostKeyRoutes } from './routes.ts';
export { createHostKeys } from './service.ts';
