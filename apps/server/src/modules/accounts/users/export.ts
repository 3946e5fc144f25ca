import { localName, USER_COLUMNS, type Locale } from '@rmeet/contract';
import { listAnswer, type ListColumn } from '../../../platform/export/index.ts';
import type { FileAnswer } from '../../../platform/http/index.ts';
import type { RoleName } from './ports.ts';
import type { AccountRow } from './tables.ts';
import { HEADS, LOCALE_WORDS, type Column } from './words.ts';

export interface ExportedUser {
  row: AccountRow;
  roles: readonly RoleName[];
  /** It has no password yet. */
  isInvited: boolean;
}

const YES: Record<Locale, string> = { zh: '是', en: 'Yes' };
const STATES: Record<'enabled' | 'invited' | 'disabled' | 'deleted', Record<Locale, string>> = {
  enabled: { zh: '启用', en: 'Enabled' },
  invited: { zh: '已邀请', en: 'Invited' },
  disabled: { zh: '停用', en: 'Disabled' },
  deleted: { zh: '已删除', en: 'Deleted' },
};

function stateOf({ row: { enabled, deletedAt }, isInvited }: ExportedUser): keyof typeof STATES {
  if (deletedAt) return 'deleted';
  if (!enabled) return 'disabled';
  return isInvited ? 'invited' : 'enabled';
}

type Shown = Pick<ListColumn<ExportedUser>, 'width' | 'cell'>;
const CELLS: Record<Column, Shown> = {
  account: { width: 20, cell: ({ row }) => row.account },
  name: { width: 20, cell: ({ row }) => row.name },
  phone: { width: 18, cell: ({ row }) => row.phone },
  email: { width: 28, cell: ({ row }) => row.email },
  department: { width: 30, cell: ({ row }) => row.department },
  roles: { width: 24, cell: ({ roles }, locale) => roles.map((role) => localName(role, locale)).join(', ') },
  locale: { width: 12, cell: ({ row }) => LOCALE_WORDS[row.locale] },
};

const IMPORTED = USER_COLUMNS.map((column) => Object.assign({}, HEADS[column], CELLS[column]));
const COLUMNS: readonly ListColumn<ExportedUser>[] = [
  ...IMPORTED,
  {
    zh: '单位管理员',
    en: 'Administrator',
    width: 14,
    cell: ({ row }, locale) => (row.isTenantAdmin ? YES[locale] : ''),
  },
  { zh: '状态', en: 'Status', width: 10, cell: (user, locale) => STATES[stateOf(user)][locale] },
  { zh: '最近登录（UTC）', en: 'Last sign-in (UTC)', width: 20, cell: ({ row }) => row.lastLoginAt },
  { zh: '创建时间（UTC）', en: 'Created (UTC)', width: 20, cell: ({ row }) => row.createdAt },
];

interface ListOptions {
  locale: Locale;
  format: 'xlsx' | 'csv';
  signal: AbortSignal;
}

/** Users as a workbook or CSV that the import accepts, with headers in the reader's language. */
export function exportAnswer(items: AsyncIterable<ExportedUser>, options: ListOptions): FileAnswer {
  return listAnswer({ title: { zh: '用户', en: 'Users' }, columns: COLUMNS, items, ...options });
}

/** Nothing but the headers of the import. */
export function templateAnswer(options: ListOptions): FileAnswer {
  const title = { zh: '用户导入模板', en: 'Users to import' };
  const none: AsyncIterable<ExportedUser> = { async *[Symbol.asyncIterator]() {} };
  return listAnswer({ title, columns: IMPORTED, items: none, ...options });
}
