export { UserAccessPage } from './access/UserAccessPage.tsx';
export { PermissionsPage } from './PermissionsPage.tsx';
