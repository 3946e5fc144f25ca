import type { Broadcast } from '@rmeet/contract';
import type { ReactNode } from 'react';
import { useTexts } from '../../../lib/i18n/index.ts';
import { isFiltered } from '../../../lib/listState.ts';
import { AdminPage } from '../../../ui/admin/AdminPage.tsx';
import { AdminTable, type AdminTableProps } from '../../../ui/admin/AdminTable.tsx';
import { RowActions, type RowAction } from '../../../ui/admin/RowActions.tsx';
import { useT } from '../texts.ts';
import { BroadcastFilters } from './BroadcastFilters.tsx';
import type { BroadcastSort } from './broadcastColumns.tsx';
import { listShape, type LiveListState } from './listShape.ts';
import './list.css';

interface BroadcastsPageProps<Row extends Broadcast> extends Pick<
  AdminTableProps<Row, BroadcastSort>,
  'columns' | 'list'
> {
  /** The choice of columns is stored under it. */
  name: string;
  title: string;
  search: string;
  /** How a broadcast comes into the empty list. */
  emptyHint: string;
  state: LiveListState;
  onState: (change: Partial<LiveListState>) => void;
  isPhone: boolean;
  actionsOf: (row: Row) => RowAction[];
  /** Beside the title. */
  actions?: ReactNode;
  /** Dialogs and drawers. */
  children: ReactNode;
}

/** A list of live broadcasts, of meetings or of outside streams. */
export function BroadcastsPage<Row extends Broadcast>(props: BroadcastsPageProps<Row>) {
  const t = useT();
  const admin = useTexts('admin');
  const { name, title, search, emptyHint, columns, list, state, onState, isPhone, actionsOf, actions, children } =
    props;
  return (
    <AdminPage title={title} actions={actions}>
      <AdminTable
        name={isPhone ? `${name}-phone` : name}
        label={title}
        columns={columns}
        list={list}
        state={state}
        onState={onState}
        nameOf={({ subject }) => subject}
        actions={{
          width: isPhone ? 96 : 128,
          render: (row) => <RowActions name={row.subject} actions={actionsOf(row)} />,
        }}
        toolbar={<BroadcastFilters state={state} onState={onState} isPhone={isPhone} search={search} />}
        empty={
          isFiltered(listShape, state, ['scope'])
            ? { title: admin('noMatch'), hint: admin('noMatchHint') }
            : { title: t(`empty.${state.scope}`), hint: emptyHint }
        }
      />
      {children}
    </AdminPage>
  );
}
