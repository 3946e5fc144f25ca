import type { AuditEntry } from '@rmeet/contract';
import { useState } from 'react';
import { useAddressParams } from '../../lib/addressParams.ts';
import { system } from '../../lib/browser.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { useListState, writeListState } from '../../lib/listState.ts';
import { AdminPage } from '../../ui/admin/AdminPage.tsx';
import { AdminTable } from '../../ui/admin/AdminTable.tsx';
import { ExportButton } from '../../ui/admin/ExportButton.tsx';
import { RowActions } from '../../ui/admin/RowActions.tsx';
import { TenantPicker } from '../../ui/admin/TenantPicker.tsx';
import { AuditFilters } from './AuditFilters.tsx';
import { useAuditColumns } from './columns.tsx';
import { EntryDrawer } from './EntryDrawer.tsx';
import { filterOf, SHAPE, type AuditState } from './filter.ts';
import { exportPath, useAuditLog } from './queries.ts';
import { useAuditWords } from './words.ts';
import './audit.css';
import './texts.ts';

/** URL parameter for the entry whose details are open. */
const OPEN = 'open';

/** Who changed what, newest first. All its state is in the URL. */
export function AuditLogPage() {
  const t = useTexts('audit');
  const admin = useTexts('admin');
  const words = useAuditWords();
  const [state, setState] = useListState(SHAPE);
  const list = useAuditLog(state);
  const records = list.data?.records ?? [];
  const { last, isOpen, setOpen, filterBy } = useOpenEntry(records);
  const columns = useAuditColumns(({ id }) => setOpen(id), system === 'admin');
  const isFiltered = Object.keys(filterOf(state)).length > 1;

  return (
    <AdminPage
      title={t('title')}
      actions={
        system === 'admin' && (
          <TenantPicker
            value={state.tenant}
            onChange={(tenant) => setState({ tenant })}
            allText={t('filter.allTenants')}
          />
        )
      }
    >
      <AdminTable
        name="audit"
        label={t('label')}
        columns={columns}
        list={list}
        state={state}
        onState={setState}
        nameOf={(entry) => words.action(entry.action)}
        actions={{
          width: 90,
          render: (entry) => (
            <RowActions
              name={`${words.time(entry.at)} ${words.action(entry.action)}`}
              actions={[{ key: 'detail', label: t('detail'), run: () => setOpen(entry.id) }]}
            />
          ),
        }}
        toolbar={<AuditFilters state={state} records={records} onState={setState} />}
        tools={<ExportButton path={exportPath(state)} />}
        empty={
          isFiltered
            ? { title: admin('noMatch'), hint: admin('noMatchHint') }
            : { title: t('empty'), hint: t('emptyHint') }
        }
      />
      {last && <EntryDrawer entry={last} open={isOpen} onClose={() => setOpen(null)} onFilter={filterBy} />}
    </AdminPage>
  );
}

/** The entry whose details the URL opens (`?open=<id>`). */
function useOpenEntry(records: readonly AuditEntry[]) {
  const [params, setParams] = useAddressParams();
  const openId = params.get(OPEN);
  // The drawer keeps its content during the closing animation.
  const [last, setLast] = useState<AuditEntry | null>(null);
  const opened = records.find(({ id }) => id === openId);
  if (opened && opened !== last) setLast(opened);
  return {
    last,
    isOpen: openId !== null,
    setOpen: (id: string | null) =>
      setParams((now) => {
        const next = new URLSearchParams(now);
        if (id === null) next.delete(OPEN);
        else next.set(OPEN, id);
        return next;
      }),
    /** Filters the list and closes the details. */
    filterBy: (filter: Partial<AuditState>) =>
      setParams((now) => {
        const next = writeListState(SHAPE, now, filter);
        next.delete(OPEN);
        return next;
      }),
  };
}
