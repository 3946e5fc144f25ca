export { ClientPackagesPage } from './ClientPackagesPage.tsx';
