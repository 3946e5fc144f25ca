/** Records the programme of a conference to a WebM file: one picture at its original rate, and the mix of all audio. */
export { accessByAccount, accessByLink } from './access.ts';
export { Recording, type Recorded } from './recorder.ts';
