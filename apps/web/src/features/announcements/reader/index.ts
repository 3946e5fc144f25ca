export { AnnouncementButton } from './AnnouncementButton.tsx';
export { ImportantAnnouncements } from './ImportantAnnouncements.tsx';
