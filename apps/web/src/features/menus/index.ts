export { MenuManagePage } from './MenuManagePage.tsx';
