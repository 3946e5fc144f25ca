export { MeetingControlPage } from './MeetingControlPage.tsx';
export { MyMeetingPage } from './MyMeetingPage.tsx';
