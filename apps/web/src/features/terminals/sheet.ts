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

/** The number of bytes that fit into a body of 8 MiB as base64. */
const LARGEST = 6_000_000;
/** Maximum number of faults listed. */
const FAULTS_LISTED = 1_000;
/** The row with the column names. */
const HEADER = 1;

type TerminalTexts = ReturnType<typeof useTexts<'terminals'>>;

/** The error of a file before it is read; null if there is none. */
export function fileFault({ name, size }: Pick<File, 'name' | 'size'>, t: TerminalTexts): string | null {
  if (!/\.xlsx$/i.test(name)) return t('import.notExcel', { name });
  if (size === 0) return t('import.emptyFile', { name });
  return size > LARGEST ? t('import.tooLarge', { name, size: LARGEST / 1e6 }) : null;
}

/** The error of a cell as text. */
export function faultText({ row, column, fault }: Omit<Fault, 'value'>, t: TerminalTexts): string {
  if (row === HEADER && (fault === 'missing' || fault === 'twice')) return t(`import.header.${fault}`);
  if (
    fault === 'unreadable' &&
    (column === 'kind' || column === 'address' || column === 'room' || column === 'enabled')
  )
    return t(`import.unreadable.${column}`);
  return t(`import.fault.${fault}`);
}

/** Whether there may be more faults than the answer contains. */
export function hasMoreFaults({ faults }: ImportResult): boolean {
  return faults.length >= FAULTS_LISTED;
}

/** The number of rows an import would store. */
export function rowsToStore({ added, changed }: ImportResult): number {
  return added + changed;
}
