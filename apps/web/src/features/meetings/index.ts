export { MyMeetingPage } from './MyMeetingPage.tsx';
