export { UserInfoPage } from './UserInfoPage.tsx';
