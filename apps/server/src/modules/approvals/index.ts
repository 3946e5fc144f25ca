export { defineApprovalJobs } from './jobs.ts';
export { approvalRoutes } from './routes.ts';
export { createApprovalRules } from './rules.ts';
export { createApprovalService, type ApprovalService } from './service.ts';
