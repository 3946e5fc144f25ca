import type { Tenant } from '@rmeet/contract';
import { ApiError, api } from '../../lib/api/index.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { toast } from '../../lib/notify.ts';
import { FormDrawer } from '../../ui/admin/FormDrawer.tsx';
import { secondFactorFaults } from '../../ui/admin/secondFactor/draft.ts';
import { useForm } from '../../ui/admin/useForm.ts';
import { useDescribe } from './describe.ts';
import { draftOf, faultsOf, ownBody, platformBody, type TenantDraft } from './draft.ts';
import { OWN_FIELDS, PLATFORM_FIELDS } from './fields.ts';
import { OwnSections } from './OwnSections.tsx';
import { FeatureSection, NameField, QuotaSection } from './PlatformSections.tsx';
import { findTenant, useRefreshTenants } from './queries.ts';

interface TenantDrawerProps {
  tenant: Tenant;
  open: boolean;
  onClose: () => void;
}

/** Changes all settings of a tenant. */
export function TenantDrawer({ tenant, open, onClose }: TenantDrawerProps) {
  const t = useTexts('tenants');
  const admin = useTexts('admin');
  const factor = useTexts('secondFactor');
  const describe = useDescribe();
  const refresh = useRefreshTenants();
  const form = useForm<TenantDraft, Tenant>({
    initial: draftOf(tenant),
    version: tenant.version,
    keepAs: `tenant:${tenant.id}`,
    unkept: ['logo'],
    check: (draft) => ({ ...faultsOf(draft, t, admin), ...secondFactorFaults(draft, factor) }),
    send: (draft, version) =>
      api.tenants.update({ body: { ...platformBody(draft), ...ownBody(draft), id: tenant.id, version } }),
    fieldOf: { ...PLATFORM_FIELDS, ...OWN_FIELDS },
    newest: async () => {
      const now = await findTenant(tenant.id);
      if (!now) throw new ApiError(406, 'NOT_FOUND', () => t('gone'));
      return { draft: draftOf(now), version: now.version };
    },
    onSaved: () => {
      void refresh();
      toast('success', () => admin('saved'));
      onClose();
    },
  });
  const { draft, errors, change } = form;
  const section = { draft, errors, onChange: change };
  return (
    <FormDrawer
      title={t('form.titleEdit', { name: tenant.name })}
      open={open}
      onClose={onClose}
      form={form}
      describe={describe}
      testId="tenant-drawer"
    >
      <fieldset>
        <legend>{t('form.general')}</legend>
        <NameField {...section} />
      </fieldset>
      <QuotaSection {...section} usage={tenant.usage} />
      <FeatureSection {...section} />
      <OwnSections {...section} />
    </FormDrawer>
  );
}
