export { AnnouncementsPage } from './AnnouncementsPage.tsx';
