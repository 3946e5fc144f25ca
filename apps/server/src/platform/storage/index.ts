export { ContentReader, type ContentChecks } from './content.ts';
export { localStorage } from './local.ts';
export { pictureOf, type Picture } from './pictures.ts';
export { checkKey, FileMissing, type Storage, type StoredFile } from './storage.ts';
