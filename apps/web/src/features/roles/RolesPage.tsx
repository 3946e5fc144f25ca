import { localName, type Role } from '@rmeet/contract';
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
import { useRoleColumns } from './columns.tsx';
import { SHAPE, useRemoveRole, useRoleList } from './queries.ts';
import { RoleDrawer } from './RoleDrawer.tsx';
import './roles.css';
import './texts.ts';

const KINDS = ['user', 'operator'] as const;

/** The roles of the platform and what they grant. */
export function RolesPage() {
  const t = useTexts('roles');
  const admin = useTexts('admin');
  const common = useTexts('common');
  const language = useLanguage();
  const [state, setState] = useListState(SHAPE);
  const list = useRoleList(state);
  const removing = useRemoveRole();
  const [opening, setOpening] = useState<{ number: number; role: Role | null } | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const open = (role: Role | null) => {
    setOpening((before) => ({ number: (before?.number ?? 0) + 1, role }));
    setIsOpen(true);
  };
  const columns = useRoleColumns(open);

  const remove = async (role: Role): Promise<void> => {
    const name = localName(role, language);
    if (
      !(await ask({
        title: t('remove.title'),
        text: t('remove.text', { name }),
        okText: t('remove.action'),
        cancelText: common('cancel'),
        danger: true,
      }))
    )
      return;
    removing.mutate(role.id, {
      onSuccess: () => toast('success', () => t('remove.done', { name })),
      // A refusal says who has it; that takes longer to read than a toast stays.
      onError: (error) =>
        error instanceof ApiError && error.httpStatus === 406
          ? void ask({ title: t('remove.refused'), text: error.message, okText: common('ok') })
          : reportError(error),
    });
  };

  return (
    <AdminPage
      title={t('title')}
      actions={
        <Button kind="primary" data-testid="role-new" onClick={() => open(null)}>
          <Icon name="plus" />
          {t('new')}
        </Button>
      }
    >
      <AdminTable
        name="role"
        label={t('label')}
        columns={columns}
        list={list}
        state={state}
        onState={setState}
        nameOf={(role) => localName(role, language)}
        actions={{
          width: 130,
          render: (role) => (
            <RowActions
              name={localName(role, language)}
              actions={[
                { key: 'edit', label: t('edit'), run: () => open(role) },
                ...(role.builtIn
                  ? []
                  : [{ key: 'remove', label: t('remove.action'), danger: true, run: () => void remove(role) }]),
              ]}
            />
          ),
        }}
        toolbar={
          <ListToolbar keyword={state.keyword} onSearch={(keyword) => setState({ keyword })} placeholder={t('search')}>
            <FilterSelect
              label={t('kind.label')}
              value={state.kind}
              options={KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
              onChange={(kind) => setState({ kind })}
              testId="role-kind-filter"
            />
          </ListToolbar>
        }
        empty={
          state.keyword !== '' || state.kind !== ''
            ? { title: admin('noMatch'), hint: admin('noMatchHint') }
            : { title: t('empty'), hint: t('emptyHint') }
        }
      />
      {opening && (
        <RoleDrawer key={opening.number} role={opening.role} open={isOpen} onClose={() => setIsOpen(false)} />
      )}
    </AdminPage>
  );
}
