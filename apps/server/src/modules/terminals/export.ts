import { TERMINAL_COLUMNS, type Locale } from '@rmeet/contract';
import { listAnswer, type ListColumn } from '../../platform/export/index.ts';
import type { FileAnswer } from '../../platform/http/index.ts';
import type { RoomName } from './repo.ts';
import type { TerminalRow } from './tables.ts';
import { ENABLED, HEADS, KINDS, type Column } from './words.ts';

export interface ExportedTerminal {
  row: TerminalRow;
  room: RoomName | undefined;
}

/** A room as the sheet writes it. */
export const roomLabel = ({ building, name }: Pick<RoomName, 'building' | 'name'>): string => `${building} / ${name}`;

type Shown = Pick<ListColumn<ExportedTerminal>, 'width' | 'cell'>;
const CELLS: Record<Column, Shown> = {
  name: { width: 24, cell: ({ row }) => row.name },
  address: { width: 36, cell: ({ row }) => row.address },
  kind: { width: 16, cell: ({ row }, locale) => KINDS[row.kind][locale] },
  room: { width: 30, cell: ({ room }) => (room ? roomLabel(room) : '') },
  zone: { width: 14, cell: ({ row }) => row.zone },
  department: { width: 24, cell: ({ row }) => row.department },
  note: { width: 36, cell: ({ row }) => row.note },
  enabled: { width: 10, cell: ({ row }, locale) => ENABLED[row.enabled ? 'yes' : 'no'][locale] },
};

const columns = TERMINAL_COLUMNS.map((column) => Object.assign({}, HEADS[column], CELLS[column]));

/** Terminals as an Excel workbook that the import accepts, with headers in the reader's language. */
export function exportAnswer(items: AsyncIterable<ExportedTerminal>, locale: Locale, signal: AbortSignal): FileAnswer {
  return listAnswer({ title: { zh: '会议终端', en: 'Terminals' }, columns, items, locale, signal });
}
