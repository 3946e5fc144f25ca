export { csvText } from './csv.ts';
export { listAnswer, type Bilingual, type ListColumn } from './list.ts';
