import type { Directory, DirectoryRound } from '@rmeet/contract';
import { useTexts } from '../../lib/i18n/index.ts';
import { ask, toast } from '../../lib/notify.ts';
import { AdminPage } from '../../ui/admin/AdminPage.tsx';
import { NewButton } from '../../ui/admin/NewButton.tsx';
import { useDrawer } from '../../ui/admin/useDrawer.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { ChangesDrawer } from './ChangesDrawer.tsx';
import { DirectoryDrawer } from './DirectoryDrawer.tsx';
import { isOpen, useDirectories, useDirectoryActions } from './queries.ts';
import { Rounds } from './Rounds.tsx';
import { Scim } from './Scim.tsx';
import './texts.ts';
import './directories.css';

/** The tenant's directories: whom they know, and their synchronisations. */
export function DirectoriesPage() {
  const t = useTexts('directories');
  const list = useDirectories();
  const editing = useDrawer<Directory | null>();
  const showing = useDrawer<DirectoryRound>();
  const content = () => {
    if (!list.data) return list.isPending ? <Loading /> : <ErrorState retry={() => void list.refetch()} />;
    if (list.data.length === 0) return <EmptyState picture="list" title={t('empty')} hint={t('emptyHint')} />;
    return list.data.map((directory) => (
      <DirectoryCard
        key={directory.id}
        directory={directory}
        onEdit={() => editing.show(directory)}
        onChanges={showing.show}
      />
    ));
  };
  return (
    <AdminPage
      title={t('title')}
      actions={<NewButton label={t('new')} testId="directory-new" onClick={() => editing.show(null)} />}
    >
      <p className="directory-intro">{t('intro')}</p>
      {content()}
      <Scim />
      {editing.last && (
        <DirectoryDrawer
          key={`directory-${editing.last.opening}`}
          directory={editing.last.value}
          open={editing.open}
          onClose={editing.hide}
        />
      )}
      {showing.last && (
        <ChangesDrawer
          key={`changes-${showing.last.opening}`}
          round={showing.last.value}
          open={showing.open}
          onClose={showing.hide}
        />
      )}
    </AdminPage>
  );
}

interface CardProps {
  directory: Directory;
  onEdit: () => void;
  onChanges: (round: DirectoryRound) => void;
}

/** One directory with its rounds. */
function DirectoryCard({ directory, onEdit, onChanges }: CardProps) {
  const t = useTexts('directories');
  const admin = useTexts('admin');
  const { start } = useDirectoryActions();
  const remove = useRemoveAfterAsking();
  const { id, name, lastRound } = directory;
  const isBusy = isOpen(lastRound);
  return (
    <section className="directory-card" aria-label={name} data-testid="directory-card">
      <header>
        <h2>{name}</h2>
        <span className={directory.enabled ? 'directory-on' : 'directory-off'}>
          {t(directory.enabled ? 'enabled' : 'disabled')}
        </span>
        <div className="directory-buttons">
          <Button data-testid="directory-edit" onClick={onEdit}>
            {admin('action.edit')}
          </Button>
          <Button disabled={isBusy} data-testid="directory-dry-run" onClick={() => start.mutate({ id, dryRun: true })}>
            {t('action.dryRun')}
          </Button>
          <Button
            kind="primary"
            disabled={isBusy}
            data-testid="directory-sync"
            onClick={() => start.mutate({ id, dryRun: false })}
          >
            {t('action.sync')}
          </Button>
          <Button data-testid="directory-remove" onClick={() => void remove(directory)}>
            {admin('action.delete')}
          </Button>
        </div>
      </header>
      <dl className="directory-facts">
        <div>
          <dt>{t('form.address')}</dt>
          <dd>{directory.address}</dd>
        </div>
        <div>
          <dt>{t('accounts')}</dt>
          <dd>{t('accountsCount', { count: directory.accounts })}</dd>
        </div>
        <div>
          <dt>{t('form.everyMinutes')}</dt>
          <dd>
            {directory.everyMinutes === 0 ? t('byHand') : t('everyMinutesText', { count: directory.everyMinutes })}
          </dd>
        </div>
      </dl>
      <Rounds directory={directory} onChanges={onChanges} />
    </section>
  );
}

/** Removes a directory after confirmation. */
function useRemoveAfterAsking() {
  const t = useTexts('directories');
  const admin = useTexts('admin');
  const { remove } = useDirectoryActions();
  return async ({ id, name, accounts }: Directory): Promise<void> => {
    const sure = await ask({
      title: t('remove.title'),
      text: t('remove.text', { name, count: accounts }),
      okText: admin('action.delete'),
      cancelText: admin('action.cancel'),
      danger: true,
    });
    if (sure) remove.mutate(id, { onSuccess: () => toast('success', () => t('remove.done')) });
  };
}
