export { SpoolRoom, type SpoolRoomOptions } from './room.ts';
export { Uploader, type SpooledFile, type UploaderOptions, type UploadTrouble } from './uploader.ts';
