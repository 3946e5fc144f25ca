export { csvText } from './csv.ts';
export { listAnswer, type ListColumn } from './list.ts';
