export { setTerminals, setTerminalsOfAll, terminalsOfMeetings } from './called-terminals.ts';
export { insertTerminal } from './repo.ts';
export { terminalRoutes } from './routes.ts';
export { createTerminalService } from './service.ts';
