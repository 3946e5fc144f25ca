import { TERMINAL_COLUMNS, TERMINAL_KINDS, type Locale } from '@rmeet/contract';
import type { RegisteredTerminal } from '@rmeet/contract';
import { wordReader } from '../../platform/import/index.ts';

export type Column = (typeof TERMINAL_COLUMNS)[number];
type Kind = RegisteredTerminal['kind'];

/** The sheet's words: what the export writes and the import reads, in either language. */
export const HEADS: Record<Column, Record<Locale, string>> = {
  name: { zh: '名称', en: 'Name' },
  address: { zh: '地址', en: 'Address' },
  kind: { zh: '类型', en: 'Type' },
  room: { zh: '会议室', en: 'Room' },
  zone: { zh: '区域', en: 'Region' },
  department: { zh: '部门', en: 'Department' },
  note: { zh: '备注', en: 'Note' },
  enabled: { zh: '启用', en: 'Enabled' },
};

export const KINDS: Record<Kind, Record<Locale, string>> = {
  sip: { zh: 'SIP 终端', en: 'SIP device' },
  h323: { zh: 'H.323 终端', en: 'H.323 device' },
  rooms: { zh: '会议室客户端', en: 'Room client' },
  phone: { zh: '电话', en: 'Telephone' },
  rtsp: { zh: '摄像头', en: 'Camera' },
};

export const ENABLED: Record<'yes' | 'no', Record<Locale, string>> = {
  yes: { zh: '是', en: 'Yes' },
  no: { zh: '否', en: 'No' },
};
/** Other words that people and programs use. */
const ALSO = { yes: ['true', '1', '启用', 'enabled', 'y'], no: ['false', '0', '停用', 'disabled', 'n'] };

/** The column of a heading; undefined for an unknown one. */
export const readHead = wordReader(
  TERMINAL_COLUMNS.map((column) => [column, [column, ...Object.values(HEADS[column])]] as const),
);
export const readKind = wordReader(
  TERMINAL_KINDS.map((kind) => [kind, [kind, ...Object.values(KINDS[kind])]] as const),
);
export const readEnabled = wordReader([
  [true, [...Object.values(ENABLED.yes), ...ALSO.yes]],
  [false, [...Object.values(ENABLED.no), ...ALSO.no]],
] as const);
