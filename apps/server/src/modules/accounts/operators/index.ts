export { operatorRoutes } from './routes.ts';
export { createOperatorService, type OperatorService } from './service.ts';
