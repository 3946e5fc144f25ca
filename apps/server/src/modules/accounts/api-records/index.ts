export { createCallLog } from './call-log.ts';
export { createGrants } from './grants.ts';
export { clearApiRecords, defineApiRecordJobs } from './jobs.ts';
export { apiRecordRoutes } from './routes.ts';
export { createApiRecordService } from './service.ts';
export { createTokens } from './tokens.ts';
