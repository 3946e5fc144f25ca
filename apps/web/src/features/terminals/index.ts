export { TerminalsPage } from './TerminalsPage.tsx';
