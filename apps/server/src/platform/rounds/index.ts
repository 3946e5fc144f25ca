export { Rounds } from './rounds.ts';
