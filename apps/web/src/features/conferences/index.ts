export { JoinPage } from './join/JoinPage.tsx';
