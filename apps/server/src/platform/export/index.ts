export { listAnswer, type ListColumn } from './list.ts';
