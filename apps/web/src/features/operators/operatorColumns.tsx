import { decodeContact, type Operator } from '@rmeet/contract';
import { useTexts } from '../../lib/i18n/index.ts';
import { formatTime } from '../../lib/time.ts';
import type { AdminColumn } from '../../ui/admin/columns.ts';
import { RowLink } from '../../ui/admin/RowLink.tsx';
import { StatusMark } from '../../ui/admin/StatusMark.tsx';
import type { OperatorListState } from './listShape.ts';

/** The columns of the list of operators. `onOpen` opens an operator for editing. */
export function useOperatorColumns(
  onOpen: (operator: Operator) => void,
): AdminColumn<Operator, OperatorListState['sort']>[] {
  const t = useTexts('operators');
  const admin = useTexts('admin');
  return [
    {
      key: 'name',
      label: admin('account.name'),
      width: 160,
      sort: 'name',
      always: true,
      render: (operator) => <RowLink name={operator.name} testId="operator-name" onClick={() => onOpen(operator)} />,
    },
    { key: 'account', label: admin('account.account'), width: 140, sort: 'account', render: ({ account }) => account },
    {
      key: 'status',
      label: admin('account.status'),
      width: 110,
      render: ({ enabled }) => <StatusMark status={enabled ? 'enabled' : 'disabled'} />,
    },
    {
      key: 'lastLoginAt',
      label: admin('account.lastLogin'),
      width: 150,
      sort: 'lastLoginAt',
      render: ({ lastLoginAt }) => formatTime(lastLoginAt) || admin('account.never'),
    },
    {
      key: 'roles',
      label: admin('account.roles'),
      width: 200,
      render: ({ roles, isSuperAdmin }) =>
        [...(isSuperAdmin ? [t('superAdmin')] : []), ...roles.map(({ name }) => name)].join(', '),
    },
    {
      key: 'phoneNumber',
      label: admin('account.phoneNumber'),
      width: 160,
      render: ({ phoneNumber }) => decodeContact(phoneNumber),
    },
    { key: 'email', label: admin('account.email'), width: 200, render: ({ email }) => decodeContact(email) },
    {
      key: 'sessions',
      label: admin('account.sessions'),
      width: 110,
      optional: true,
      render: ({ sessions }) => String(sessions),
    },
    {
      key: 'createdAt',
      label: admin('account.created'),
      width: 150,
      sort: 'createdAt',
      optional: true,
      render: ({ createdAt }) => formatTime(createdAt),
    },
  ];
}
