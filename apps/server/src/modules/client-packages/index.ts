export { clientPackageGates, clientPackageRoutes } from './routes.ts';
export { createClientPackages } from './service.ts';
