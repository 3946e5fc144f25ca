export { createBookLimits, type BookLimits } from './limits.ts';
export { resourceRoutes } from './routes.ts';
export { createResourceService, type ResourceService } from './service.ts';
