import { ENTRY_TYPES, localName, type ManagedEntry } from '@rmeet/contract';
import { useState } from 'react';
import { ApiError, reportError } from '../../lib/api/index.ts';
import { useLanguage, useTexts } from '../../lib/i18n/index.ts';
import { useListState } from '../../lib/listState.ts';
import { ask, toast } from '../../lib/notify.ts';
import { AdminPage } from '../../ui/admin/AdminPage.tsx';
import { AdminTable } from '../../ui/admin/AdminTable.tsx';
import { FilterSelect } from '../../ui/admin/FilterSelect.tsx';
import { ListToolbar } from '../../ui/admin/ListToolbar.tsx';
import { RowActions } from '../../ui/admin/RowActions.tsx';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { usePermissionColumns } from './columns.tsx';
import { PermissionDrawer } from './PermissionDrawer.tsx';
import { SHAPE, usePermissionList, useRemovePermission } from './queries.ts';
import './permissions.css';
import './texts.ts';

const TYPES = ['0', '1', '2'] as const;
const SYSTEMS = ['0', '1'] as const;

/** The list of menu entries and permissions; own permission codes are made and changed here. */
export function PermissionsPage() {
  const t = useTexts('permissions');
  const admin = useTexts('admin');
  const common = useTexts('common');
  const language = useLanguage();
  const [state, setState] = useListState(SHAPE);
  const list = usePermissionList(state);
  const columns = usePermissionColumns();
  const removing = useRemovePermission();
  const [opening, setOpening] = useState<{ number: number; entry: ManagedEntry | null } | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const open = (entry: ManagedEntry | null) => {
    setOpening((before) => ({ number: (before?.number ?? 0) + 1, entry }));
    setIsOpen(true);
  };

  const remove = async (entry: ManagedEntry): Promise<void> => {
    const name = localName(entry, language);
    const text = t('remove.text', { name, code: entry.code ?? '' });
    if (
      !(await ask({
        title: t('remove.title'),
        text,
        okText: t('remove.action'),
        cancelText: common('cancel'),
        danger: true,
      }))
    )
      return;
    removing.mutate(entry.id, {
      onSuccess: () => toast('success', () => t('remove.done', { name })),
      // A refusal names the roles; that takes longer to read than a toast stays.
      onError: (error) =>
        error instanceof ApiError && error.httpStatus === 406
          ? void ask({ title: t('remove.refused'), text: error.message, okText: common('ok') })
          : reportError(error),
    });
  };
  const isFiltered = state.keyword !== '' || state.type !== '' || state.system !== '';

  return (
    <AdminPage
      title={t('title')}
      actions={
        <Button kind="primary" data-testid="permission-new" onClick={() => open(null)}>
          <Icon name="plus" />
          {t('new')}
        </Button>
      }
    >
      <AdminTable
        name="permission"
        label={t('label')}
        columns={columns}
        list={list}
        state={state}
        onState={setState}
        nameOf={(entry) => localName(entry, language)}
        actions={{
          width: 130,
          render: (entry) =>
            entry.type === ENTRY_TYPES.permission && (
              <RowActions
                name={localName(entry, language)}
                actions={[
                  { key: 'edit', label: t('edit'), run: () => open(entry) },
                  ...(entry.builtIn
                    ? []
                    : [{ key: 'remove', label: t('remove.action'), danger: true, run: () => void remove(entry) }]),
                ]}
              />
            ),
        }}
        toolbar={
          <ListToolbar keyword={state.keyword} onSearch={(keyword) => setState({ keyword })} placeholder={t('search')}>
            <FilterSelect
              label={t('type.label')}
              value={state.type}
              options={TYPES.map((value) => ({ value, label: t(`type.${value}`) }))}
              onChange={(type) => setState({ type })}
              testId="permission-type"
            />
            <FilterSelect
              label={t('system.label')}
              value={state.system}
              options={SYSTEMS.map((value) => ({ value, label: t(`system.${value}`) }))}
              onChange={(system) => setState({ system })}
              testId="permission-system"
            />
          </ListToolbar>
        }
        empty={isFiltered ? { title: admin('noMatch'), hint: admin('noMatchHint') } : { title: t('empty') }}
      />
      {opening && (
        <PermissionDrawer key={opening.number} entry={opening.entry} open={isOpen} onClose={() => setIsOpen(false)} />
      )}
    </AdminPage>
  );
}
