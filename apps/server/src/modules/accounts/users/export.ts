import { localName, type Locale } from '@rmeet/contract';
import { listAnswer, type ListColumn } from '../../../platform/export/index.ts';
import type { FileAnswer } from '../../../platform/http/index.ts';
import type { RoleName } from './ports.ts';
import type { AccountRow } from './tables.ts';

export interface ExportedUser {
  row: AccountRow;
  roles: readonly RoleName[];
}

const YES: Record<Locale, string> = { zh: '是', en: 'Yes' };
const STATES: Record<'enabled' | 'disabled' | 'deleted', Record<Locale, string>> = {
  enabled: { zh: '启用', en: 'Enabled' },
  disabled: { zh: '停用', en: 'Disabled' },
  deleted: { zh: '已删除', en: 'Deleted' },
};

function stateOf({ enabled, deletedAt }: AccountRow): keyof typeof STATES {
  if (deletedAt) return 'deleted';
  return enabled ? 'enabled' : 'disabled';
}

const COLUMNS: readonly ListColumn<ExportedUser>[] = [
  { zh: '账号', en: 'Account', width: 20, cell: ({ row }) => row.account },
  { zh: '姓名', en: 'Name', width: 20, cell: ({ row }) => row.name },
  { zh: '部门', en: 'Department', width: 30, cell: ({ row }) => row.department },
  { zh: '手机号', en: 'Phone', width: 18, cell: ({ row }) => row.phone },
  { zh: '邮箱', en: 'Email', width: 28, cell: ({ row }) => row.email },
  {
    zh: '角色',
    en: 'Roles',
    width: 24,
    cell: ({ roles }, locale) => roles.map((role) => localName(role, locale)).join(', '),
  },
  {
    zh: '单位管理员',
    en: 'Administrator',
    width: 14,
    cell: ({ row }, locale) => (row.isTenantAdmin ? YES[locale] : ''),
  },
  { zh: '状态', en: 'Status', width: 10, cell: ({ row }, locale) => STATES[stateOf(row)][locale] },
  { zh: '最近登录（UTC）', en: 'Last sign-in (UTC)', width: 20, cell: ({ row }) => row.lastLoginAt },
  { zh: '创建时间（UTC）', en: 'Created (UTC)', width: 20, cell: ({ row }) => row.createdAt },
];

/** Users as an Excel workbook, with headers in the reader's language. */
export function exportAnswer(items: AsyncIterable<ExportedUser>, locale: Locale, signal: AbortSignal): FileAnswer {
  return listAnswer({ title: { zh: '用户', en: 'Users' }, columns: COLUMNS, items, locale, signal });
}
