export { RoomsPage } from './RoomsPage.tsx';
