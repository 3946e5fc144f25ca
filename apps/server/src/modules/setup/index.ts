export { createChecks } from './checks.ts';
export { makeSetupLink, removeSetupLink } from './link.ts';
export { createPublicUrls, type PublicUrls } from './public-urls.ts';
export { NoSuchOperator, resetOperator } from './reset-operator.ts';
export { setupRoutes } from './routes.ts';
export { NoSuchAccount, suspendFactor } from './suspend-factor.ts';
export { createSetupService, setUp, type FirstAnswers } from './service.ts';
