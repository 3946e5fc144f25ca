import { NO_ROOM, TERMINAL_KINDS, type RegisteredTerminal } from '@rmeet/contract';
import { useTexts } from '../../lib/i18n/index.ts';
import { isFiltered, useListState } from '../../lib/listState.ts';
import { ask, toast } from '../../lib/notify.ts';
import { AdminPage } from '../../ui/admin/AdminPage.tsx';
import { AdminList } from '../../ui/admin/AdminList.tsx';
import { BulkActions } from '../../ui/admin/BulkActions.tsx';
import { ExportButton } from '../../ui/admin/ExportButton.tsx';
import { FilterSelect } from '../../ui/admin/FilterSelect.tsx';
import { NewButton } from '../../ui/admin/NewButton.tsx';
import { StatusFilter } from '../../ui/admin/StatusFilter.tsx';
import { useDrawer } from '../../ui/admin/useDrawer.ts';
import { useSelection } from '../../ui/admin/useSelection.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ImportDrawer } from './ImportDrawer.tsx';
import { listShape, TERMINAL_STATUSES, type TerminalListState } from './listShape.ts';
import { exportPath, useRemoveTerminals, useTerminalList } from './queries.ts';
import { RoomSelect } from './RoomSelect.tsx';
import { useTerminalColumns } from './terminalColumns.tsx';
import { TerminalDrawer } from './TerminalDrawer.tsx';
import './texts.ts';
import './terminals.css';

/** The tenant's registered terminals: devices of meeting rooms that can be called into meetings. */
// oxlint-disable-next-line max-lines-per-function -- plain JSX of one page
export function TerminalsPage() {
  const t = useTexts('terminals');
  const admin = useTexts('admin');
  const [state, setState] = useListState(listShape);
  const list = useTerminalList(state);
  const remove = useRemoveAfterAsking();
  const { selected, selection, clear } = useSelection(list.data?.records);
  const editing = useDrawer<RegisteredTerminal | null>();
  const importing = useDrawer<null>();
  const columns = useTerminalColumns(editing.show);

  return (
    <AdminPage
      title={t('title')}
      actions={
        <>
          <Button data-testid="terminal-import" onClick={() => importing.show(null)}>
            <Icon name="upload" />
            {t('import.open')}
          </Button>
          <NewButton label={t('new')} testId="terminal-new" onClick={() => editing.show(null)} />
        </>
      }
    >
      <AdminList
        name="terminals"
        label={t('title')}
        columns={columns}
        list={list}
        state={state}
        onState={setState}
        nameOf={({ name }) => name}
        rowActions={(terminal) => [
          { key: 'edit', label: admin('action.edit'), run: () => editing.show(terminal) },
          { key: 'remove', label: admin('action.delete'), danger: true, run: () => void remove([terminal]) },
        ]}
        selection={selection}
        search={t('search')}
        filters={<TerminalFilters state={state} onState={setState} />}
        filtered={isFiltered(listShape, state)}
        bulk={
          <BulkActions count={selected.length} onClear={clear}>
            <Button data-testid="bulk-remove" onClick={() => void remove(selected, clear)}>
              {admin('action.delete')}
            </Button>
          </BulkActions>
        }
        tools={<ExportButton path={exportPath(state)} />}
        empty={{ title: t('empty'), hint: t('emptyHint') }}
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

interface TerminalFiltersProps {
  state: TerminalListState;
  onState: (change: Partial<TerminalListState>) => void;
}

function TerminalFilters({ state, onState }: TerminalFiltersProps) {
  const t = useTexts('terminals');
  const admin = useTexts('admin');
  return (
    <>
      <FilterSelect
        label={t('column.kind')}
        value={state.kind}
        options={TERMINAL_KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
        onChange={(kind) => onState({ kind })}
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
        onChange={(room) => onState({ room: room ?? '' })}
      />
      <StatusFilter statuses={TERMINAL_STATUSES} value={state.status} onChange={(status) => onState({ status })} />
    </>
  );
}

/** Deletes terminals after confirmation; `done` is called after the deletion. */
function useRemoveAfterAsking() {
  const t = useTexts('terminals');
  const admin = useTexts('admin');
  const removing = useRemoveTerminals();
  return async (terminals: readonly RegisteredTerminal[], done?: () => void): Promise<void> => {
    const [only] = terminals;
    if (!only) return;
    const text =
      terminals.length === 1
        ? t('remove.text', { name: only.name })
        : t('remove.textMany', { count: terminals.length });
    const sure = await ask({
      title: t('remove.title'),
      text,
      okText: admin('action.delete'),
      cancelText: admin('action.cancel'),
      danger: true,
    });
    if (!sure) return;
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
}
