export { createConferences, type Conferences } from './create.ts';
