import type { IdentityProvider, ProviderSettings } from '@rmeet/contract';
import { useTexts } from '../../lib/i18n/index.ts';
import { ask, toast } from '../../lib/notify.ts';
import { AdminPage } from '../../ui/admin/AdminPage.tsx';
import { NewButton } from '../../ui/admin/NewButton.tsx';
import { RowActions } from '../../ui/admin/RowActions.tsx';
import { RowLink } from '../../ui/admin/RowLink.tsx';
import { StatusMark } from '../../ui/admin/StatusMark.tsx';
import { useDrawer } from '../../ui/admin/useDrawer.ts';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { ProviderDrawer } from './ProviderDrawer.tsx';
import { useIdentityProviders, useRemoveProvider } from './queries.ts';
import './texts.ts';
import './identityProviders.css';

/** The identity providers that sign the tenant's people in. */
export function IdentityProvidersPage() {
  const t = useTexts('identityProviders');
  const list = useIdentityProviders();
  const editing = useDrawer<IdentityProvider | null>();
  const { data } = list;
  return (
    <AdminPage
      title={t('title')}
      actions={
        data?.can.update === true && (
          <NewButton label={t('new')} testId="provider-new" onClick={() => editing.show(null)} />
        )
      }
    >
      <p className="providers-lead">{t('lead')}</p>
      {list.isPending && <Loading />}
      {list.isError && !data && <ErrorState retry={() => void list.refetch()} />}
      {data?.can.update === false && <p className="providers-lead">{t('readOnly')}</p>}
      {data && data.records.length === 0 && <EmptyState picture="list" title={t('empty')} hint={t('emptyHint')} />}
      {data && data.records.length > 0 && (
        <ul className="providers" aria-label={t('title')}>
          {data.records.map((one) => (
            <ProviderRow key={one.id} provider={one} mayChange={data.can.update} onOpen={() => editing.show(one)} />
          ))}
        </ul>
      )}
      {data && editing.last && (
        <ProviderDrawer
          key={`provider-${editing.last.opening}`}
          provider={editing.last.value}
          addresses={data}
          open={editing.open}
          onClose={editing.hide}
        />
      )}
    </AdminPage>
  );
}

interface ProviderRowProps {
  provider: IdentityProvider;
  mayChange: boolean;
  onOpen: () => void;
}

/** What tells one provider of a kind from another. */
function placeOf(settings: ProviderSettings): string {
  if (settings.kind === 'OIDC') return settings.issuer;
  if (settings.kind === 'SAML') return settings.entityId;
  return settings.kind === 'CAS' ? settings.server : settings.clientId;
}

function ProviderRow({ provider, mayChange, onOpen }: ProviderRowProps) {
  const t = useTexts('identityProviders');
  const admin = useTexts('admin');
  const removing = useRemoveProvider();
  const { id, name, kind, enabled, settings, identities } = provider;
  const remove = async (): Promise<void> => {
    const sure = await ask({
      title: t('remove.title'),
      text: t('remove.text', { name, count: identities }),
      okText: admin('action.delete'),
      cancelText: admin('action.cancel'),
      danger: true,
    });
    if (sure) removing.mutate(id, { onSuccess: () => toast('success', () => t('remove.done', { name })) });
  };
  return (
    <li className="provider" data-testid="provider-row">
      <div>
        <p className="provider-name">
          {mayChange ? <RowLink name={name} testId="provider-name" onClick={onOpen} /> : name}
          <StatusMark status={enabled ? 'enabled' : 'disabled'} />
        </p>
        <p className="provider-facts">
          <span>{t(`kind.${kind}`)}</span>
          <span>{placeOf(settings)}</span>
          <span>{t('identities', { count: identities })}</span>
        </p>
      </div>
      {mayChange && (
        <RowActions
          name={name}
          actions={[
            { key: 'edit', label: admin('action.edit'), run: onOpen },
            { key: 'remove', label: admin('action.delete'), danger: true, run: () => void remove() },
          ]}
        />
      )}
    </li>
  );
}
