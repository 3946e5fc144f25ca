export { makeSetupLink } from './link.ts';
export { createPublicUrls, type PublicUrls } from './public-urls.ts';
export { setupRoutes } from './routes.ts';
export { createSetupService, setUp, type FirstAnswers, type SetupDeps, type SetupService } from './service.ts';
