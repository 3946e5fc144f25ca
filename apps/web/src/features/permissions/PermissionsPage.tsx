import { ENTRY_TYPES, localName, type ManagedEntry } from '@rmeet/contract';
import { useLanguage, useTexts } from '../../lib/i18n/index.ts';
import { isFiltered, useListState, type ListState } from '../../lib/listState.ts';
import { ask, toast } from '../../lib/notify.ts';
import { AdminPage } from '../../ui/admin/AdminPage.tsx';
import { AdminList } from '../../ui/admin/AdminList.tsx';
import { FilterSelect } from '../../ui/admin/FilterSelect.tsx';
import { NewButton } from '../../ui/admin/NewButton.tsx';
import { showRefusal } from '../../ui/admin/showRefusal.ts';
import { useDrawer } from '../../ui/admin/useDrawer.ts';
import { usePermissionColumns } from './columns.tsx';
import { PermissionDrawer } from './PermissionDrawer.tsx';
import { SHAPE, usePermissionList, useRemovePermission } from './queries.ts';
import './permissions.css';
import './texts.ts';

const TYPES = ['0', '1', '2'] as const;
const SYSTEMS = ['0', '1'] as const;

/** The list of menu entries and permissions; custom permission codes are created and changed here. */
export function PermissionsPage() {
  const t = useTexts('permissions');
  const language = useLanguage();
  const [state, setState] = useListState(SHAPE);
  const list = usePermissionList(state);
  const columns = usePermissionColumns();
  const remove = useRemoveAfterAsking();
  const editing = useDrawer<ManagedEntry | null>();

  return (
    <AdminPage
      title={t('title')}
      actions={<NewButton label={t('new')} testId="permission-new" onClick={() => editing.show(null)} />}
    >
      <AdminList
        name="permission"
        label={t('label')}
        columns={columns}
        list={list}
        state={state}
        onState={setState}
        nameOf={(entry) => localName(entry, language)}
        rowActions={(entry) =>
          entry.type === ENTRY_TYPES.permission
            ? [
                { key: 'edit', label: t('edit'), run: () => editing.show(entry) },
                {
                  key: 'remove',
                  label: t('remove.action'),
                  danger: true,
                  allowed: !entry.builtIn,
                  run: () => void remove(entry),
                },
              ]
            : null
        }
        actionsWidth={130}
        search={t('search')}
        filters={<EntryFilters state={state} onState={setState} />}
        filtered={isFiltered(SHAPE, state)}
        empty={{ title: t('empty') }}
      />
      {editing.last && (
        <PermissionDrawer
          key={editing.last.opening}
          entry={editing.last.value}
          open={editing.open}
          onClose={editing.hide}
        />
      )}
    </AdminPage>
  );
}

interface EntryFiltersProps {
  state: ListState<typeof SHAPE>;
  onState: (change: Partial<ListState<typeof SHAPE>>) => void;
}

function EntryFilters({ state, onState }: EntryFiltersProps) {
  const t = useTexts('permissions');
  return (
    <>
      <FilterSelect
        label={t('type.label')}
        value={state.type}
        options={TYPES.map((value) => ({ value, label: t(`type.${value}`) }))}
        onChange={(type) => onState({ type })}
        testId="permission-type"
      />
      <FilterSelect
        label={t('system.label')}
        value={state.system}
        options={SYSTEMS.map((value) => ({ value, label: t(`system.${value}`) }))}
        onChange={(system) => onState({ system })}
        testId="permission-system"
      />
    </>
  );
}

/** Deletes a permission after confirmation. */
function useRemoveAfterAsking() {
  const t = useTexts('permissions');
  const common = useTexts('common');
  const language = useLanguage();
  const removing = useRemovePermission();
  return async (entry: ManagedEntry): Promise<void> => {
    const name = localName(entry, language);
    const sure = await ask({
      title: t('remove.title'),
      text: t('remove.text', { name, code: entry.code ?? '' }),
      okText: t('remove.action'),
      cancelText: common('cancel'),
      danger: true,
    });
    if (!sure) return;
    removing.mutate(entry.id, {
      onSuccess: () => toast('success', () => t('remove.done', { name })),
      onError: (error) => showRefusal(error, t('remove.refused')),
    });
  };
}
