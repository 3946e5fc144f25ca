export { terminalRoutes } from './routes.ts';
export { createTerminalService } from './service.ts';
