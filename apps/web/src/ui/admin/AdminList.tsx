import type { ReactNode } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { AdminTable, type AdminTableProps } from './AdminTable.tsx';
import { ListToolbar } from './ListToolbar.tsx';
import { RowActions, type RowAction } from './RowActions.tsx';

interface AdminListProps<Row extends { id: string }, Sort extends string> extends Omit<
  AdminTableProps<Row, Sort>,
  'state' | 'onState' | 'actions' | 'toolbar' | 'empty'
> {
  state: AdminTableProps<Row, Sort>['state'] & { keyword: string };
  onState: (change: {
    keyword?: string;
    current?: number;
    size?: number;
    sort?: Sort;
    order?: AdminTableProps<Row, Sort>['state']['order'];
  }) => void;
  /** The actions of a row; null if there are none. */
  rowActions: (row: Row) => readonly RowAction[] | null;
  /** What a row's actions apply to, for screen readers; defaults to its name. */
  actionsOf?: (row: Row) => string;
  actionsWidth?: number;
  /** Placeholder of the search field: what the search covers. */
  search: string;
  /** Beside the search field: usually FilterSelect. */
  filters?: ReactNode;
  /** Whether the search or a filter is active. */
  filtered: boolean;
  /** Shown when the list is empty without filters. */
  empty: { title: string; hint?: string };
  /** Title of an empty list with filters; defaults to "no match". */
  noMatch?: string | undefined;
}

/** An administration list: search, filters, table and row actions. */
export function AdminList<Row extends { id: string }, Sort extends string>({
  rowActions,
  actionsOf,
  actionsWidth = 112,
  search,
  filters,
  filtered,
  empty,
  noMatch,
  ...table
}: AdminListProps<Row, Sort>) {
  const t = useTexts('admin');
  const { state, onState, nameOf } = table;
  return (
    <AdminTable
      {...table}
      actions={{
        width: actionsWidth,
        render: (row) => {
          const actions = rowActions(row);
          return actions && <RowActions name={(actionsOf ?? nameOf)(row)} actions={actions} />;
        },
      }}
      toolbar={
        <ListToolbar keyword={state.keyword} onSearch={(keyword) => onState({ keyword })} placeholder={search}>
          {filters}
        </ListToolbar>
      }
      empty={filtered ? { title: noMatch ?? t('noMatch'), hint: t('noMatchHint') } : empty}
    />
  );
}
