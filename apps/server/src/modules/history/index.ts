export { createQuality, type Quality } from './quality.ts';
export { historyRoutes } from './routes.ts';
export { createHistoryService } from './service.ts';
