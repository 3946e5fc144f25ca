import { decodeContact, type User } from '@rmeet/contract';
import { useTexts } from '../../lib/i18n/index.ts';
import { formatDay, formatTime } from '../../lib/time.ts';
import type { AdminColumn } from '../../ui/admin/columns.ts';
import { RowLink } from '../../ui/admin/RowLink.tsx';
import { StatusMark, type Status } from '../../ui/admin/StatusMark.tsx';
import type { UserListState } from './listShape.ts';

type UserColumn = AdminColumn<User, UserListState['sort']>;

export function statusOf({ enabled, restorableUntil, invitation }: User): Status {
  if (restorableUntil !== null) return 'deleted';
  if (!enabled) return 'disabled';
  return invitation === null ? 'enabled' : 'invited';
}

/** The columns of the list of users. `onOpen` opens a user for editing. */
// oxlint-disable-next-line max-lines-per-function -- one flat list of columns
export function useUserColumns(onOpen: (user: User) => void): UserColumn[] {
  const t = useTexts('users');
  const admin = useTexts('admin');
  return [
    {
      key: 'name',
      label: admin('account.name'),
      width: 150,
      sort: 'name',
      always: true,
      render: (user) =>
        user.can.update ? <RowLink name={user.name} testId="user-name" onClick={() => onOpen(user)} /> : user.name,
    },
    { key: 'account', label: admin('account.account'), width: 140, sort: 'account', render: ({ account }) => account },
    { key: 'status', label: admin('account.status'), width: 132, render: (user) => <UserStatus user={user} /> },
    {
      key: 'department',
      label: admin('account.department'),
      width: 170,
      sort: 'department',
      render: ({ department }) => department,
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
      width: 180,
      render: ({ roles, isTenantAdmin }) =>
        [...(isTenantAdmin ? [t('tenantAdmin')] : []), ...roles.map(({ name }) => name)].join(', '),
    },
    {
      key: 'phoneNumber',
      label: admin('account.phoneNumber'),
      width: 160,
      optional: true,
      render: ({ phoneNumber }) => decodeContact(phoneNumber),
    },
    {
      key: 'email',
      label: admin('account.email'),
      width: 190,
      optional: true,
      render: ({ email }) => decodeContact(email),
    },
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

function UserStatus({ user }: { user: User }) {
  const t = useTexts('users');
  return (
    <>
      <StatusMark status={statusOf(user)} />
      {user.restorableUntil !== null && (
        <small className="user-restorable">{t('restorable', { day: formatDay(user.restorableUntil) })}</small>
      )}
      {user.restorableUntil === null && user.invitation !== null && (
        <small className="user-restorable" data-testid="user-invitation">
          {t(`invitation.state.${user.invitation.state}`, {
            day: user.invitation.expiresAt === null ? '' : formatDay(user.invitation.expiresAt),
          })}
        </small>
      )}
    </>
  );
}
