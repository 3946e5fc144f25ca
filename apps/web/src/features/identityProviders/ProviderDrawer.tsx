import { OIDC_CLIENT_AUTH, type IdentityProvider } from '@rmeet/contract';
import { Input, Select } from 'antd';
import { api, ApiError } from '../../lib/api/index.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { toast } from '../../lib/notify.ts';
import type { Describe } from '../../ui/admin/ConflictNotice.tsx';
import { FormDrawer } from '../../ui/admin/FormDrawer.tsx';
import { NumberField } from '../../ui/admin/NumberField.tsx';
import { SwitchField } from '../../ui/admin/SwitchField.tsx';
import { textInput, useForm, type Form } from '../../ui/admin/useForm.ts';
import { FormField } from '../../ui/FormField.tsx';
import { AddressList, type Addresses } from './AddressList.tsx';
import { CheckButton } from './CheckButton.tsx';
import { ClaimFields } from './ClaimFields.tsx';
import { draftOf, newProvider, providerBody, providerFaults, type ProviderDraft } from './draft.ts';
import { findProvider, useRefreshProviders } from './queries.ts';
import { RuleFields } from './RuleFields.tsx';

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
      <AddressList addresses={addresses} providerId={provider?.id} />
      <ServerFields form={form} hasSecret={provider?.hasSecret ?? false} />
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
      <SwitchField
        label={t('form.logout')}
        hint={t('form.logoutHint')}
        checked={draft.logout}
        testId="provider-logout"
        onChange={(logout) => change({ logout })}
      />
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
      'settings.issuer': 'issuer',
      'settings.clientId': 'clientId',
      'settings.scopes': 'scopes',
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
    return { label: t(`form.${field}`), value: field === 'secret' ? '' : words };
  };
}

function ServerFields({ form, hasSecret }: { form: Form<ProviderDraft>; hasSecret: boolean }) {
  const t = useTexts('identityProviders');
  const { draft, errors, change } = form;
  return (
    <fieldset>
      <legend>{t('form.server')}</legend>
      <FormField label={t('form.name')} required error={errors.name} hint={t('form.nameHint')}>
        {(control) => <Input {...control} {...textInput(form, 'name', 60, 'field-name')} autoFocus />}
      </FormField>
      <FormField label={t('form.issuer')} required error={errors.issuer} hint={t('form.issuerHint')}>
        {(control) => (
          <Input
            {...control}
            {...textInput(form, 'issuer', 500, 'field-issuer')}
            spellCheck={false}
            placeholder="https://id.example.org"
          />
        )}
      </FormField>
      <CheckButton draft={draft} />
      <div className="admin-form-row">
        <FormField label={t('form.clientId')} required error={errors.clientId}>
          {(control) => (
            <Input {...control} {...textInput(form, 'clientId', 300, 'field-client-id')} spellCheck={false} />
          )}
        </FormField>
        <FormField label={t('form.clientAuth')}>
          {(control) => (
            <Select<ProviderDraft['clientAuth']>
              {...control}
              value={draft.clientAuth}
              options={OIDC_CLIENT_AUTH.map((value) => ({ value, label: t(`clientAuth.${value}`) }))}
              data-testid="field-client-auth"
              onChange={(clientAuth) => change({ clientAuth })}
            />
          )}
        </FormField>
      </div>
      {draft.clientAuth !== 'none' && <SecretField form={form} hasSecret={hasSecret} />}
      <FormField label={t('form.scopes')} error={errors.scopes} hint={t('form.scopesHint')}>
        {(control) => <Input {...control} {...textInput(form, 'scopes', 300, 'field-scopes')} spellCheck={false} />}
      </FormField>
    </fieldset>
  );
}

function SecretField({ form, hasSecret }: { form: Form<ProviderDraft>; hasSecret: boolean }) {
  const t = useTexts('identityProviders');
  const { draft, errors, change } = form;
  return (
    <FormField
      label={t('form.secret')}
      required={!hasSecret}
      error={errors.secret}
      hint={t(hasSecret ? 'form.secretKept' : 'form.secretHint')}
    >
      {(control) => (
        <Input.Password
          {...control}
          value={draft.secret}
          maxLength={2_000}
          autoComplete="new-password"
          data-testid="field-secret"
          onChange={({ target }) => change({ secret: target.value })}
        />
      )}
    </FormField>
  );
}
