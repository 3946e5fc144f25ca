import { SSO_ADMISSIONS, SSO_MATCHES } from '@rmeet/contract';
import { Select } from 'antd';
import { useTexts } from '../../lib/i18n/index.ts';
import type { Form } from '../../ui/admin/useForm.ts';
import { FormField } from '../../ui/FormField.tsx';
import type { ProviderDraft } from './draft.ts';

/** Whom the provider signs in. */
export function RuleFields({ draft, errors, change }: Pick<Form<ProviderDraft>, 'draft' | 'errors' | 'change'>) {
  const t = useTexts('identityProviders');
  return (
    <fieldset>
      <legend>{t('form.who')}</legend>
      <FormField label={t('form.match')} hint={t(`matchHint.${draft.match}`)}>
        {(control) => (
          <Select<ProviderDraft['match']>
            {...control}
            value={draft.match}
            options={SSO_MATCHES.map((value) => ({ value, label: t(`match.${value}`) }))}
            data-testid="field-match"
            onChange={(match) => change({ match })}
          />
        )}
      </FormField>
      <FormField label={t('form.admission')} hint={t(`admissionHint.${draft.admission}`)}>
        {(control) => (
          <Select<ProviderDraft['admission']>
            {...control}
            value={draft.admission}
            options={SSO_ADMISSIONS.map((value) => ({ value, label: t(`admission.${value}`) }))}
            data-testid="field-admission"
            onChange={(admission) => change({ admission })}
          />
        )}
      </FormField>
      <FormField label={t('form.domains')} error={errors.domains} hint={t('form.domainsHint')}>
        {(control) => (
          <Select<string[]>
            {...control}
            mode="tags"
            value={[...draft.domains]}
            maxCount={50}
            open={false}
            suffixIcon={null}
            tokenSeparators={[',', ' ', ';', '，']}
            placeholder="example.org"
            data-testid="field-domains"
            onChange={(domains) => change({ domains })}
          />
        )}
      </FormField>
    </fieldset>
  );
}
