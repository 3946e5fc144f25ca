import { NO_ROOM, TERMINAL_KINDS, type RegisteredTerminal } from '@rmeet/contract';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { useListState } from '../../lib/listState.ts';
import { ask, toast } from '../../lib/notify.ts';
import { AdminPage } from '../../ui/admin/AdminPage.tsx';
import { AdminTable } from '../../ui/admin/AdminTable.tsx';
import { BulkActions } from '../../ui/admin/BulkActions.tsx';
import { ExportButton } from '../../ui/admin/ExportButton.tsx';
import { FilterSelect } from '../../ui/admin/FilterSelect.tsx';
import { ListToolbar } from '../../ui/admin/ListToolbar.tsx';
import { RowActions } from '../../ui/admin/RowActions.tsx';
import { useDrawer } from '../../ui/admin/useDrawer.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ImportDrawer } from './ImportDrawer.tsx';
import { listShape, TERMINAL_STATUSES } from './listShape.ts';
import { exportPath, useRemoveTerminals, useTerminalList } from './queries.ts';
import { RoomSelect } from './RoomSelect.tsx';
import { useTerminalColumns } from './terminalColumns.tsx';
import { TerminalDrawer } from './TerminalDrawer.tsx';
import './texts.ts';
import './terminals.css';

/** The tenant's registered terminals: the devices of meeting rooms that can be called into meetings. */
export function TerminalsPage() {
  const t = useTexts('terminals');
  const admin = useTexts('admin');
  const [state, setState] = useListState(listShape);
  const list = useTerminalList(state);
  const removing = useRemoveTerminals();
  const [selected, setSelected] = useState<readonly string[]>([]);
  const editing = useDrawer<RegisteredTerminal | null>();
  const importing = useDrawer<null>();
  const columns = useTerminalColumns(editing.show);

  const chosen = (list.data?.records ?? []).filter(({ id }) => selected.includes(id));
  const isFiltered = state.keyword !== '' || state.kind !== '' || state.room !== '' || state.status !== '';

  const remove = async (terminals: readonly RegisteredTerminal[], done?: () => void): Promise<void> => {
    const [only] = terminals;
    if (!only) return;
    const text =
      terminals.length === 1
        ? t('remove.text', { name: only.name })
        : t('remove.textMany', { count: terminals.length });
    if (
      !(await ask({
        title: t('remove.title'),
        text,
        okText: admin('action.delete'),
        cancelText: admin('action.cancel'),
        danger: true,
      }))
    )
      return;
    removing.mutate(
      terminals.map(({ id }) => id),
      {
        onSuccess: ({ deleted }) => {
          toast('success', () => t('remove.done', { count: deleted }));
          done?.();
        },
      },
    );
  };

  return (
    <AdminPage
      title={t('title')}
      actions={
        <>
          <Button data-testid="terminal-import" onClick={() => importing.show(null)}>
            <Icon name="upload" />
            {t('import.open')}
          </Button>
          <Button kind="primary" data-testid="terminal-new" onClick={() => editing.show(null)}>
            <Icon name="plus" />
            {t('new')}
          </Button>
        </>
      }
    >
      <AdminTable
        name="terminals"
        label={t('title')}
        columns={columns}
        list={list}
        state={state}
        onState={setState}
        nameOf={({ name }) => name}
        actions={{
          width: 112,
          render: (terminal) => (
            <RowActions
              name={terminal.name}
              actions={[
                { key: 'edit', label: admin('action.edit'), run: () => editing.show(terminal) },
                { key: 'remove', label: admin('action.delete'), danger: true, run: () => void remove([terminal]) },
              ]}
            />
          ),
        }}
        selection={{ selected: chosen.map(({ id }) => id), onSelect: setSelected }}
        toolbar={
          <ListToolbar keyword={state.keyword} onSearch={(keyword) => setState({ keyword })} placeholder={t('search')}>
            <FilterSelect
              label={t('column.kind')}
              value={state.kind}
              options={TERMINAL_KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
              onChange={(kind) => setState({ kind })}
              testId="filter-kind"
            />
            <RoomSelect
              className="terminal-room-filter"
              size="medium"
              label={t('column.room')}
              value={state.room === '' ? null : state.room}
              placeholder={admin('filterAll', { name: t('column.room') })}
              first={{ value: NO_ROOM, label: t('form.roomPlaceholder') }}
              testId="filter-room"
              onChange={(room) => setState({ room: room ?? '' })}
            />
            <FilterSelect
              label={admin('status.label')}
              value={state.status}
              options={TERMINAL_STATUSES.map((value) => ({ value, label: admin(`status.${value}`) }))}
              onChange={(status) => setState({ status })}
              testId="filter-status"
            />
          </ListToolbar>
        }
        bulk={
          <BulkActions count={chosen.length} onClear={() => setSelected([])}>
            <Button data-testid="bulk-remove" onClick={() => void remove(chosen, () => setSelected([]))}>
              {admin('action.delete')}
            </Button>
          </BulkActions>
        }
        tools={<ExportButton path={exportPath(state)} />}
        empty={
          isFiltered
            ? { title: admin('noMatch'), hint: admin('noMatchHint') }
            : { title: t('empty'), hint: t('emptyHint') }
        }
      />
      {editing.last && (
        <TerminalDrawer
          key={`terminal-${editing.last.opening}`}
          terminal={editing.last.value}
          open={editing.open}
          onClose={editing.hide}
        />
      )}
      {importing.last && (
        <ImportDrawer key={`import-${importing.last.opening}`} open={importing.open} onClose={importing.hide} />
      )}
    </AdminPage>
  );
}
