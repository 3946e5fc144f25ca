export { ApiRecordsPage } from './ApiRecordsPage.tsx';
