import type { ApiClient } from '@rmeet/contract';
import { useTexts } from '../../lib/i18n/index.ts';
import { formatDay, formatTime } from '../../lib/time.ts';
import type { AdminColumn } from '../../ui/admin/columns.ts';
import { RowLink } from '../../ui/admin/RowLink.tsx';
import type { ClientListState } from './listShape.ts';

const MARKS: Record<ApiClient['state'], string> = {
  active: 'status-mark',
  disabled: 'status-mark status-mark-off',
  expired: 'status-mark status-mark-off',
  ended: 'status-mark status-mark-gone',
};

type Column = AdminColumn<ApiClient, ClientListState['sort']>;

/** What the clients may do, until when and from where. */
function useRightsColumns(): Column[] {
  const t = useTexts('apiRecords');
  return [
    {
      key: 'scopes',
      label: t('column.scopes'),
      width: 240,
      render: ({ scopes }) => scopes.join(', '),
    },
    {
      key: 'expiresAt',
      label: t('column.expiresAt'),
      width: 130,
      sort: 'expiresAt',
      render: ({ expiresAt }) => (expiresAt === null ? t('noExpiry') : formatDay(expiresAt)),
    },
    {
      key: 'networks',
      label: t('column.networks'),
      width: 170,
      render: ({ networks }) => (networks.length === 0 ? t('anyNetwork') : networks.join(', ')),
    },
  ];
}

/** `withTenant`: for those who see the clients of all tenants. */
export function useClientColumns(onOpen: (client: ApiClient) => void, withTenant: boolean): Column[] {
  const t = useTexts('apiRecords');
  const columns: Column[] = [
    {
      key: 'name',
      label: t('column.name'),
      width: 200,
      sort: 'name',
      always: true,
      render: (client) => <RowLink name={client.name} testId="api-client-name" onClick={() => onOpen(client)} />,
    },
    {
      key: 'state',
      label: t('column.state'),
      width: 110,
      render: ({ state }) => <span className={MARKS[state]}>{t(`state.${state}`)}</span>,
    },
    { key: 'tenant', label: t('column.tenant'), width: 160, render: ({ tenantName }) => tenantName },
    {
      key: 'lastUsedAt',
      label: t('column.lastUsedAt'),
      width: 150,
      sort: 'lastUsedAt',
      render: ({ lastUsedAt }) => formatTime(lastUsedAt) || t('never'),
    },
    ...useRightsColumns(),
    { key: 'id', label: t('column.id'), width: 300, optional: true, render: ({ id }) => id },
    {
      key: 'createdAt',
      label: t('column.createdAt'),
      width: 150,
      sort: 'createdAt',
      optional: true,
      render: ({ createdAt }) => formatTime(createdAt),
    },
    {
      key: 'createdBy',
      label: t('column.createdBy'),
      width: 140,
      optional: true,
      render: ({ createdBy }) => createdBy,
    },
  ];
  return columns.filter(({ key }) => withTenant || key !== 'tenant');
}
