import { localName, type Role } from '@rmeet/contract';
import { useLanguage, useTexts } from '../../lib/i18n/index.ts';
import { Clipped } from '../../ui/admin/Clipped.tsx';
import type { AdminColumn } from '../../ui/admin/columns.ts';

export function useRoleColumns(onOpen: (role: Role) => void): AdminColumn<Role, 'name' | 'kind' | 'createdAt'>[] {
  const t = useTexts('roles');
  const language = useLanguage();
  return [
    {
      key: 'name',
      label: t('column.name'),
      width: 220,
      sort: 'name',
      always: true,
      render: (role) => (
        <button type="button" className="row-link" data-testid="role-name" onClick={() => onOpen(role)}>
          <Clipped text={localName(role, language)} />
        </button>
      ),
    },
    { key: 'kind', label: t('column.kind'), width: 120, sort: 'kind', render: ({ kind }) => t(`kind.${kind}`) },
    { key: 'description', label: t('column.description'), width: 280, render: ({ description }) => description },
    {
      key: 'isDefault',
      label: t('column.isDefault'),
      width: 140,
      render: ({ isDefault }) => t(isDefault ? 'yes' : 'no'),
    },
    {
      key: 'grants',
      label: t('column.grants'),
      width: 100,
      render: ({ permissionIds }) => permissionIds.length.toLocaleString(language),
    },
    {
      key: 'accounts',
      label: t('column.accounts'),
      width: 110,
      render: ({ accounts }) => accounts.toLocaleString(language),
    },
    {
      key: 'origin',
      label: t('column.origin'),
      width: 110,
      optional: true,
      render: ({ builtIn }) => t(builtIn ? 'builtIn' : 'own'),
    },
  ];
}
