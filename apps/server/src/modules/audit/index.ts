export { changed, recordAudit, systemOrigin } from './record.ts';
export { clearAudit, defineAuditJobs } from './retention.ts';
export { auditRoutes } from './routes.ts';
export { createAuditService } from './service.ts';
