export { ResourcesPage } from './ResourcesPage.tsx';
