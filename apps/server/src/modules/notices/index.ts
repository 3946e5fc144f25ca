export { defineNoticeJobs } from './jobs.ts';
export { noticeRoutes } from './routes.ts';
export { createNotices } from './service.ts';
