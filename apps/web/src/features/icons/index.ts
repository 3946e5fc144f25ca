export { IconGalleryPage } from './IconGalleryPage.tsx';
