export { ApprovalsPage } from './ApprovalsPage.tsx';
