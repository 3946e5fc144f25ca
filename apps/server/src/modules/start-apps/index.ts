export { startAppRoutes } from './routes.ts';
export { createStartApps } from './service.ts';
