import { localName, START_APP_LIMITS, type StartApp } from '@rmeet/contract';
import { useQuery } from '@tanstack/react-query';
import { useLanguage, useTexts } from '../../../lib/i18n/index.ts';
import { ask, toast } from '../../../lib/notify.ts';
import { AdminPage } from '../../../ui/admin/AdminPage.tsx';
import { NewButton } from '../../../ui/admin/NewButton.tsx';
import { useDrawer } from '../../../ui/admin/useDrawer.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { EmptyState, ErrorState, Loading } from '../../../ui/states.tsx';
import { AppIcon } from '../AppStrip.tsx';
import { AppForm } from './AppForm.tsx';
import { managedAppsQuery, useRemoveApp, useSortApps } from './queries.ts';
import './texts.ts';
import './arranging.css';

/** The apps of the start page of the organisation, in their order. */
export function StartAppsPage() {
  const t = useTexts('arranging');
  const list = useQuery(managedAppsQuery);
  const editing = useDrawer<StartApp | null>();
  const { data } = list;
  const isFull = data !== undefined && data.total >= START_APP_LIMITS.apps;
  return (
    <AdminPage
      title={t('title')}
      actions={
        data && !isFull && <NewButton label={t('new')} testId="start-app-new" onClick={() => editing.show(null)} />
      }
    >
      <p className="start-apps-lead">{isFull ? t('full', { limit: START_APP_LIMITS.apps }) : t('lead')}</p>
      {list.isPending && <Loading />}
      {list.isError && !data && <ErrorState retry={() => void list.refetch()} />}
      {data?.records.length === 0 && <EmptyState picture="list" title={t('empty')} hint={t('emptyHint')} />}
      {data && data.records.length > 0 && <AppList apps={data.records} onEdit={editing.show} />}
      {editing.last && (
        <AppForm
          key={`start-app-${editing.last.opening}`}
          app={editing.last.value}
          roles={data?.roles ?? []}
          open={editing.open}
          onClose={editing.hide}
        />
      )}
    </AdminPage>
  );
}

function AppList({ apps, onEdit }: { apps: readonly StartApp[]; onEdit: (app: StartApp) => void }) {
  const t = useTexts('arranging');
  const sorting = useSortApps();
  /** Moves an app by one place. */
  const move = (at: number, by: -1 | 1) => {
    const other = apps[at + by];
    const app = apps[at];
    if (!app || !other || sorting.isPending) return;
    sorting.mutate(apps.with(at, other).with(at + by, app));
  };
  return (
    <ol className="start-apps" aria-label={t('title')}>
      {apps.map((app, at) => (
        <AppRow
          key={app.id}
          app={app}
          isFirst={at === 0}
          isLast={at === apps.length - 1}
          onMove={(by) => move(at, by)}
          onEdit={() => onEdit(app)}
        />
      ))}
    </ol>
  );
}

interface AppRowProps {
  app: StartApp;
  isFirst: boolean;
  isLast: boolean;
  onMove: (by: -1 | 1) => void;
  onEdit: () => void;
}

function AppRow({ app, isFirst, isLast, onMove, onEdit }: AppRowProps) {
  const t = useTexts('arranging');
  const admin = useTexts('admin');
  const language = useLanguage();
  const removing = useRemoveApp();
  const name = localName(app, language);
  const remove = async () => {
    const sure = await ask({
      title: t('remove.title'),
      text: t('remove.text', { name }),
      okText: admin('action.delete'),
      cancelText: admin('action.cancel'),
      danger: true,
    });
    if (sure) removing.mutate(app.id, { onSuccess: () => toast('success', () => t('remove.done', { name })) });
  };
  return (
    <li data-testid="start-app-row">
      <AppIcon name={app.icon} />
      <div className="start-app-words">
        <strong>{name}</strong>
        <span title={app.url}>{app.url}</span>
        <small>
          {app.roles.length === 0
            ? t('everyone')
            : t('forRoles', { roles: app.roles.map((role) => localName(role, language)).join(t('comma')) })}
        </small>
      </div>
      <div className="start-app-acts">
        <MoveButtons name={name} isFirst={isFirst} isLast={isLast} onMove={onMove} />
        <IconButton
          icon="edit"
          label={admin('actionOf', { action: admin('action.edit'), name })}
          title={admin('action.edit')}
          data-testid="start-app-edit"
          onClick={onEdit}
        />
        <IconButton
          icon="cancel"
          danger
          label={admin('actionOf', { action: admin('action.delete'), name })}
          title={admin('action.delete')}
          data-testid="start-app-remove"
          onClick={() => void remove()}
        />
      </div>
    </li>
  );
}

/** Moves an app by one place. At an end a button keeps the focus and does nothing. */
function MoveButtons({ name, isFirst, isLast, onMove }: Omit<AppRowProps, 'app' | 'onEdit'> & { name: string }) {
  const t = useTexts('arranging');
  return (
    <>
      <IconButton
        icon="down"
        className="start-app-up"
        label={t('up', { name })}
        title={t('upShort')}
        aria-disabled={isFirst}
        data-testid="start-app-up"
        onClick={() => onMove(-1)}
      />
      <IconButton
        icon="down"
        label={t('down', { name })}
        title={t('downShort')}
        aria-disabled={isLast}
        data-testid="start-app-down"
        onClick={() => onMove(1)}
      />
    </>
  );
}
