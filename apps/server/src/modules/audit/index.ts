export { changed, recordAudit, systemOrigin } from './record.ts';
export { listTrail } from './repo.ts';
export { clearAudit, defineAuditJobs } from './retention.ts';
export { auditRoutes } from './routes.ts';
export { createAuditService, presentAudit } from './service.ts';
