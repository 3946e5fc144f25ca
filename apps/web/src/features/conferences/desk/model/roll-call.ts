import type { RollCall } from '@rmeet/conference';

type Word = 'present' | 'absent' | 'unmarked';

/** How many are marked present, marked absent, and not yet marked. */
export function tally({ entries }: Pick<RollCall, 'entries'>): Record<Word, number> {
  const counts = { present: 0, absent: 0, unmarked: 0 };
  for (const { mark } of entries) counts[mark ?? 'unmarked'] += 1;
  return counts;
}

/** The result as lines to paste into a table: name, tab, mark. */
export function rollText({ entries }: Pick<RollCall, 'entries'>, say: (word: Word) => string): string {
  return entries.map(({ name, mark }) => `${name.replaceAll(/[\t\n]/g, ' ')}\t${say(mark ?? 'unmarked')}`).join('\n');
}

/** The result as CSV for spreadsheets. A name that would be read as a formula is escaped as text. */
export function rollCsv({ entries }: Pick<RollCall, 'entries'>, say: (word: Word) => string): string {
  const cell = (text: string): string => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
  // The byte order mark tells spreadsheets that the file is UTF-8.
  return `\uFEFF${entries.map(({ name, mark }) => `${cell(name)},${cell(say(mark ?? 'unmarked'))}`).join('\r\n')}\r\n`;
}
