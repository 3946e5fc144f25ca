import { localName, type Locale } from '@rmeet/contract';
import { listAnswer, type ListColumn } from '../../../platform/export/index.ts';
import type { FileAnswer } from '../../../platform/http/index.ts';
import type { RoleName } from '../users/index.ts';
import type { AccountRow } from '../users/tables.ts';

export interface ExportedOperator {
  row: AccountRow;
  roles: readonly RoleName[];
}

const YES: Record<Locale, string> = { zh: '是', en: 'Yes' };
const STATES: Record<'enabled' | 'disabled', Record<Locale, string>> = {
  enabled: { zh: '启用', en: 'Enabled' },
  disabled: { zh: '停用', en: 'Disabled' },
};

const COLUMNS: readonly ListColumn<ExportedOperator>[] = [
  { zh: '账号', en: 'Account', width: 20, cell: ({ row }) => row.account },
  { zh: '姓名', en: 'Name', width: 20, cell: ({ row }) => row.name },
  { zh: '手机号', en: 'Phone', width: 18, cell: ({ row }) => row.phone },
  { zh: '邮箱', en: 'Email', width: 28, cell: ({ row }) => row.email },
  {
    zh: '超级管理员',
    en: 'Super administrator',
    width: 18,
    cell: ({ row }, locale) => (row.isSuperAdmin ? YES[locale] : ''),
  },
  {
    zh: '角色',
    en: 'Roles',
    width: 24,
    cell: ({ roles }, locale) => roles.map((role) => localName(role, locale)).join(', '),
  },
  {
    zh: '状态',
    en: 'Status',
    width: 10,
    cell: ({ row }, locale) => STATES[row.enabled ? 'enabled' : 'disabled'][locale],
  },
  { zh: '最近登录（UTC）', en: 'Last sign-in (UTC)', width: 20, cell: ({ row }) => row.lastLoginAt },
  { zh: '创建时间（UTC）', en: 'Created (UTC)', width: 20, cell: ({ row }) => row.createdAt },
];

/** Operators as an Excel workbook, with headers in the reader's language. */
export function exportAnswer(items: AsyncIterable<ExportedOperator>, locale: Locale, signal: AbortSignal): FileAnswer {
  return listAnswer({ title: { zh: '运营人员', en: 'Operators' }, columns: COLUMNS, items, locale, signal });
}
