export { readSheet, type SheetRow } from './workbook.ts';
