import { TASK_ITEM_STATES, type TaskItemState, type UserTask, type UserTaskItem } from '@rmeet/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { download } from '../../../lib/download.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { FilterSelect } from '../../../ui/admin/FilterSelect.tsx';
import { Button } from '../../../ui/Button.tsx';
import { DataTable, type Column } from '../../../ui/DataTable.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { ImportResult } from '../../../ui/import/ImportResult.tsx';
import { ErrorState, Loading } from '../../../ui/states.tsx';
import { ITEMS_SIZE, reportPath, useTaskItems } from './queries.ts';
import { faultText } from './taskTexts.ts';

interface TaskReportProps {
  tenant: string;
  task: UserTask;
  verdict: string;
  note?: string;
}

/** The states that a task shows although none of its accounts is in them. */
const ALWAYS: Record<UserTask['kind'], Partial<Record<UserTask['state'], readonly TaskItemState[]>>> = {
  import: { checked: ['toCreate', 'toChange', 'same', 'wrong'], done: ['created', 'changed', 'same', 'failed'] },
  change: { done: ['changed', 'same', 'failed'] },
};

/** What a task would do or has done: the numbers, and each account. */
export function TaskReport({ tenant, task, verdict, note = '' }: TaskReportProps) {
  const t = useTexts('users');
  const shown = TASK_ITEM_STATES.filter(
    (state) => task.counts[state] > 0 || ALWAYS[task.kind][task.state]?.includes(state),
  );
  return (
    <ImportResult
      verdict={verdict}
      isWrong={task.counts.wrong + task.counts.failed > 0}
      note={note}
      counts={shown.map((state) => ({ key: state, label: t(`task.state.${state}`), count: task.counts[state] }))}
    >
      {task.total > 0 && <TaskItems tenant={tenant} task={task} />}
    </ImportResult>
  );
}

/** What needs attention comes first. */
function firstFilter({ counts }: UserTask): TaskItemState | '' {
  if (counts.failed > 0) return 'failed';
  return counts.wrong > 0 ? 'wrong' : '';
}

// oxlint-disable-next-line max-lines-per-function -- plain JSX of one list
function TaskItems({ tenant, task }: { tenant: string; task: UserTask }) {
  const t = useTexts('users');
  const admin = useTexts('admin');
  const common = useTexts('common');
  const [state, setState] = useState<TaskItemState | ''>(() => firstFilter(task));
  const [current, setCurrent] = useState(1);
  const items = useTaskItems(tenant, task, state, current);
  const report = useMutation({ mutationFn: () => download(reportPath(tenant, task)) });
  const columns = useItemColumns(task);
  const last = Math.max(1, Math.ceil((items.data?.total ?? 0) / ITEMS_SIZE));

  return (
    <div className="import-faults">
      <div className="task-tools">
        <FilterSelect
          label={t('task.result')}
          value={state}
          options={TASK_ITEM_STATES.filter((one) => task.counts[one] > 0).map((value) => ({
            value,
            label: t(`task.state.${value}`),
          }))}
          onChange={(next) => {
            setState(next);
            setCurrent(1);
          }}
          testId="task-filter"
        />
        <Button busy={report.isPending} data-testid="task-report" onClick={() => report.mutate()}>
          <Icon name="download" />
          {t('task.report')}
        </Button>
      </div>
      {items.data ? (
        <DataTable
          label={t('task.accounts')}
          columns={columns}
          rows={items.data.records}
          rowKey={({ id }) => String(id)}
          rowTestId="task-row"
          stale={items.isPlaceholderData}
        />
      ) : items.isError ? (
        <ErrorState title={t('task.unloaded')} retry={() => void items.refetch()} />
      ) : (
        <Loading />
      )}
      {last > 1 && (
        <nav className="task-pages" aria-label={common('pager.label')}>
          <Button
            disabled={current <= 1}
            aria-label={common('pager.previous')}
            data-testid="task-previous"
            onClick={() => setCurrent(current - 1)}
          >
            {'‹'}
          </Button>
          <span>{common('pager.page', { current, last })}</span>
          <Button
            disabled={current >= last}
            aria-label={common('pager.next')}
            data-testid="task-next"
            onClick={() => setCurrent(current + 1)}
          >
            {'›'}
          </Button>
          <span className="import-more">{admin('total', { total: items.data?.total ?? 0 })}</span>
        </nav>
      )}
    </div>
  );
}

function useItemColumns(task: UserTask): Column<UserTaskItem>[] {
  const t = useTexts('users');
  const admin = useTexts('admin');
  const common = useTexts('common');
  const detailsOf = ({ faults, reason, columns }: UserTaskItem): string => {
    if (reason !== '') return reason;
    const parts =
      faults.length > 0 ? faults.map((fault) => faultText(fault, t)) : columns.map((column) => t(`column.${column}`));
    return parts.join(t('task.separator'));
  };
  return [
    ...(task.kind === 'import'
      ? [
          {
            key: 'row',
            label: t('task.row'),
            width: '72px',
            render: ({ row }: UserTaskItem) => (row === null ? '' : t('task.rowNumber', { row })),
          },
        ]
      : []),
    {
      key: 'account',
      label: admin('account.account'),
      width: '150px',
      heading: true,
      render: ({ account, name }) => (
        <>
          {account === '' ? common('empty') : account}
          {name !== '' && <small className="task-name">{name}</small>}
        </>
      ),
    },
    { key: 'state', label: t('task.result'), width: '92px', render: ({ state }) => t(`task.state.${state}`) },
    { key: 'details', label: t('task.details'), render: (item) => detailsOf(item) },
  ];
}
