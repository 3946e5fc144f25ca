import { localName, type User } from '@rmeet/contract';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { system } from '../../lib/browser.ts';
import { useLanguage, useTexts } from '../../lib/i18n/index.ts';
import { useListState } from '../../lib/listState.ts';
import { AccountBulk } from '../../ui/admin/AccountBulk.tsx';
import { AdminPage } from '../../ui/admin/AdminPage.tsx';
import { AdminTable } from '../../ui/admin/AdminTable.tsx';
import { ExportButton } from '../../ui/admin/ExportButton.tsx';
import { FilterSelect } from '../../ui/admin/FilterSelect.tsx';
import { ListToolbar } from '../../ui/admin/ListToolbar.tsx';
import { OneTimePassword } from '../../ui/admin/OneTimePassword.tsx';
import { useRoleOptions } from '../../ui/admin/RolePicker.tsx';
import { RowActions } from '../../ui/admin/RowActions.tsx';
import { TenantPicker } from '../../ui/admin/TenantPicker.tsx';
import { useAccountActions } from '../../ui/admin/useAccountActions.ts';
import { useDrawer } from '../../ui/admin/useDrawer.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { DepartmentFilter } from './DepartmentFilter.tsx';
import { listShape, USER_STATUSES } from './listShape.ts';
import { exportPath, useRefreshUsers, userCalls, useUserList } from './queries.ts';
import { rowActions, useUserActions } from './userActions.ts';
import { useUserColumns } from './userColumns.tsx';
import { UserDrawer } from './UserDrawer.tsx';
import './texts.ts';
import './users.css';

/** The users of a tenant: the caller's own in the manage system, a chosen one in the admin system. */
export function UsersPage() {
  const t = useTexts('users');
  const admin = useTexts('admin');
  const language = useLanguage();
  const navigate = useNavigate();
  const [state, setState] = useListState(listShape);
  const { tenant } = state;
  const ready = system !== 'admin' || tenant !== '';
  const list = useUserList(state, ready);
  const roles = useRoleOptions('user');
  const refresh = useRefreshUsers();
  const account = useAccountActions({ ...userCalls(tenant), refresh });
  const actions = useUserActions(tenant);
  const [selected, setSelected] = useState<readonly string[]>([]);
  const editing = useDrawer<User | null>();
  const columns = useUserColumns(editing.show);

  const rows = list.data?.records ?? [];
  const chosen = rows.filter(({ id }) => selected.includes(id));
  const isFiltered = state.keyword !== '' || state.department !== '' || state.role !== '' || state.status !== '';
  const seeAs = ({ id }: User) =>
    void navigate({ pathname: `/users/${id}/access`, search: tenant === '' ? '' : `?tenantId=${tenant}` });

  return (
    <AdminPage
      title={t('title')}
      actions={
        <>
          {system === 'admin' && (
            <TenantPicker
              value={tenant}
              onChange={(next) => {
                setSelected([]);
                setState({ tenant: next, department: '', role: '' });
              }}
            />
          )}
          {ready && (
            <Button kind="primary" data-testid="user-new" onClick={() => editing.show(null)}>
              <Icon name="plus" />
              {t('new')}
            </Button>
          )}
        </>
      }
    >
      {ready ? (
        <div className="users">
          <DepartmentFilter
            key={tenant}
            tenant={tenant}
            value={state.department}
            onChange={(department) => setState({ department })}
          />
          <div className="users-list">
            <AdminTable
              name="users"
              label={t('title')}
              columns={columns}
              list={list}
              state={state}
              onState={setState}
              nameOf={({ name }) => name}
              actions={{
                width: 112,
                render: (user) => (
                  <RowActions
                    name={user.name}
                    actions={rowActions(user, { edit: editing.show, seeAs, account, actions, t, admin })}
                  />
                ),
              }}
              selection={{
                selected: chosen.map(({ id }) => id),
                onSelect: setSelected,
                isDisabled: ({ can }) => !can.setEnabled,
              }}
              toolbar={
                <ListToolbar
                  keyword={state.keyword}
                  onSearch={(keyword) => setState({ keyword })}
                  placeholder={t('search')}
                >
                  <FilterSelect
                    label={admin('status.label')}
                    value={state.status}
                    options={USER_STATUSES.map((value) => ({ value, label: admin(`status.${value}`) }))}
                    onChange={(status) => setState({ status })}
                    testId="filter-status"
                  />
                  <FilterSelect
                    label={admin('roles.label')}
                    value={state.role}
                    options={(roles.data ?? []).map((role) => ({ value: role.id, label: localName(role, language) }))}
                    onChange={(role) => setState({ role })}
                    testId="filter-role"
                  />
                </ListToolbar>
              }
              bulk={<AccountBulk accounts={chosen} account={account} onClear={() => setSelected([])} />}
              tools={<ExportButton path={exportPath(state)} />}
              empty={
                isFiltered
                  ? {
                      title: state.status === 'deleted' ? t('emptyDeleted') : admin('noMatch'),
                      hint: admin('noMatchHint'),
                    }
                  : { title: t('empty'), hint: t('emptyHint') }
              }
            />
          </div>
        </div>
      ) : (
        <EmptyState picture="list" title={admin('tenant.choose')} hint={admin('tenant.chooseHint')} />
      )}
      {editing.last && (
        <UserDrawer
          key={editing.last.opening}
          user={editing.last.value}
          tenant={tenant}
          open={editing.open}
          onClose={editing.hide}
          onCreated={({ account: name, ...made }, password) => {
            if (password !== null) account.show({ account: name, name: made.name, password });
          }}
        />
      )}
      <OneTimePassword made={account.made} onClose={account.forget} />
    </AdminPage>
  );
}
