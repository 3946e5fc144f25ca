export { isDownloadShown } from '../downloads/viewer.ts';
export { HeaderDownload } from './HeaderDownload.tsx';
