import type { ReactNode } from 'react';
import './dataTable.css';

export interface Column<Row> {
  key: string;
  label: string;
  render: (row: Row, index: number) => ReactNode;
  /** CSS width; columns without one share the remaining width. */
  width?: string;
  sortable?: boolean;
  /** Heading of the row's card on phones, and the row's name for screen readers. */
  heading?: boolean;
  /** Shown below the heading of the row's card on phones, without its label. */
  lead?: boolean;
  /** Hidden on narrow screens and on phones. */
  wideOnly?: boolean;
  /** Hidden where the table has the width of a tablet in portrait. */
  notOnTablet?: boolean;
  /** Shown at the end of the row's card on phones, without its label. */
  unlabelled?: boolean;
  testId?: string;
}

interface Sorting {
  key: string;
  ascending: boolean;
  /** The accessible label of the sort button in a column heading. */
  label: (column: string) => string;
  onSort: (key: string, ascending: boolean) => void;
}

interface DataTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  sorting?: Sorting;
  rowTestId?: string;
  /** Shows this many placeholder rows instead of rows. */
  skeletonRows?: number;
  /** Newer rows are loading; the current ones are shown until then. */
  stale?: boolean;
}

/**
 * A table, and on phones the same rows as cards. Roles are explicit because browsers drop a table's roles when CSS
 * changes its layout.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, sorting, rowTestId, skeletonRows = 0, stale = false } = props;
  return (
    <div className="data-table-frame" data-stale={stale}>
      <table className="data-table" role="table" aria-label={label} aria-busy={skeletonRows > 0 || stale}>
        <colgroup>
          {columns.map((column) => (
            <col
              key={column.key}
              className={widthClass(column)}
              style={column.width === undefined ? undefined : { width: column.width }}
            />
          ))}
        </colgroup>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <HeadCell key={column.key} column={column} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row, index) => (
            <tr key={rowKey(row)} role="row" data-testid={rowTestId}>
              {columns.map((column) => (
                <td
                  key={column.key}
                  role={column.heading === true ? 'rowheader' : 'cell'}
                  className={cellClass(column)}
                  data-label={column.label}
                  data-testid={column.testId}
                >
                  {column.render(row, index)}
                </td>
              ))}
            </tr>
          ))}
          {Array.from({ length: skeletonRows }, (_, index) => (
            <tr key={`skeleton-${index}`} role="row" className="data-table-skeleton" aria-hidden="true">
              {columns.map((column) => (
                <td key={column.key} className={cellClass(column)}>
                  <span />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function HeadCell<Row>({ column, sorting }: { column: Column<Row>; sorting: Sorting | undefined }) {
  if (!column.sortable || !sorting) {
    return (
      <th role="columnheader" scope="col" className={widthClass(column)}>
        {column.label}
      </th>
    );
  }
  const isSorted = sorting.key === column.key;
  const direction = sorting.ascending ? 'ascending' : 'descending';
  return (
    <th role="columnheader" scope="col" className={widthClass(column)} aria-sort={isSorted ? direction : 'none'}>
      <button
        type="button"
        title={sorting.label(column.label)}
        data-testid={`sort-${column.key}`}
        onClick={() => sorting.onSort(column.key, isSorted ? !sorting.ascending : true)}
      >
        {column.label}
        <svg width="10" height="14" viewBox="0 0 10 14" aria-hidden="true">
          <path d="M5 1 9 6H1Z" data-on={isSorted && sorting.ascending} />
          <path d="M5 13 1 8h8Z" data-on={isSorted && !sorting.ascending} />
        </svg>
      </button>
    </th>
  );
}

/** From which width on a column is shown. */
function widthClass<Row>({ wideOnly = false, notOnTablet = false }: Column<Row>): string | undefined {
  if (wideOnly) return 'data-table-wide';
  return notOnTablet ? 'data-table-laptop' : undefined;
}

function cellClass<Row>(column: Column<Row>): string | undefined {
  const { heading = false, lead = false, unlabelled = false } = column;
  if (heading) return 'data-table-heading';
  if (lead) return 'data-table-lead';
  if (unlabelled) return 'data-table-foot';
  return widthClass(column);
}
