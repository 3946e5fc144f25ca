import type { contract, Data } from '@rmeet/contract';
import type { useTexts } from '../../lib/i18n/index.ts';

export type ImportResult = Data<typeof contract.terminals.import>;
export type Fault = ImportResult['faults'][number];

/** The chosen workbook. */
export interface Sheet {
  name: string;
  /** Base64. */
  file: string;
}

/** A body of 8 MiB holds so many bytes as base64. */
const LARGEST = 6_000_000;
/** Faults are listed up to this many. */
const FAULTS_LISTED = 1_000;
/** The row that names the columns. */
const HEADER = 1;

type TerminalTexts = ReturnType<typeof useTexts<'terminals'>>;

/** What is wrong with a file before it is read; null for nothing. */
export function fileFault({ name, size }: Pick<File, 'name' | 'size'>, t: TerminalTexts): string | null {
  if (!/\.xlsx$/i.test(name)) return t('import.notExcel', { name });
  if (size === 0) return t('import.emptyFile', { name });
  return size > LARGEST ? t('import.tooLarge', { name, size: LARGEST / 1e6 }) : null;
}

/** A file's bytes as base64. */
export function readBase64(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      if (typeof reader.result === 'string') resolve(reader.result.slice(reader.result.indexOf(',') + 1));
    });
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file could not be read.')));
    reader.readAsDataURL(file);
  });
}

/** What is wrong with a cell, in words. */
export function faultText({ row, column, fault }: Omit<Fault, 'value'>, t: TerminalTexts): string {
  if (row === HEADER && (fault === 'missing' || fault === 'twice')) return t(`import.header.${fault}`);
  if (
    fault === 'unreadable' &&
    (column === 'kind' || column === 'address' || column === 'room' || column === 'enabled')
  )
    return t(`import.unreadable.${column}`);
  return t(`import.fault.${fault}`);
}

/** Whether there may be more faults than the answer lists. */
export function hasMoreFaults({ faults }: ImportResult): boolean {
  return faults.length >= FAULTS_LISTED;
}

/** Rows an import would store. */
export function rowsToStore({ added, changed }: ImportResult): number {
  return added + changed;
}
