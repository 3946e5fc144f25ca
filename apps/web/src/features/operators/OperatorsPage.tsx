import type { Operator } from '@rmeet/contract';
import { session } from '../../lib/browser.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { isFiltered, useListState } from '../../lib/listState.ts';
import { AccountBulk } from '../../ui/admin/AccountBulk.tsx';
import { AdminPage } from '../../ui/admin/AdminPage.tsx';
import { AdminList } from '../../ui/admin/AdminList.tsx';
import { ExportButton } from '../../ui/admin/ExportButton.tsx';
import { NewButton } from '../../ui/admin/NewButton.tsx';
import { OneTimePassword } from '../../ui/admin/OneTimePassword.tsx';
import type { RowAction } from '../../ui/admin/RowActions.tsx';
import { StatusFilter } from '../../ui/admin/StatusFilter.tsx';
import { useAccountActions } from '../../ui/admin/useAccountActions.ts';
import { useDrawer } from '../../ui/admin/useDrawer.ts';
import { useSelection } from '../../ui/admin/useSelection.ts';
import { listShape, OPERATOR_STATUSES } from './listShape.ts';
import { OperatorDrawer } from './OperatorDrawer.tsx';
import { useOperatorColumns } from './operatorColumns.tsx';
import { exportPath, operatorCalls, useOperatorList, useRefreshOperators } from './queries.ts';
import { StaffFactor } from './StaffFactor.tsx';
import './texts.ts';

/** The list of platform operators. */
export function OperatorsPage() {
  const t = useTexts('operators');
  const [state, setState] = useListState(listShape);
  const list = useOperatorList(state);
  const refresh = useRefreshOperators();
  const account = useAccountActions({ ...operatorCalls, refresh });
  const { selected, selection, clear } = useSelection(list.data?.records);
  const editing = useDrawer<Operator | null>();
  const columns = useOperatorColumns(editing.show);

  const rowActions = useRowActions(editing.show, account);

  return (
    <AdminPage
      title={t('title')}
      actions={
        <>
          <StaffFactor />
          <NewButton label={t('new')} testId="operator-new" onClick={() => editing.show(null)} />
        </>
      }
    >
      <AdminList
        name="operators"
        label={t('title')}
        columns={columns}
        list={list}
        state={state}
        onState={setState}
        nameOf={({ name }) => name}
        rowActions={rowActions}
        selection={{ ...selection, isDisabled: isOwn }}
        search={t('search')}
        filters={
          <StatusFilter statuses={OPERATOR_STATUSES} value={state.status} onChange={(status) => setState({ status })} />
        }
        filtered={isFiltered(listShape, state)}
        bulk={<AccountBulk accounts={selected} account={account} onClear={clear} />}
        tools={<ExportButton path={exportPath(state)} />}
        empty={{ title: t('empty'), hint: t('emptyHint') }}
      />
      {editing.last && (
        <OperatorDrawer
          key={editing.last.opening}
          operator={editing.last.value}
          open={editing.open}
          onClose={editing.hide}
          onCreated={({ account: made, name }, password) => {
            if (password !== null) account.show({ account: made, name, password });
          }}
        />
      )}
      <OneTimePassword made={account.made} onClose={account.forget} />
    </AdminPage>
  );
}

const isOwn = ({ id }: Operator): boolean => id === session.user?.id;

/** The row actions of an operator. */
function useRowActions(onEdit: (operator: Operator) => void, account: ReturnType<typeof useAccountActions>) {
  const admin = useTexts('admin');
  return (operator: Operator): RowAction[] => [
    { key: 'edit', label: admin('action.edit'), run: () => onEdit(operator) },
    {
      key: 'enable',
      label: admin('action.enable'),
      allowed: !operator.enabled,
      run: () => void account.setEnabled([operator], true),
    },
    // Users change their own password on the profile page.
    {
      key: 'reset',
      label: admin('action.resetPassword'),
      allowed: !isOwn(operator),
      run: () => void account.resetPassword(operator),
    },
    {
      key: 'sessions',
      label: admin('action.endSessions'),
      allowed: operator.sessions > 0,
      run: () => void account.endSessions(operator),
    },
    {
      key: 'disable',
      label: admin('action.disable'),
      danger: true,
      allowed: operator.enabled && !isOwn(operator),
      run: () => void account.setEnabled([operator], false),
    },
  ];
}
