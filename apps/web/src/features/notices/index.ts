export { NoticeTextsPage } from './templates/NoticeTextsPage.tsx';
