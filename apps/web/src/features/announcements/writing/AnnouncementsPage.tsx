import { ANNOUNCEMENT_STATUSES, type Announcement } from '@rmeet/contract';
import { system } from '../../../lib/browser.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { isFiltered, useListState } from '../../../lib/listState.ts';
import { ask, toast } from '../../../lib/notify.ts';
import { AdminPage } from '../../../ui/admin/AdminPage.tsx';
import { AdminList } from '../../../ui/admin/AdminList.tsx';
import { FilterSelect } from '../../../ui/admin/FilterSelect.tsx';
import { NewButton } from '../../../ui/admin/NewButton.tsx';
import type { RowAction } from '../../../ui/admin/RowActions.tsx';
import { useDrawer } from '../../../ui/admin/useDrawer.ts';
import { AnnouncementForm } from './AnnouncementForm.tsx';
import { useAnnouncementColumns } from './columns.tsx';
import { listShape } from './listShape.ts';
import { useAnnouncementAct, useAnnouncementList } from './queries.ts';
import { ReadersDrawer } from './ReadersDrawer.tsx';
import './texts.ts';

/** Publishes, withdraws and deletes announcements, after a question. */
function useActs() {
  const t = useTexts('writing');
  const admin = useTexts('admin');
  const acting = useAnnouncementAct();
  return async (act: 'publish' | 'withdraw' | 'remove', announcement: Announcement): Promise<void> => {
    const { title } = announcement;
    const sure = await ask({
      title: t(`${act}.title`),
      text: t(`${act}.text`, { title }),
      okText: t(`${act}.ok`),
      cancelText: admin('action.cancel'),
      danger: act !== 'publish',
    });
    if (sure) acting.mutate({ act, announcement }, { onSuccess: () => toast('success', () => t(`${act}.done`)) });
  };
}

/** The actions of a row, by its status. */
function useRowActions({ onOpen, onReaders }: Record<'onOpen' | 'onReaders', (announcement: Announcement) => void>) {
  const t = useTexts('writing');
  const admin = useTexts('admin');
  const act = useActs();
  return (one: Announcement): RowAction[] => {
    const isShown = one.status === 'running' || one.status === 'scheduled';
    return [
      { key: 'edit', label: admin('action.edit'), run: () => onOpen(one) },
      one.status === 'draft' || one.status === 'withdrawn'
        ? { key: 'publish', label: t('action.publish'), run: () => void act('publish', one) }
        : { key: 'withdraw', label: t('action.withdraw'), run: () => void act('withdraw', one) },
      { key: 'readers', label: t('action.readers'), run: () => onReaders(one) },
      {
        key: 'remove',
        label: admin('action.delete'),
        danger: true,
        allowed: !isShown,
        run: () => void act('remove', one),
      },
    ];
  };
}

/** The announcements of the organisation; in the admin system, the platform's for all organisations. */
export function AnnouncementsPage() {
  const t = useTexts('writing');
  const admin = useTexts('admin');
  const [state, setState] = useListState(listShape);
  const list = useAnnouncementList(state);
  const editing = useDrawer<Announcement | null>();
  const reading = useDrawer<Announcement>();
  const columns = useAnnouncementColumns({ onOpen: editing.show, onReaders: reading.show });
  const rowActions = useRowActions({ onOpen: editing.show, onReaders: reading.show });

  return (
    <AdminPage
      title={t(system === 'admin' ? 'titlePlatform' : 'title')}
      actions={<NewButton label={t('new')} testId="announcement-new" onClick={() => editing.show(null)} />}
    >
      <AdminList
        name="announcements"
        label={t('title')}
        columns={columns}
        list={list}
        state={state}
        onState={setState}
        nameOf={({ title }) => title}
        rowActions={rowActions}
        search={t('search')}
        filters={
          <FilterSelect
            label={admin('status.label')}
            value={state.status}
            options={ANNOUNCEMENT_STATUSES.map((value) => ({ value, label: t(`status.${value}`) }))}
            onChange={(status) => setState({ status })}
            testId="filter-status"
          />
        }
        filtered={isFiltered(listShape, state)}
        empty={{ title: t('empty'), hint: t('emptyHint') }}
      />
      {editing.last && (
        <AnnouncementForm
          key={`announcement-${editing.last.opening}`}
          announcement={editing.last.value}
          open={editing.open}
          onClose={editing.hide}
        />
      )}
      {reading.last && (
        <ReadersDrawer
          key={`readers-${reading.last.opening}`}
          announcement={reading.last.value}
          open={reading.open}
          onClose={reading.hide}
        />
      )}
    </AdminPage>
  );
}
