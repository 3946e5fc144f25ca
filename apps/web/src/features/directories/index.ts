export { DirectoriesPage } from './DirectoriesPage.tsx';
