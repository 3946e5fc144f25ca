import { localName, type ManagedEntry } from '@rmeet/contract';
import { useState } from 'react';
import { useLanguage, useTexts } from '../../lib/i18n/index.ts';
import { AdminPage } from '../../ui/admin/AdminPage.tsx';
import { useDrawer } from '../../ui/admin/useDrawer.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { EntryDrawer } from './EntryDrawer.tsx';
import { EntryPanel } from './EntryPanel.tsx';
import { MenuTree } from './MenuTree.tsx';
import { MoveButtons } from './MoveButtons.tsx';
import { useEntries } from './queries.ts';
import { useEntryActions } from './useEntryActions.ts';
import './menus.css';
import './texts.ts';

/** The purpose for which the form is open. */
interface Opening {
  entry: ManagedEntry | null;
  under: ManagedEntry | null;
}

/** `/menumanage/index`: the menus and permissions of all apps as one tree. */
// oxlint-disable-next-line max-lines-per-function -- plain JSX of one page
export function MenuManagePage() {
  const t = useTexts('menus');
  const language = useLanguage();
  const list = useEntries();
  const entries = list.data ?? [];
  const [selectedId, setSelectedId] = useState<string | null>(null);
  const editing = useDrawer<Opening>();
  const actions = useEntryActions();
  const selected = entries.find(({ id }) => id === selectedId) ?? null;

  const open = (entry: ManagedEntry | null, under: ManagedEntry | null = null) => editing.show({ entry, under });

  return (
    <AdminPage
      title={t('title')}
      actions={
        <Button kind="primary" disabled={!list.isSuccess} data-testid="menu-new" onClick={() => open(null)}>
          <Icon name="plus" />
          {t('new')}
        </Button>
      }
    >
      <p className="menu-lead">{t('lead')}</p>
      {list.isPending && <Loading />}
      {list.isError && !list.data && <ErrorState retry={() => void list.refetch()} />}
      {list.isSuccess && entries.length === 0 && <EmptyState title={t('empty')} hint={t('emptyHint')} />}
      {entries.length > 0 && (
        <div className="menu-columns">
          <section className="menu-card" aria-label={t('tree')}>
            <MoveButtons
              entries={entries}
              selected={selected}
              onStep={(direction) => selected && actions.step(selected, direction)}
            />
            <MenuTree
              entries={entries}
              selected={selectedId}
              onSelect={setSelectedId}
              onStep={(direction) => selected && actions.step(selected, direction)}
              onMove={actions.move}
              onOpen={(id) => open(entries.find((one) => one.id === id) ?? null)}
            />
            <p className="visually-hidden" role="status" data-testid="menu-announcement">
              {actions.announcement}
            </p>
          </section>
          {selected ? (
            <EntryPanel
              entry={selected}
              entries={entries}
              busy={actions.isBusy}
              onEdit={() => open(selected)}
              onAddUnder={() => open(null, selected)}
              onHidden={(hidden) => actions.setHidden(selected, hidden, localName(selected, language))}
              onRemove={() => void actions.remove(selected)}
            />
          ) : (
            <p className="menu-panel menu-panel-empty">{t('choose')}</p>
          )}
        </div>
      )}
      {editing.last && (
        <EntryDrawer
          key={editing.last.opening}
          {...editing.last.value}
          entries={entries}
          open={editing.open}
          onClose={editing.hide}
          onSaved={({ id }) => {
            editing.hide();
            setSelectedId(id);
          }}
        />
      )}
    </AdminPage>
  );
}
