import { localName, type Role } from '@rmeet/contract';
import { useLanguage, useTexts } from '../../lib/i18n/index.ts';
import { isFiltered, useListState } from '../../lib/listState.ts';
import { ask, toast } from '../../lib/notify.ts';
import { AdminPage } from '../../ui/admin/AdminPage.tsx';
import { AdminList } from '../../ui/admin/AdminList.tsx';
import { FilterSelect } from '../../ui/admin/FilterSelect.tsx';
import { NewButton } from '../../ui/admin/NewButton.tsx';
import { showRefusal } from '../../ui/admin/showRefusal.ts';
import { useDrawer } from '../../ui/admin/useDrawer.ts';
import { useRoleColumns } from './columns.tsx';
import { SHAPE, useRemoveRole, useRoleList } from './queries.ts';
import { RoleDrawer } from './RoleDrawer.tsx';
import './roles.css';
import './texts.ts';

const KINDS = ['user', 'operator'] as const;

/** The roles of the platform and what they grant. */
export function RolesPage() {
  const t = useTexts('roles');
  const language = useLanguage();
  const [state, setState] = useListState(SHAPE);
  const list = useRoleList(state);
  const remove = useRemoveAfterAsking();
  const editing = useDrawer<Role | null>();
  const columns = useRoleColumns(editing.show);

  return (
    <AdminPage
      title={t('title')}
      actions={<NewButton label={t('new')} testId="role-new" onClick={() => editing.show(null)} />}
    >
      <AdminList
        name="role"
        label={t('label')}
        columns={columns}
        list={list}
        state={state}
        onState={setState}
        nameOf={(role) => localName(role, language)}
        rowActions={(role) => [
          { key: 'edit', label: t('edit'), run: () => editing.show(role) },
          {
            key: 'remove',
            label: t('remove.action'),
            danger: true,
            allowed: !role.builtIn,
            run: () => void remove(role),
          },
        ]}
        actionsWidth={130}
        search={t('search')}
        filters={
          <FilterSelect
            label={t('kind.label')}
            value={state.kind}
            options={KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
            onChange={(kind) => setState({ kind })}
            testId="role-kind-filter"
          />
        }
        filtered={isFiltered(SHAPE, state)}
        empty={{ title: t('empty'), hint: t('emptyHint') }}
      />
      {editing.last && (
        <RoleDrawer key={editing.last.opening} role={editing.last.value} open={editing.open} onClose={editing.hide} />
      )}
    </AdminPage>
  );
}

/** Deletes a role after confirmation. */
function useRemoveAfterAsking() {
  const t = useTexts('roles');
  const common = useTexts('common');
  const language = useLanguage();
  const removing = useRemoveRole();
  return async (role: Role): Promise<void> => {
    const name = localName(role, language);
    const sure = await ask({
      title: t('remove.title'),
      text: t('remove.text', { name }),
      okText: t('remove.action'),
      cancelText: common('cancel'),
      danger: true,
    });
    if (!sure) return;
    removing.mutate(role.id, {
      onSuccess: () => toast('success', () => t('remove.done', { name })),
      onError: (error) => showRefusal(error, t('remove.refused')),
    });
  };
}
