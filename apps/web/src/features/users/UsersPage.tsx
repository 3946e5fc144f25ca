import { localName, type Page, type User } from '@rmeet/contract';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { system } from '../../lib/browser.ts';
import { useLanguage, useTexts } from '../../lib/i18n/index.ts';
import { isFiltered, useListState } from '../../lib/listState.ts';
import { AdminPage } from '../../ui/admin/AdminPage.tsx';
import { AdminList } from '../../ui/admin/AdminList.tsx';
import { ExportButton } from '../../ui/admin/ExportButton.tsx';
import { FilterSelect } from '../../ui/admin/FilterSelect.tsx';
import { NewButton } from '../../ui/admin/NewButton.tsx';
import { OneTimePassword } from '../../ui/admin/OneTimePassword.tsx';
import { useRoleOptions } from '../../ui/admin/RolePicker.tsx';
import { StatusFilter } from '../../ui/admin/StatusFilter.tsx';
import { TenantPicker } from '../../ui/admin/TenantPicker.tsx';
import { useAccountActions } from '../../ui/admin/useAccountActions.ts';
import { useDrawer } from '../../ui/admin/useDrawer.ts';
import { useSelection } from '../../ui/admin/useSelection.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { DepartmentFilter } from './DepartmentFilter.tsx';
import { listShape, USER_STATUSES, type UserListState } from './listShape.ts';
import { exportPath, useRefreshUsers, userCalls, useUserList } from './queries.ts';
import { RestoreDialog } from './RestoreDialog.tsx';
import { ChangeDrawer, type WantedChange } from './tasks/ChangeDrawer.tsx';
import { ImportDrawer } from './tasks/ImportDrawer.tsx';
import { rowActions, useUserActions } from './userActions.ts';
import { useUserColumns } from './userColumns.tsx';
import { UserDrawer } from './UserDrawer.tsx';
import { UsersBulk } from './UsersBulk.tsx';
import './texts.ts';
import './users.css';

/** The users of a tenant: the caller's own in the manage system, a selected one in the admin system. */
// oxlint-disable-next-line max-lines-per-function -- plain JSX of one page
export function UsersPage() {
  const t = useTexts('users');
  const admin = useTexts('admin');
  const navigate = useNavigate();
  const [state, setState] = useListState(listShape);
  const { tenant } = state;
  const ready = system !== 'admin' || tenant !== '';
  const list = useUserList(state, ready);
  const refresh = useRefreshUsers();
  const account = useAccountActions({ ...userCalls(tenant), refresh });
  const actions = useUserActions(tenant);
  const { selected, selection, clear } = useSelection(list.data?.records);
  const all = useAllChosen(state, list.data, selected.length);
  const editing = useDrawer<User | null>();
  const importing = useDrawer<null>();
  const changing = useDrawer<WantedChange>();
  const columns = useUserColumns(editing.show);

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
                clear();
                setState({ tenant: next, department: '', role: '' });
              }}
            />
          )}
          {ready && (
            <>
              <Button
                aria-pressed={state.status === 'deleted'}
                data-testid="users-deleted"
                onClick={() => setState({ status: state.status === 'deleted' ? '' : 'deleted' })}
              >
                {t('deleted')}
              </Button>
              <Button data-testid="users-import" onClick={() => importing.show(null)}>
                <Icon name="upload" />
                {t('import.open')}
              </Button>
            </>
          )}
          {ready && <NewButton label={t('new')} testId="user-new" onClick={() => editing.show(null)} />}
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
            <AdminList
              name="users"
              label={t('title')}
              columns={columns}
              list={list}
              state={state}
              onState={setState}
              nameOf={({ name }) => name}
              rowActions={(user) => rowActions(user, { edit: editing.show, seeAs, account, actions, t, admin })}
              selection={{ ...selection, isDisabled: ({ can }) => !can.setEnabled }}
              search={t('search')}
              filters={<UserFilters state={state} onState={setState} />}
              filtered={isFiltered(listShape, state, ['tenant'])}
              bulk={
                <UsersBulk
                  selected={selected}
                  all={all.offer}
                  onChange={(kind) =>
                    changing.show({
                      kind,
                      target: all.isChosen ? { list: state } : { ids: selected.map(({ id }) => id) },
                      count: all.isChosen ? all.count : String(selected.length),
                    })
                  }
                  onClear={clear}
                />
              }
              tools={
                <>
                  <ExportButton path={exportPath(state)} />
                  <ExportButton path={exportPath(state, 'csv')} label={t('exportCsv')} testId="export-csv" />
                </>
              }
              empty={{ title: t('empty'), hint: t('emptyHint') }}
              noMatch={state.status === 'deleted' ? t('emptyDeleted') : undefined}
            />
          </div>
        </div>
      ) : (
        <EmptyState picture="list" title={admin('tenant.choose')} hint={admin('tenant.chooseHint')} />
      )}
      {editing.last && (
        <UserDrawer
          key={`user-${editing.last.opening}`}
          user={editing.last.value}
          tenant={tenant}
          open={editing.open}
          onClose={editing.hide}
          onCreated={({ account: name, ...made }, password) => {
            if (password !== null) account.show({ account: name, name: made.name, password });
          }}
        />
      )}
      {importing.last && (
        <ImportDrawer
          key={`import-${importing.last.opening}`}
          tenant={tenant}
          open={importing.open}
          onClose={importing.hide}
        />
      )}
      {changing.last && (
        <ChangeDrawer
          key={`change-${changing.last.opening}`}
          tenant={tenant}
          wanted={changing.last.value}
          open={changing.open}
          onClose={changing.hide}
          onStarted={clear}
        />
      )}
      {actions.taken && <RestoreDialog user={actions.taken} tenant={tenant} onClose={actions.forgetTaken} />}
      <OneTimePassword made={account.made} onClose={account.forget} />
    </AdminPage>
  );
}

/** The choice of all users that the filter matches, offered when a whole page is selected and there are more. */
function useAllChosen(state: UserListState, page: Page<User> | undefined, selected: number) {
  const admin = useTexts('admin');
  const selectable = (page?.records ?? []).filter(({ can }) => can.setEnabled).length;
  const isOffered = page !== undefined && selected > 0 && selected === selectable && page.total > page.records.length;
  const [chosenFor, setChosenFor] = useState<string | null>(null);
  // Another filter is another choice.
  const key = JSON.stringify([state.tenant, state.keyword, state.department, state.status, state.role]);
  const isChosen = isOffered && chosenFor === key;
  const count = page?.totalIsLowerBound ? admin('totalAtLeast', { total: page.total }) : String(page?.total ?? 0);
  return {
    isChosen,
    count,
    offer: isOffered ? { count, isChosen, choose: () => setChosenFor(isChosen ? null : key) } : null,
  };
}

interface UserFiltersProps {
  state: UserListState;
  onState: (change: Partial<UserListState>) => void;
}

function UserFilters({ state, onState }: UserFiltersProps) {
  const admin = useTexts('admin');
  const language = useLanguage();
  const roles = useRoleOptions('user');
  return (
    <>
      <StatusFilter statuses={USER_STATUSES} value={state.status} onChange={(status) => onState({ status })} />
      <FilterSelect
        label={admin('roles.label')}
        value={state.role}
        options={(roles.data ?? []).map((role) => ({ value: role.id, label: localName(role, language) }))}
        onChange={(role) => onState({ role })}
        testId="filter-role"
      />
    </>
  );
}
