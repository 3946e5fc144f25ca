import type { Tenant } from '@rmeet/contract';
import { api } from '../../lib/api/index.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { toast } from '../../lib/notify.ts';
import { AdminPage } from '../../ui/admin/AdminPage.tsx';
import { ConflictNotice } from '../../ui/admin/ConflictNotice.tsx';
import { secondFactorFaults } from '../../ui/admin/secondFactor/draft.ts';
import { useForm } from '../../ui/admin/useForm.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { ApprovalRulesForm } from './ApprovalRulesForm.tsx';
import { useDescribe } from './describe.ts';
import { faultsOf, ownBody, ownDraftOf, type OwnDraft } from './draft.ts';
import { OWN_FIELDS } from './fields.ts';
import { OwnSections } from './OwnSections.tsx';
import { useOwnTenant, useRefreshTenants } from './queries.ts';
import './texts.ts';
import './tenants.css';

/** The settings of the caller's own tenant. */
export function TenantSettingsPage() {
  const t = useTexts('tenants');
  const own = useOwnTenant();
  const content = () => {
    if (own.data) return <SettingsForm tenant={own.data} />;
    return own.isPending ? <Loading /> : <ErrorState retry={() => void own.refetch()} />;
  };
  return (
    <AdminPage title={t('settings.title')}>
      {content()}
      {own.data && <ApprovalRulesForm />}
    </AdminPage>
  );
}

function SettingsForm({ tenant }: { tenant: Tenant }) {
  const t = useTexts('tenants');
  const admin = useTexts('admin');
  const common = useTexts('common');
  const factor = useTexts('secondFactor');
  const describe = useDescribe();
  const refresh = useRefreshTenants();
  const form = useForm<OwnDraft, Tenant>({
    initial: ownDraftOf(tenant),
    version: tenant.version,
    keepAs: `tenant:${tenant.id}`,
    keepOnLeaving: true,
    unkept: ['logo'],
    check: (typed) => ({ ...faultsOf(typed, t, admin), ...secondFactorFaults(typed, factor) }),
    send: (typed, version) => api.tenants.updateOwn({ body: { ...ownBody(typed), version } }),
    fieldOf: OWN_FIELDS,
    newest: async () => {
      const now = await api.tenants.own();
      return { draft: ownDraftOf(now), version: now.version };
    },
    onSaved: (saved) => {
      void refresh();
      toast('success', () => admin('saved'));
      form.reset(ownDraftOf(saved), saved.version);
    },
  });
  const { root, draft, errors, change, conflict, isDirty, isSaving, submit, undo } = form;
  return (
    <form ref={root} className="admin-form tenant-settings" noValidate onSubmit={(event) => event.preventDefault()}>
      {conflict && <ConflictNotice conflict={conflict} describe={describe} />}
      <dl className="tenant-settings-name">
        <dt>{t('settings.name')}</dt>
        <dd>{tenant.name}</dd>
      </dl>
      <OwnSections draft={draft} errors={errors} onChange={change} />
      <div className="tenant-settings-buttons">
        <Button disabled={!isDirty} data-testid="settings-undo" onClick={undo}>
          {t('settings.undo')}
        </Button>
        <Button
          kind="primary"
          busy={isSaving}
          data-testid="settings-save"
          onClick={() => {
            if (isDirty) submit();
            else toast('success', () => t('settings.unchanged'));
          }}
        >
          {common('save')}
        </Button>
      </div>
    </form>
  );
}
