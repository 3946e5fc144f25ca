import type { Operator } from '@rmeet/contract';
import { useState } from 'react';
import { session } from '../../lib/browser.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { useListState } from '../../lib/listState.ts';
import { AccountBulk } from '../../ui/admin/AccountBulk.tsx';
import { AdminPage } from '../../ui/admin/AdminPage.tsx';
import { AdminTable } from '../../ui/admin/AdminTable.tsx';
import { ExportButton } from '../../ui/admin/ExportButton.tsx';
import { FilterSelect } from '../../ui/admin/FilterSelect.tsx';
import { ListToolbar } from '../../ui/admin/ListToolbar.tsx';
import { OneTimePassword } from '../../ui/admin/OneTimePassword.tsx';
import { RowActions, type RowAction } from '../../ui/admin/RowActions.tsx';
import { useAccountActions } from '../../ui/admin/useAccountActions.ts';
import { useDrawer } from '../../ui/admin/useDrawer.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { listShape, OPERATOR_STATUSES } from './listShape.ts';
import { OperatorDrawer } from './OperatorDrawer.tsx';
import { useOperatorColumns } from './operatorColumns.tsx';
import { exportPath, operatorCalls, useOperatorList, useRefreshOperators } from './queries.ts';
import './texts.ts';

/** The platform's staff. */
export function OperatorsPage() {
  const t = useTexts('operators');
  const admin = useTexts('admin');
  const [state, setState] = useListState(listShape);
  const list = useOperatorList(state);
  const refresh = useRefreshOperators();
  const account = useAccountActions({ ...operatorCalls, refresh });
  const [selected, setSelected] = useState<readonly string[]>([]);
  const editing = useDrawer<Operator | null>();
  const columns = useOperatorColumns(editing.show);

  const chosen = (list.data?.records ?? []).filter(({ id }) => selected.includes(id));
  const isOwn = ({ id }: Operator) => id === session.user?.id;
  const rowActions = (operator: Operator): RowAction[] => [
    { key: 'edit', label: admin('action.edit'), run: () => editing.show(operator) },
    {
      key: 'enable',
      label: admin('action.enable'),
      allowed: !operator.enabled,
      run: () => void account.setEnabled([operator], true),
    },
    // One's own password is changed on the page of personal data.
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

  const isFiltered = state.keyword !== '' || state.status !== '';
  return (
    <AdminPage
      title={t('title')}
      actions={
        <Button kind="primary" data-testid="operator-new" onClick={() => editing.show(null)}>
          <Icon name="plus" />
          {t('new')}
        </Button>
      }
    >
      <AdminTable
        name="operators"
        label={t('title')}
        columns={columns}
        list={list}
        state={state}
        onState={setState}
        nameOf={({ name }) => name}
        actions={{
          width: 112,
          render: (operator) => <RowActions name={operator.name} actions={rowActions(operator)} />,
        }}
        selection={{ selected: chosen.map(({ id }) => id), onSelect: setSelected, isDisabled: isOwn }}
        toolbar={
          <ListToolbar keyword={state.keyword} onSearch={(keyword) => setState({ keyword })} placeholder={t('search')}>
            <FilterSelect
              label={admin('status.label')}
              value={state.status}
              options={OPERATOR_STATUSES.map((value) => ({ value, label: admin(`status.${value}`) }))}
              onChange={(status) => setState({ status })}
              testId="filter-status"
            />
          </ListToolbar>
        }
        bulk={<AccountBulk accounts={chosen} account={account} onClear={() => setSelected([])} />}
        tools={<ExportButton path={exportPath(state)} />}
        empty={
          isFiltered
            ? { title: admin('noMatch'), hint: admin('noMatchHint') }
            : { title: t('empty'), hint: t('emptyHint') }
        }
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
