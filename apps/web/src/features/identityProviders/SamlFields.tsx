import { useMutation } from '@tanstack/react-query';
import { Input } from 'antd';
import { useState } from 'react';
import { api, sentenceOf } from '../../lib/api/index.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { textInput, type Form } from '../../ui/admin/useForm.ts';
import { Button } from '../../ui/Button.tsx';
import { FormField } from '../../ui/FormField.tsx';
import { samlDraft, type ProviderDraft } from './draft.ts';

/** The metadata of a SAML provider: read from its address or file, and what was read, which can be changed. */
export function SamlFields({ form }: { form: Form<ProviderDraft> }) {
  const t = useTexts('identityProviders');
  const { draft, errors, change } = form;
  return (
    <>
      <MetadataReader onRead={change} />
      <FormField label={t('form.entityId')} required error={errors.entityId}>
        {(control) => (
          <Input {...control} {...textInput(form, 'entityId', 1_024, 'field-entity-id')} spellCheck={false} />
        )}
      </FormField>
      <FormField label={t('form.signInUrl')} required error={errors.signInUrl}>
        {(control) => (
          <Input {...control} {...textInput(form, 'signInUrl', 500, 'field-sign-in-url')} spellCheck={false} />
        )}
      </FormField>
      <FormField label={t('form.logoutUrl')} error={errors.logoutUrl} hint={t('form.logoutUrlHint')}>
        {(control) => (
          <Input {...control} {...textInput(form, 'logoutUrl', 500, 'field-logout-url')} spellCheck={false} />
        )}
      </FormField>
      <FormField label={t('form.certificates')} required error={errors.certificates} hint={t('form.certificatesHint')}>
        {(control) => (
          <Input.TextArea
            {...control}
            className="provider-certificates"
            value={draft.certificates}
            rows={4}
            spellCheck={false}
            data-testid="field-certificates"
            onChange={({ target }) => change({ certificates: target.value })}
          />
        )}
      </FormField>
    </>
  );
}

/** Takes an address, or the XML itself. */
function MetadataReader({ onRead }: { onRead: (read: Partial<ProviderDraft>) => void }) {
  const t = useTexts('identityProviders');
  const [source, setSource] = useState('');
  const read = useMutation({
    meta: { quiet: true },
    mutationFn: (text: string) =>
      api.identityProviders.readSamlMetadata({ body: text.startsWith('<') ? { xml: text } : { url: text } }),
    onSuccess: (found) => onRead(samlDraft(found)),
  });
  const said = (): string => {
    if (read.isError) return sentenceOf(read.error) ?? t('check.failed');
    return read.isSuccess ? t('metadata.read') : '';
  };
  return (
    <FormField label={t('metadata.label')} hint={t('metadata.hint')}>
      {(control) => (
        <div className="provider-check">
          <Input.TextArea
            {...control}
            value={source}
            autoSize={{ minRows: 1, maxRows: 6 }}
            spellCheck={false}
            placeholder="https://id.example.org/metadata"
            data-testid="field-metadata"
            onChange={({ target }) => setSource(target.value)}
          />
          <Button
            busy={read.isPending}
            disabled={source.trim() === ''}
            data-testid="metadata-read"
            onClick={() => read.mutate(source.trim())}
          >
            {t('metadata.button')}
          </Button>
          <p role="status" data-fault={read.isError} data-testid="metadata-said">
            {said()}
          </p>
        </div>
      )}
    </FormField>
  );
}
