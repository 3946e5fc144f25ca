import { OIDC_CLIENT_AUTH, SSO_KINDS, type SsoKind } from '@rmeet/contract';
import { Input, Select } from 'antd';
import { useTexts } from '../../lib/i18n/index.ts';
import { textInput, type Form } from '../../ui/admin/useForm.ts';
import { FormField } from '../../ui/FormField.tsx';
import { CheckButton } from './CheckButton.tsx';
import { defaultsOf, hasClient, hasPage, needsSecret, type ProviderDraft } from './draft.ts';
import { SamlFields } from './SamlFields.tsx';

interface FieldsProps {
  form: Form<ProviderDraft>;
}

interface ServerFieldsProps extends FieldsProps {
  /** It is added: its kind can be chosen. */
  isNew: boolean;
  hasSecret: boolean;
}

/** What connects this product with the provider. */
export function ServerFields({ form, isNew, hasSecret }: ServerFieldsProps) {
  const t = useTexts('identityProviders');
  const { draft, errors, change } = form;
  const { kind } = draft;
  return (
    <fieldset>
      <legend>{t('form.server')}</legend>
      <FormField label={t('form.kind')} hint={t(`kindHint.${kind}`)}>
        {(control) => (
          <Select<SsoKind>
            {...control}
            value={kind}
            disabled={!isNew}
            options={SSO_KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
            data-testid="field-kind"
            onChange={(chosen) => change(defaultsOf(chosen))}
          />
        )}
      </FormField>
      <FormField label={t('form.name')} required error={errors.name} hint={t('form.nameHint')}>
        {(control) => <Input {...control} {...textInput(form, 'name', 60, 'field-name')} autoFocus />}
      </FormField>
      {kind === 'SAML' && <SamlFields form={form} />}
      {(kind === 'OIDC' || kind === 'CAS') && <AddressField form={form} />}
      {hasClient(kind) && <ClientFields form={form} />}
      {needsSecret(draft) && <SecretField form={form} hasSecret={hasSecret} />}
      {hasPage(kind) && (
        <>
          <AddressField form={form} />
          <FormField label={t('form.page')} required error={errors.page}>
            {(control) => <Input {...control} {...textInput(form, 'page', 500, 'field-page')} spellCheck={false} />}
          </FormField>
        </>
      )}
      {kind !== 'SAML' && <CheckButton draft={draft} />}
    </fieldset>
  );
}

/** The address that this server calls. */
function AddressField({ form }: FieldsProps) {
  const t = useTexts('identityProviders');
  const { kind } = form.draft;
  return (
    <FormField label={t(`address.${kind}`)} required error={form.errors.issuer} hint={t(`addressHint.${kind}`)}>
      {(control) => (
        <Input
          {...control}
          {...textInput(form, 'issuer', 500, 'field-issuer')}
          spellCheck={false}
          placeholder={kind === 'CAS' ? 'https://cas.example.org/cas' : 'https://id.example.org'}
        />
      )}
    </FormField>
  );
}

/** The application there. */
function ClientFields({ form }: FieldsProps) {
  const t = useTexts('identityProviders');
  const { draft, errors, change } = form;
  const { kind } = draft;
  return (
    <>
      <div className="admin-form-row">
        <FormField label={t(`client.${kind}`)} required error={errors.clientId}>
          {(control) => (
            <Input {...control} {...textInput(form, 'clientId', 300, 'field-client-id')} spellCheck={false} />
          )}
        </FormField>
        <OrganisationField form={form} />
        {kind === 'OIDC' && (
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
        )}
      </div>
      {kind === 'OIDC' && (
        <FormField label={t('form.scopes')} error={errors.scopes} hint={t('form.scopesHint')}>
          {(control) => <Input {...control} {...textInput(form, 'scopes', 300, 'field-scopes')} spellCheck={false} />}
        </FormField>
      )}
    </>
  );
}

/** Which organisation, or which application of it. */
function OrganisationField({ form }: FieldsProps) {
  const t = useTexts('identityProviders');
  const { draft, errors } = form;
  switch (draft.kind) {
    case 'WECOM':
      return (
        <FormField label={t('form.agentId')} required error={errors.agentId}>
          {(control) => <Input {...control} {...textInput(form, 'agentId', 30, 'field-agent-id')} />}
        </FormField>
      );
    case 'DINGTALK':
      return (
        <FormField label={t('form.corpId')} required error={errors.corpId} hint={t('form.corpIdHint')}>
          {(control) => <Input {...control} {...textInput(form, 'corpId', 100, 'field-corp-id')} spellCheck={false} />}
        </FormField>
      );
    case 'FEISHU':
      return (
        <FormField label={t('form.tenantKey')} error={errors.tenantKey} hint={t('form.tenantKeyHint')}>
          {(control) => (
            <Input {...control} {...textInput(form, 'tenantKey', 100, 'field-tenant-key')} spellCheck={false} />
          )}
        </FormField>
      );
    default:
      return null;
  }
}

function SecretField({ form, hasSecret }: FieldsProps & { hasSecret: boolean }) {
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
