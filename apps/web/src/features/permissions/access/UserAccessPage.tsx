import { ACCOUNT_ROLES, type Access } from '@rmeet/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import { useAddressParams } from '../../../lib/addressParams.ts';
import { api, isApiError } from '../../../lib/api/index.ts';
import { useLanguage, useTexts } from '../../../lib/i18n/index.ts';
import { AdminPage } from '../../../ui/admin/AdminPage.tsx';
import { EmptyState, ErrorState, Loading } from '../../../ui/states.tsx';
import { AccessFilter } from './AccessFilter.tsx';
import { AccessMenus } from './AccessMenus.tsx';
import { AccessTables } from './AccessTables.tsx';
import { flagList, SHOWN, type Shown } from './view.ts';
import '../texts.ts';
import './access.css';

/** `/users/:id/access?tenantId=`: "see as". What a user sees and may call, and by which rule. */
export function UserAccessPage() {
  const t = useTexts('permissions');
  const language = useLanguage();
  const { id = '' } = useParams();
  const [params] = useSearchParams();
  const tenantId = params.get('tenantId') ?? undefined;
  const found = useQuery({
    // The server returns role names in the requested language.
    queryKey: ['users', 'access', id, tenantId, language],
    queryFn: () => api.users.access({ params: { id }, query: { tenantId } }),
    meta: { quiet: true },
  });
  const name = found.data?.user.name ?? '';
  return (
    <AdminPage
      title={t('access.title', { name })}
      actions={
        <Link
          to={{ pathname: '/users', search: tenantId === undefined ? '' : `?tenant=${tenantId}` }}
          data-testid="access-back"
        >
          {t('access.back')}
        </Link>
      }
    >
      {found.isPending && <Loading />}
      {found.isError && !found.data && <Missing error={found.error} retry={() => void found.refetch()} />}
      {found.data && <Seen access={found.data} />}
    </AdminPage>
  );
}

function Missing({ error, retry }: { error: unknown; retry: () => void }) {
  const t = useTexts('permissions');
  if (isApiError(error, 'TENANT_REQUIRED')) return <EmptyState title={t('access.chooseTenant')} />;
  return isApiError(error, 'NOT_FOUND', 'INVALID_INPUT') ? (
    <EmptyState title={t('access.gone')} />
  ) : (
    <ErrorState retry={retry} />
  );
}

function Seen({ access }: { access: Access }) {
  const t = useTexts('permissions');
  const [params, setParams] = useAddressParams();
  const shown = SHOWN.find((one) => one === params.get('show')) ?? 'all';
  const keyword = (params.get('q') ?? '').slice(0, 100);
  const put = (key: string, value: string) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now);
        if (value === '') next.delete(key);
        else next.set(key, value);
        return next;
      },
      { replace: true },
    );
  return (
    <div className="access">
      <p className="access-notice" role="note">
        {t('access.notice', { name: access.user.name })}
      </p>
      <Person user={access.user} />
      <Flags access={access} />
      <AccessFilter
        shown={shown}
        keyword={keyword}
        onShown={(value: Shown) => put('show', value === 'all' ? '' : value)}
        onKeyword={(value) => put('q', value)}
      />
      <AccessMenus menus={access.menus} shown={shown} keyword={keyword} />
      <AccessTables access={access} shown={shown} keyword={keyword} />
    </div>
  );
}

function Person({ user }: { user: Access['user'] }) {
  const t = useTexts('permissions');
  const language = useLanguage();
  return (
    <dl className="access-person">
      <DetailEntry name={t('access.account')}>{user.account}</DetailEntry>
      <DetailEntry name={t('access.role')}>{ACCOUNT_ROLES[user.accountRole][language]}</DetailEntry>
      <DetailEntry name={t('access.tenant')}>{user.tenantName}</DetailEntry>
      <DetailEntry name={t('access.status')}>{t(user.enabled ? 'access.enabled' : 'access.disabled')}</DetailEntry>
    </dl>
  );
}

function DetailEntry({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Flags({ access }: { access: Access }) {
  const t = useTexts('permissions');
  const language = useLanguage();
  return (
    <section className="access-card" aria-labelledby="access-flags">
      <h2 id="access-flags">{t('access.flags')}</h2>
      <ul className="access-flags">
        {flagList(access.flags, language).map(({ flag, name, on }) => (
          <li key={flag} data-on={on} data-testid={`flag-${flag}`}>
            {name}
            <span className="visually-hidden">{`: ${t(on ? 'access.flagOn' : 'access.flagOff')}`}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
