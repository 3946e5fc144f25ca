import type { Locale } from '@rmeet/contract';
import { listAnswer, type ListColumn } from '../../platform/export/index.ts';
import type { FileAnswer } from '../../platform/http/index.ts';
import type { AuditRow } from './tables.ts';

const KINDS: Record<AuditRow['actorKind'], Record<Locale, string>> = {
  user: { zh: '用户', en: 'User' },
  operator: { zh: '运营人员', en: 'Operator' },
  terminal: { zh: '终端', en: 'Terminal' },
  desk: { zh: '会控台', en: 'Desk' },
  system: { zh: '系统', en: 'System' },
};
const jsonOf = (fields: Record<string, unknown> | null): string => (fields === null ? '' : JSON.stringify(fields));

const COLUMNS: readonly ListColumn<AuditRow>[] = [
  { zh: '时间（UTC）', en: 'Time (UTC)', width: 20, cell: (row) => row.at },
  { zh: '租户', en: 'Tenant', width: 20, cell: (row) => row.tenantName },
  { zh: '操作者', en: 'By', width: 20, cell: (row) => row.actorName },
  { zh: '操作者类型', en: 'Kind', width: 12, cell: (row, locale) => KINDS[row.actorKind][locale] },
  { zh: '操作者编号', en: 'Id', width: 38, cell: (row) => row.actorId },
  { zh: '地址', en: 'Address', width: 16, cell: (row) => row.address },
  { zh: '操作', en: 'Action', width: 26, cell: (row) => row.action },
  { zh: '对象类型', en: 'Target kind', width: 14, cell: (row) => row.targetKind },
  { zh: '对象', en: 'Target', width: 24, cell: (row) => row.targetName },
  { zh: '对象编号', en: 'Target id', width: 38, cell: (row) => row.targetId },
  { zh: '修改前', en: 'Before', width: 50, cell: (row) => jsonOf(row.before) },
  { zh: '修改后', en: 'After', width: 50, cell: (row) => jsonOf(row.after) },
  { zh: '请求编号', en: 'Request', width: 22, cell: (row) => row.requestId },
  { zh: 'API 客户端', en: 'API client', width: 20, cell: (row) => row.clientName },
];

/** Rows of the log as an Excel workbook, with headers in the reader's language. */
export function exportAnswer(items: AsyncIterable<AuditRow>, locale: Locale, signal: AbortSignal): FileAnswer {
  return listAnswer({ title: { zh: '审计日志', en: 'Audit log' }, columns: COLUMNS, items, locale, signal });
}
