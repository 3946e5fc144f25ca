export { DocumentsPage } from './DocumentsPage.tsx';
