import type { MeetingResource } from '@rmeet/contract';
import { useTexts } from '../../lib/i18n/index.ts';
import { useListState } from '../../lib/listState.ts';
import { ask, toast } from '../../lib/notify.ts';
import { AdminPage } from '../../ui/admin/AdminPage.tsx';
import { AdminTable } from '../../ui/admin/AdminTable.tsx';
import { FilterSelect } from '../../ui/admin/FilterSelect.tsx';
import { ListToolbar } from '../../ui/admin/ListToolbar.tsx';
import { RowActions } from '../../ui/admin/RowActions.tsx';
import { useDrawer } from '../../ui/admin/useDrawer.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { listShape, RESOURCE_STATUSES } from './listShape.ts';
import { useRemoveResource, useResourceList } from './queries.ts';
import { useResourceColumns } from './resourceColumns.tsx';
import { ResourceDrawer } from './ResourceDrawer.tsx';
import './texts.ts';

/** The tenant's media resources: what is taken of them, and whom they are assigned to. */
export function ResourcesPage() {
  const t = useTexts('resources');
  const admin = useTexts('admin');
  const [state, setState] = useListState(listShape);
  const list = useResourceList(state);
  const removing = useRemoveResource();
  const editing = useDrawer<MeetingResource | null>();
  const columns = useResourceColumns(editing.show);
  const isFiltered = state.keyword !== '' || state.status !== '';

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
      actions={
        <Button kind="primary" data-testid="resource-new" onClick={() => editing.show(null)}>
          <Icon name="plus" />
          {t('new')}
        </Button>
      }
    >
      <AdminTable
        name="resources"
        label={t('title')}
        columns={columns}
        list={list}
        state={state}
        onState={setState}
        nameOf={({ name }) => name}
        actions={{
          width: 112,
          render: (resource) => (
            <RowActions
              name={resource.name}
              actions={[
                { key: 'edit', label: admin('action.edit'), run: () => editing.show(resource) },
                { key: 'remove', label: admin('action.delete'), danger: true, run: () => void remove(resource) },
              ]}
            />
          ),
        }}
        toolbar={
          <ListToolbar keyword={state.keyword} onSearch={(keyword) => setState({ keyword })} placeholder={t('search')}>
            <FilterSelect
              label={admin('status.label')}
              value={state.status}
              options={RESOURCE_STATUSES.map((value) => ({ value, label: admin(`status.${value}`) }))}
              onChange={(status) => setState({ status })}
              testId="filter-status"
            />
          </ListToolbar>
        }
        empty={
          isFiltered
            ? { title: admin('noMatch'), hint: admin('noMatchHint') }
            : { title: t('empty'), hint: t('emptyHint') }
        }
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
