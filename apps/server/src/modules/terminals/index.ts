export { insertTerminal } from './repo.ts';
export { terminalRoutes } from './routes.ts';
export { createTerminalService } from './service.ts';
