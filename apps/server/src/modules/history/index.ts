export { createQuality, type Quality } from './quality.ts';
export { personOf, wasInside } from './repo.ts';
export { historyRoutes } from './routes.ts';
export { createHistoryService } from './service.ts';
export { staysOf } from './stays.ts';
