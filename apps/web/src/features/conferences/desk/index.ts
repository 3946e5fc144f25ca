export { DeskPage } from './DeskPage.tsx';
export { StatusWallPage } from './StatusWallPage.tsx';
