export { countSoonBy, defineStatisticsJobs } from './jobs.ts';
export { createMailing } from './mailing.ts';
export { createCounting } from './rounds.ts';
export { statisticsRoutes } from './routes.ts';
export { createStatistics } from './service.ts';
export { createStatisticsSettings } from './settings.ts';
