export { localStorage } from './local.ts';
export { FileMissing, type Storage } from './storage.ts';
