export { ContentReader, isText, kindOf, shownPicture, type ContentChecks } from './content.ts';
export { localStorage } from './local.ts';
export { moveFiles } from './move.ts';
export { filesFolder, openStorage, storageAt, storageOf } from './open.ts';
export { pictureOf, type Picture } from './pictures.ts';
export { s3Storage, StorageUnusable, type S3Settings } from './s3.ts';
export { checkKey, FileMissing, StorageUnavailable, type Storage, type StoredFile } from './storage.ts';
