export { createReleaseNotes, rememberVersion } from './service.ts';
