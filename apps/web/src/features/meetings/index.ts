export { BookableBeside } from './BookableBeside.tsx';
export { MeetingControlPage } from './MeetingControlPage.tsx';
export { MyMeetingPage } from './MyMeetingPage.tsx';
