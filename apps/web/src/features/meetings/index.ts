export { MeetingDrawersByAddress } from './drawers/MeetingDrawersByAddress.tsx';
export { MeetingControlPage } from './control/MeetingControlPage.tsx';
export { MyMeetingPage } from './list/MyMeetingPage.tsx';
