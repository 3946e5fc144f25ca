import type { UserTaskItem } from '@rmeet/contract';
import type { useTexts } from '../../../lib/i18n/index.ts';

type UserTexts = ReturnType<typeof useTexts<'users'>>;

/** The largest file, in bytes, that fits into a body of 8 MiB as base64. */
const LARGEST = 6_000_000;

/** The error of a file before it is read; null if there is none. */
export function fileFault({ name, size }: Pick<File, 'name' | 'size'>, t: UserTexts): string | null {
  if (!/\.(xlsx|csv)$/i.test(name)) return t('import.wrongKind', { name });
  if (size === 0) return t('import.emptyFile', { name });
  return size > LARGEST ? t('import.tooLarge', { name, size: LARGEST / 1e6 }) : null;
}

/** The error of a cell as text. */
export function faultText({ column, fault, value }: UserTaskItem['faults'][number], t: UserTexts): string {
  const text = t('import.faultOf', { column: t(`column.${column}`), fault: t(`import.fault.${fault}`) });
  return value === '' ? text : t('import.faultWith', { text, value });
}
