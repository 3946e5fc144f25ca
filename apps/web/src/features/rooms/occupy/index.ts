export { OccupyRoomPage } from './OccupyRoomPage.tsx';
