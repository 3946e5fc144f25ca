export { HeaderDownload } from './HeaderDownload.tsx';
