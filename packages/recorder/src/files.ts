/** The files of recordings: playlists and MP4 films, without the recorder itself. */
export { joinMp4, NothingRecorded, type Cut, type JoinOptions } from './packager/join-mp4.ts';
export { vodPlaylist } from './packager/playlist.ts';
export { folderSource, segmentsIn, storedSegments, type Segment, type SegmentSource } from './packager/segments.ts';
