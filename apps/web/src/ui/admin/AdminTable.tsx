import type { Page } from '@rmeet/contract';
import { Table, type TableProps } from 'antd';
import { useRef, type Key, type ReactNode } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import type { Order } from '../../lib/listState.ts';
import { useLastPage } from '../../lib/useLastPage.ts';
import { EmptyState, ErrorState, Loading } from '../states.tsx';
import { Clipped } from './Clipped.tsx';
import { ColumnMenu } from './ColumnMenu.tsx';
import { useColumnChoice, type AdminColumn } from './columns.ts';
import { ListPager } from './ListPager.tsx';
import { useWidth } from './useWidth.ts';
import './texts.ts';
import './admin.css';

/** The parts of a query's result that the table needs. */
interface ListResult<Row> {
  data: Page<Row> | undefined;
  isPending: boolean;
  isError: boolean;
  isSuccess: boolean;
  isPlaceholderData: boolean;
  refetch: () => unknown;
}

interface Selection<Row> {
  /** Ids; those of rows on other pages are ignored. */
  selected: readonly string[];
  onSelect: (ids: string[]) => void;
  /** Rows that cannot be selected. */
  isDisabled?: (row: Row) => boolean;
}

export interface AdminTableProps<Row extends { id: string }, Sort extends string> {
  /** The list's name; its column choice is stored under it. */
  name: string;
  label: string;
  columns: readonly AdminColumn<Row, Sort>[];
  list: ListResult<Row>;
  state: { current: number; size: number; sort: Sort; order: Order };
  onState: (change: { current?: number; size?: number; sort?: Sort; order?: Order }) => void;
  /** A row's name, for screen readers. */
  nameOf: (row: Row) => string;
  /** Actions of a row: usually RowActions. */
  actions?: { width: number; render: (row: Row) => ReactNode };
  selection?: Selection<Row>;
  /** Search and filters: usually ListToolbar. */
  toolbar?: ReactNode;
  /** Actions of the selected rows: usually BulkActions. */
  bulk?: ReactNode;
  /** Directly above the table, before the column menu. */
  tools?: ReactNode;
  empty: { title: string; hint?: string };
}

const SELECTION_WIDTH = 44;

/** A list of the manage and admin systems: table, column choice, paging, and the loading, empty and error states. */
export function AdminTable<Row extends { id: string }, Sort extends string>(props: AdminTableProps<Row, Sort>) {
  const { name, columns, list, state, onState, toolbar, bulk, tools } = props;
  const top = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const { shown, choices, toggle } = useColumnChoice(name, columns, useWidth(frame) - fixedWidthOf(props));
  useLastPage(list, state, onState);
  return (
    <div ref={top} className="admin-list">
      <div className="admin-list-bar">
        <div className="admin-list-left">{toolbar}</div>
        {tools}
        <ColumnMenu choices={choices} onToggle={toggle} />
      </div>
      {bulk}
      <div ref={frame} className="admin-list-frame">
        <TableContent {...props} shown={shown} />
      </div>
      {list.data !== undefined && list.data.records.length > 0 && (
        <ListPager
          data={list.data}
          state={state}
          onState={(change) => {
            onState(change);
            top.current?.scrollIntoView();
          }}
        />
      )}
    </div>
  );
}

/** The width of the columns that are always there: checkboxes and actions. */
function fixedWidthOf<Row extends { id: string }, Sort extends string>({
  selection,
  actions,
}: AdminTableProps<Row, Sort>): number {
  return (selection ? SELECTION_WIDTH : 0) + (actions?.width ?? 0);
}

interface TableContentProps<Row extends { id: string }, Sort extends string> extends AdminTableProps<Row, Sort> {
  /** The columns that are not hidden. */
  shown: readonly AdminColumn<Row, Sort>[];
}

/** The rows, or a placeholder if there are none. */
function TableContent<Row extends { id: string }, Sort extends string>(props: TableContentProps<Row, Sort>) {
  const { name, label, columns, shown, list, onState, nameOf, selection, empty } = props;
  const t = useTexts('admin');
  const tableColumns = useTableColumns(props);
  const rows = list.data?.records ?? [];
  // Existing rows stay if a refetch fails.
  if (list.isError && !list.data) return <ErrorState retry={() => void list.refetch()} />;
  if (list.isPending) return <Loading />;
  if (rows.length === 0) return <EmptyState picture="list" {...empty} />;
  return (
    <Table<Row>
      aria-label={label}
      className={list.isPlaceholderData ? 'admin-table admin-table-stale' : 'admin-table'}
      columns={tableColumns}
      dataSource={rows}
      rowKey="id"
      size="small"
      pagination={false}
      tableLayout="fixed"
      scroll={{ x: shown.reduce((sum, { width }) => sum + width, fixedWidthOf(props)) }}
      showSorterTooltip={false}
      sortDirections={['ascend', 'descend', 'ascend']}
      onRow={() => ({ 'data-testid': `${name}-row` }) as object}
      onChange={(_page, _filters, sorter) => {
        const { columnKey, order } = Array.isArray(sorter) ? (sorter[0] ?? {}) : sorter;
        const sort = columns.find(({ key }) => key === columnKey)?.sort;
        if (sort !== undefined) onState({ sort, order: order === 'descend' ? 'DESC' : 'ASC' });
      }}
      {...(selection
        ? {
            rowSelection: rowSelectionOf(selection, nameOf, {
              all: t('selectAll'),
              row: (row) => t('selectRow', { name: row }),
            }),
          }
        : {})}
    />
  );
}

function useTableColumns<Row extends { id: string }, Sort extends string>({
  shown,
  state,
  actions,
}: TableContentProps<Row, Sort>): NonNullable<TableProps<Row>['columns']> {
  const t = useTexts('admin');
  const common = useTexts('common');
  const tableColumns: NonNullable<TableProps<Row>['columns']> = shown.map(
    ({ key, label: title, width, sort, fixed, render }) => ({
      key,
      title,
      width,
      ...(fixed ? { fixed } : {}),
      ...(sort === undefined
        ? {}
        : { sorter: true, sortOrder: state.sort === sort ? (state.order === 'ASC' ? 'ascend' : 'descend') : null }),
      render: (_: unknown, row: Row) => cell(render(row), common('empty')),
    }),
  );
  if (actions)
    tableColumns.push({
      key: 'actions',
      title: t('actions'),
      width: actions.width,
      fixed: 'end',
      render: (_: unknown, row: Row) => actions.render(row),
    });
  return tableColumns;
}

function cell(content: ReactNode, none: string): ReactNode {
  if (content === '' || content === null || content === undefined || content === none)
    return <span className="admin-none">{none}</span>;
  return typeof content === 'string' ? <Clipped text={content} /> : content;
}

function rowSelectionOf<Row extends { id: string }>(
  { selected, onSelect, isDisabled }: Selection<Row>,
  nameOf: (row: Row) => string,
  labels: { all: string; row: (name: string) => string },
): NonNullable<TableProps<Row>['rowSelection']> {
  return {
    selectedRowKeys: [...selected],
    onChange: (keys: Key[]) => onSelect(keys.map(String)),
    columnWidth: SELECTION_WIDTH,
    getTitleCheckboxProps: () => ({ 'aria-label': labels.all }),
    getCheckboxProps: (row) => ({ 'aria-label': labels.row(nameOf(row)), disabled: isDisabled?.(row) ?? false }),
  };
}
