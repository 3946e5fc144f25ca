export { createAssistant } from './routes.ts';
