export { diagnosticsRoutes } from './routes.ts';
export { createDiagnostics } from './service.ts';
