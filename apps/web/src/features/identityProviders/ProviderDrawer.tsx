import type { IdentityProvider } from '@rmeet/contract';
import { api, ApiError } from '../../lib/api/index.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { toast } from '../../lib/notify.ts';
import type { Describe } from '../../ui/admin/ConflictNotice.tsx';
import { FormDrawer } from '../../ui/admin/FormDrawer.tsx';
import { NumberField } from '../../ui/admin/NumberField.tsx';
import { SwitchField } from '../../ui/admin/SwitchField.tsx';
import { useForm } from '../../ui/admin/useForm.ts';
import { AddressList, type Addresses } from './AddressList.tsx';
import { ClaimFields } from './ClaimFields.tsx';
import {
  canLogOut,
  draftOf,
  newProvider,
  providerBody,
  providerFaults,
  saysNothingOfMail,
  type ProviderDraft,
} from './draft.ts';
import { findProvider, useRefreshProviders } from './queries.ts';
import { RuleFields } from './RuleFields.tsx';
import { ServerFields } from './ServerFields.tsx';

interface ProviderDrawerProps {
  /** Null for a new one. */
  provider: IdentityProvider | null;
  addresses: Addresses;
  open: boolean;
  onClose: () => void;
}

/** Adds an identity provider, or changes one. */
export function ProviderDrawer({ provider, addresses, open, onClose }: ProviderDrawerProps) {
  const t = useTexts('identityProviders');
  const form = useProviderForm({ provider, addresses, open, onClose });
  const describe = useDescribe();
  const { draft, errors, change } = form;
  return (
    <FormDrawer
      title={provider ? t('form.titleEdit', { name: provider.name }) : t('form.titleNew')}
      open={open}
      onClose={onClose}
      form={form}
      describe={describe}
      {...(provider ? {} : { submitText: t('form.submitNew') })}
      testId="provider-drawer"
    >
      <ServerFields form={form} isNew={provider === null} hasSecret={provider?.hasSecret ?? false} />
      <AddressList kind={draft.kind} addresses={addresses} providerId={provider?.id} />
      <RuleFields {...form} />
      <ClaimFields {...form} />
      <div className="admin-form-row">
        <NumberField
          label={t('form.sort')}
          value={draft.sort}
          error={errors.sort}
          hint={t('form.sortHint')}
          testId="field-sort"
          onChange={(sort) => change({ sort })}
        />
      </div>
      {saysNothingOfMail(draft.kind) && (
        <SwitchField
          label={t('form.trustsMail')}
          hint={t('form.trustsMailHint')}
          checked={draft.trustsMail}
          testId="provider-trusts-mail"
          onChange={(trustsMail) => change({ trustsMail })}
        />
      )}
      {canLogOut(draft.kind) && (
        <SwitchField
          label={t('form.logout')}
          hint={t('form.logoutHint')}
          checked={draft.logout}
          testId="provider-logout"
          onChange={(logout) => change({ logout })}
        />
      )}
      <SwitchField
        label={t('form.enabled')}
        hint={t('form.enabledHint')}
        checked={draft.enabled}
        testId="provider-enabled"
        onChange={(enabled) => change({ enabled })}
      />
    </FormDrawer>
  );
}

/** The form of a provider. */
function useProviderForm({ provider, addresses, onClose }: ProviderDrawerProps) {
  const t = useTexts('identityProviders');
  const admin = useTexts('admin');
  const refresh = useRefreshProviders();
  return useForm<ProviderDraft, IdentityProvider>({
    initial: provider ? draftOf(provider) : newProvider(addresses.records.length),
    version: provider?.version ?? 0,
    keepAs: `provider:${provider?.id ?? 'new'}`,
    unkept: ['secret'],
    check: (draft) => providerFaults(draft, provider?.hasSecret ?? false, t, admin),
    send: (draft, version) =>
      provider
        ? api.identityProviders.update({ params: { id: provider.id }, body: { ...providerBody(draft), version } })
        : api.identityProviders.create({ body: providerBody(draft) }),
    fieldOf: {
      NAME_TAKEN: 'name',
      SSO_ADDRESS_REFUSED: 'issuer',
      SSO_SECRET_REQUIRED: 'secret',
      ROLE_UNKNOWN: 'roles',
      SSO_METADATA_INVALID: 'certificates',
      'settings.issuer': 'issuer',
      'settings.server': 'issuer',
      'settings.api': 'issuer',
      'settings.page': 'page',
      'settings.clientId': 'clientId',
      'settings.scopes': 'scopes',
      'settings.agentId': 'agentId',
      'settings.corpId': 'corpId',
      'settings.tenantKey': 'tenantKey',
      'settings.entityId': 'entityId',
      'settings.signInUrl': 'signInUrl',
      'settings.logoutUrl': 'logoutUrl',
      'settings.certificates': 'certificates',
      'rules.domains': 'domains',
      'rules.roles': 'roles',
    },
    newest: async () => {
      const now = provider && (await findProvider(provider.id));
      if (!now) throw new ApiError(406, 'NOT_FOUND', () => t('gone'));
      return { draft: draftOf(now), version: now.version };
    },
    onSaved: () => {
      void refresh();
      toast('success', () => (provider ? admin('saved') : t('form.created')));
      onClose();
    },
  });
}

/** The label and value of a field, for the notice of a conflict. */
function useDescribe(): Describe<ProviderDraft> {
  const t = useTexts('identityProviders');
  const admin = useTexts('admin');
  return (field, of) => {
    const value = of[field];
    const words =
      typeof value === 'boolean'
        ? admin(value ? 'yes' : 'no')
        : Array.isArray(value)
          ? value.map((one) => (typeof one === 'string' ? one : one.value)).join(', ')
          : typeof value === 'object' && value !== null
            ? Object.values(value).join(', ')
            : String(value ?? '');
    const label = field === 'issuer' ? t(`address.${of.kind}`) : t(`form.${field}`);
    return { label, value: field === 'secret' ? '' : words };
  };
}
