export { MeetingDrawersByAddress } from './drawers/MeetingDrawersByAddress.tsx';
