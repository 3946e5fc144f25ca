export { StartAppsPage } from './StartAppsPage.tsx';
