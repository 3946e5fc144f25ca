import type { RollCall } from '@rmeet/conference';

type Word = 'present' | 'absent' | 'unmarked';

/** How many are here, are not, and have not been marked. */
export function tally({ entries }: Pick<RollCall, 'entries'>): Record<Word, number> {
  const counts = { present: 0, absent: 0, unmarked: 0 };
  for (const { mark } of entries) counts[mark ?? 'unmarked'] += 1;
  return counts;
}

/** The result as lines that a table takes: name, tab, mark. */
export function rollText({ entries }: Pick<RollCall, 'entries'>, say: (word: Word) => string): string {
  return entries.map(({ name, mark }) => `${name.replaceAll(/[\t\n]/g, ' ')}\t${say(mark ?? 'unmarked')}`).join('\n');
}

/** The result as a table for spreadsheets. A name that one would take for a formula is marked as text. */
export function rollCsv({ entries }: Pick<RollCall, 'entries'>, say: (word: Word) => string): string {
  const cell = (text: string): string => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
  // By the mark at its start spreadsheets tell that it is UTF-8.
  return `\uFEFF${entries.map(({ name, mark }) => `${cell(name)},${cell(say(mark ?? 'unmarked'))}`).join('\r\n')}\r\n`;
}
