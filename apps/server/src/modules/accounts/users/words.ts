import { USER_COLUMNS, type Locale } from '@rmeet/contract';
import { wordReader } from '../../../platform/import/index.ts';

export type Column = (typeof USER_COLUMNS)[number];

/** The sheet's words: what the export writes and the import reads, in either language. */
export const HEADS: Record<Column, Record<Locale, string>> = {
  account: { zh: '账号', en: 'Account' },
  name: { zh: '姓名', en: 'Name' },
  phone: { zh: '手机号', en: 'Phone' },
  email: { zh: '邮箱', en: 'Email' },
  department: { zh: '部门', en: 'Department' },
  roles: { zh: '角色', en: 'Roles' },
  locale: { zh: '语言', en: 'Language' },
};
/** Other headings that people and programs use. */
const ALSO: Partial<Record<Column, readonly string[]>> = {
  account: ['用户名', '登录名', 'username', 'user name', 'account name'],
  name: ['名字', 'full name', 'display name'],
  phone: ['手机', '手机号码', '电话', 'phone number', 'mobile'],
  email: ['电子邮箱', '邮件', 'mail', 'e-mail', 'mail address', 'email address'],
  roles: ['role'],
};

/** Each language is named in itself. */
export const LOCALE_WORDS: Record<Locale, string> = { zh: '中文', en: 'English' };

/** The column of a heading; undefined for an unknown one. */
export const readHead = wordReader(
  USER_COLUMNS.map((column) => [column, [column, ...Object.values(HEADS[column]), ...(ALSO[column] ?? [])]] as const),
);
export const readLocale = wordReader([
  ['zh', ['zh', 'zh-cn', LOCALE_WORDS.zh, '简体中文', '汉语', 'chinese']],
  ['en', ['en', 'en-us', 'en-gb', LOCALE_WORDS.en, '英文', '英语']],
] as const);
