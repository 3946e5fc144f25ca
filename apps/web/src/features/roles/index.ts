export { RolesPage } from './RolesPage.tsx';
