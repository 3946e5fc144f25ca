/** Records the programme of a conference: one picture as it comes, and the mix of all sound, to a WebM file. */
export { Recording, type Recorded, type RecordOptions } from './recorder.ts';
export { FileTaken } from './webm-file.ts';
