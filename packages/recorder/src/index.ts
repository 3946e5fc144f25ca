/** Records the programme of a conference: one picture as it comes, and the mix of all sound, to a WebM file. */
export { accessByAccount, accessByLink } from './access.ts';
export { Recording, type Recorded } from './recorder.ts';
