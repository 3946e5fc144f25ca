import type { Locale, TaskItemState, UserTaskItem } from '@rmeet/contract';
import { listAnswer, type ListColumn } from '../../../../platform/export/index.ts';
import type { FileAnswer } from '../../../../platform/http/index.ts';
import { HEADS } from '../words.ts';
import type { FaultKind } from './sheet.ts';

const STATES: Record<TaskItemState, Record<Locale, string>> = {
  toCreate: { zh: '将新建', en: 'To be created' },
  toChange: { zh: '将修改', en: 'To be changed' },
  same: { zh: '无变化', en: 'Left alone' },
  wrong: { zh: '有错误', en: 'Wrong' },
  created: { zh: '已新建', en: 'Created' },
  changed: { zh: '已修改', en: 'Changed' },
  failed: { zh: '失败', en: 'Failed' },
};

const FAULTS: Record<FaultKind, Record<Locale, string>> = {
  missing: { zh: '必填', en: 'is required' },
  tooLong: { zh: '内容过长', en: 'is too long' },
  unreadable: { zh: '内容无法识别', en: 'cannot be understood' },
  twice: { zh: '与另一行重复', en: 'occurs twice' },
  roleUnknown: { zh: '没有这个角色', en: 'names a role that does not exist' },
  mayNotGrant: { zh: '您不能授予角色', en: 'cannot be granted by you' },
  mayNotChange: { zh: '权限高于您，不能修改', en: 'has more rights than you' },
  quota: { zh: '超出单位的用户数上限', en: 'exceeds the number of users of your organisation' },
};

function reasonOf({ faults, reason, columns }: UserTaskItem, locale: Locale): string {
  if (reason !== '') return reason;
  const parts =
    faults.length > 0
      ? faults.map(({ column, fault, value }) => {
          const text = `${HEADS[column][locale]}${locale === 'zh' ? '：' : ' '}${FAULTS[fault][locale]}`;
          return value === '' ? text : `${text} (${value})`;
        })
      : columns.map((column) => HEADS[column][locale]);
  return parts.join(locale === 'zh' ? '；' : '; ');
}

const COLUMNS: readonly ListColumn<UserTaskItem>[] = [
  { zh: '行', en: 'Row', width: 8, cell: ({ row }) => row },
  { ...HEADS.account, width: 24, cell: ({ account }) => account },
  { ...HEADS.name, width: 24, cell: ({ name }) => name },
  { zh: '结果', en: 'Result', width: 16, cell: ({ state }, locale) => STATES[state][locale] },
  { zh: '说明', en: 'Details', width: 60, cell: reasonOf },
];

interface ReportOptions {
  locale: Locale;
  format: 'xlsx' | 'csv';
  signal: AbortSignal;
}

/** The accounts of a task, with what is done, planned or wrong. */
export function reportAnswer(items: AsyncIterable<UserTaskItem>, options: ReportOptions): FileAnswer {
  return listAnswer({ title: { zh: '用户任务', en: 'Users task' }, columns: COLUMNS, items, ...options });
}
