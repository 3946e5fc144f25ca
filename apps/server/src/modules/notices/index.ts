export { defineNoticeJobs } from './delivery/jobs.ts';
export { noticeRoutes } from './routes.ts';
export { createNotices } from './service.ts';
