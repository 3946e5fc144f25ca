export { HistoryPage } from './HistoryPage.tsx';
export { RecordPage } from './RecordPage.tsx';
