export { createCurrent } from './current.ts';
export { createNews, defineAnnouncementJobs } from './news.ts';
export { announcementRoutes } from './routes.ts';
export { createAnnouncementService } from './service.ts';
