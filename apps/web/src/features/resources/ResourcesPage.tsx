import type { MeetingResource } from '@rmeet/contract';
import { useTexts } from '../../lib/i18n/index.ts';
import { isFiltered, useListState } from '../../lib/listState.ts';
import { ask, toast } from '../../lib/notify.ts';
import { AdminPage } from '../../ui/admin/AdminPage.tsx';
import { AdminList } from '../../ui/admin/AdminList.tsx';
import { NewButton } from '../../ui/admin/NewButton.tsx';
import { StatusFilter } from '../../ui/admin/StatusFilter.tsx';
import { useDrawer } from '../../ui/admin/useDrawer.ts';
import { listShape, RESOURCE_STATUSES } from './listShape.ts';
import { useRemoveResource, useResourceList } from './queries.ts';
import { useResourceColumns } from './resourceColumns.tsx';
import { ResourceDrawer } from './ResourceDrawer.tsx';
import './texts.ts';

/** The tenant's media resources: their usage and their assignments. */
export function ResourcesPage() {
  const t = useTexts('resources');
  const admin = useTexts('admin');
  const [state, setState] = useListState(listShape);
  const list = useResourceList(state);
  const removing = useRemoveResource();
  const editing = useDrawer<MeetingResource | null>();
  const columns = useResourceColumns(editing.show);

  const remove = async ({ id, name }: MeetingResource): Promise<void> => {
    const sure = await ask({
      title: t('remove.title'),
      text: t('remove.text', { name }),
      okText: admin('action.delete'),
      cancelText: admin('action.cancel'),
      danger: true,
    });
    if (sure) removing.mutate(id, { onSuccess: () => toast('success', () => t('remove.done', { name })) });
  };

  return (
    <AdminPage
      title={t('title')}
      actions={<NewButton label={t('new')} testId="resource-new" onClick={() => editing.show(null)} />}
    >
      <AdminList
        name="resources"
        label={t('title')}
        columns={columns}
        list={list}
        state={state}
        onState={setState}
        nameOf={({ name }) => name}
        rowActions={(resource) => [
          { key: 'edit', label: admin('action.edit'), run: () => editing.show(resource) },
          { key: 'remove', label: admin('action.delete'), danger: true, run: () => void remove(resource) },
        ]}
        search={t('search')}
        filters={
          <StatusFilter statuses={RESOURCE_STATUSES} value={state.status} onChange={(status) => setState({ status })} />
        }
        filtered={isFiltered(listShape, state)}
        empty={{ title: t('empty'), hint: t('emptyHint') }}
      />
      {editing.last && (
        <ResourceDrawer
          key={`resource-${editing.last.opening}`}
          resource={editing.last.value}
          open={editing.open}
          onClose={editing.hide}
        />
      )}
    </AdminPage>
  );
}
