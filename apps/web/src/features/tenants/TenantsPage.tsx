import { lengthWords, type Tenant } from '@rmeet/contract';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { usePermission } from '../../lib/access.ts';
import { language, useTexts } from '../../lib/i18n/index.ts';
import { isFiltered, useListState } from '../../lib/listState.ts';
import { ask, toast } from '../../lib/notify.ts';
import { formatTime } from '../../lib/time.ts';
import { AdminPage } from '../../ui/admin/AdminPage.tsx';
import { AdminList } from '../../ui/admin/AdminList.tsx';
import type { AdminColumn } from '../../ui/admin/columns.ts';
import { NewButton } from '../../ui/admin/NewButton.tsx';
import { OneTimePassword, type MadePassword } from '../../ui/admin/OneTimePassword.tsx';
import { StatusFilter } from '../../ui/admin/StatusFilter.tsx';
import { RowLink } from '../../ui/admin/RowLink.tsx';
import { StatusMark } from '../../ui/admin/StatusMark.tsx';
import { useDrawer } from '../../ui/admin/useDrawer.ts';
import { listShape, TENANT_STATUSES, type TenantListState } from './listShape.ts';
import { NewTenantDrawer } from './NewTenantDrawer.tsx';
import { useSetTenantEnabled, useSetup, useTenantList } from './queries.ts';
import { TenantDrawer } from './TenantDrawer.tsx';
import './texts.ts';
import './tenants.css';

/** The tenants of the platform. */
// oxlint-disable-next-line max-lines-per-function -- plain JSX of one page
export function TenantsPage() {
  const t = useTexts('tenants');
  const admin = useTexts('admin');
  const navigate = useNavigate();
  const [state, setState] = useListState(listShape);
  const list = useTenantList(state);
  const editing = useDrawer<Tenant | null>();
  const [made, setMade] = useState<MadePassword | null>(null);
  const setEnabled = useSetEnabledAfterAsking();
  const mayManageUsers = usePermission('users:manage');
  const columns = useColumns(editing.show);

  const { last } = editing;
  return (
    <AdminPage
      title={t('title')}
      actions={<NewButton label={t('new')} testId="tenant-new" onClick={() => editing.show(null)} />}
    >
      <AdminList
        name="tenants"
        label={t('title')}
        columns={columns}
        list={list}
        state={state}
        onState={setState}
        nameOf={({ name }) => name}
        rowActions={(tenant) => [
          { key: 'edit', label: admin('action.edit'), run: () => editing.show(tenant) },
          {
            key: 'users',
            label: t('users'),
            allowed: mayManageUsers,
            run: () => void navigate(`/users?tenant=${tenant.id}`),
          },
          {
            key: 'enable',
            label: admin('action.enable'),
            allowed: !tenant.enabled,
            run: () => void setEnabled(tenant),
          },
          {
            key: 'disable',
            label: admin('action.disable'),
            danger: true,
            allowed: tenant.enabled,
            run: () => void setEnabled(tenant),
          },
        ]}

        search={t('search')}
        filters={
          <StatusFilter statuses={TENANT_STATUSES} value={state.status} onChange={(status) => setState({ status })} />
        }
        filtered={isFiltered(listShape, state)}
        empty={{ title: t('empty'), hint: t('emptyHint') }}
      />
      <AddressHint />
      {last?.value && (
        <TenantDrawer key={last.opening} tenant={last.value} open={editing.open} onClose={editing.hide} />
      )}
      {last?.value === null && (
        <NewTenantDrawer key={last.opening} open={editing.open} onClose={editing.hide} onCreated={setMade} />
      )}
      <OneTimePassword made={made} onClose={() => setMade(null)} />
    </AdminPage>
  );
}

/**
 * Tells operators what does not work if the installation's own URL is unknown. Placed last, so that nothing moves when
 * it appears.
 */
function AddressHint() {
  const t = useTexts('tenants');
  const setup = useSetup();
  if (setup.data?.publicUrls.length !== 0) return null;
  return (
    <section className="tenant-hint" aria-labelledby="address-hint" data-testid="address-hint">
      <h2 id="address-hint">{t('address.title')}</h2>
      <p>{t('address.text')}</p>
    </section>
  );
}

/** Enables or disables a tenant after confirmation. */
function useSetEnabledAfterAsking() {
  const t = useTexts('tenants');
  const admin = useTexts('admin');
  const enabling = useSetTenantEnabled();
  return async ({ id, name, enabled }: Tenant) => {
    const action = enabled ? 'disable' : 'enable';
    const sure = await ask({
      title: t(`${action}Title`),
      text: t(`${action}Text`, { name }),
      okText: admin(`action.${action}`),
      cancelText: admin('action.cancel'),
      danger: enabled,
    });
    if (sure) enabling.mutate({ id, enabled: !enabled }, { onSuccess: () => toast('success', () => t(`${action}d`)) });
  };
}

// oxlint-disable-next-line max-lines-per-function -- one flat list of columns
function useColumns(onOpen: (tenant: Tenant) => void): AdminColumn<Tenant, TenantListState['sort']>[] {
  const t = useTexts('tenants');
  const count = (value: number) => value.toLocaleString(language());
  const limit = (value: number | null) => (value === null ? t('unlimited') : count(value));
  return [
    {
      key: 'name',
      label: t('column.name'),
      width: 220,
      sort: 'name',
      always: true,
      render: (tenant) => <RowLink name={tenant.name} testId="tenant-open" onClick={() => onOpen(tenant)} />,
    },
    {
      key: 'status',
      label: t('column.status'),
      width: 110,
      render: ({ enabled }) => <StatusMark status={enabled ? 'enabled' : 'disabled'} />,
    },
    {
      key: 'users',
      label: t('column.users'),
      width: 130,
      render: ({ usage, quotas }) => t('usage', { used: count(usage.users), limit: limit(quotas.users) }),
    },
    {
      key: 'terminals',
      label: t('column.terminals'),
      width: 130,
      render: ({ usage, quotas }) => t('usage', { used: count(usage.terminals), limit: limit(quotas.terminals) }),
    },
    {
      key: 'meeting',
      label: t('column.meeting'),
      width: 130,
      render: ({ quotas }) =>
        quotas.meetingMinutes === null ? t('unlimited') : lengthWords(quotas.meetingMinutes, language()),
    },
    {
      key: 'meetingAdmin',
      label: t('column.meetingAdmin'),
      width: 140,
      optional: true,
      render: ({ meetingAdmin }) => meetingAdmin.name,
    },
    {
      key: 'createdAt',
      label: t('column.created'),
      width: 150,
      sort: 'createdAt',
      render: ({ createdAt }) => formatTime(createdAt),
    },
  ];
}
