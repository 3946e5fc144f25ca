import { LIMITS, LOCALES, type Locale } from '@rmeet/contract';
import { Input, Select } from 'antd';
import type { ReactNode } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { FormField } from '../FormField.tsx';
import type { AccountDraft } from './account.ts';
import type { FieldErrors } from './useForm.ts';
import './texts.ts';
import './form.css';

interface AccountFieldsProps {
  draft: AccountDraft;
  errors: FieldErrors<AccountDraft>;
  onChange: (part: Partial<AccountDraft>) => void;
  /** The account name can only be chosen at creation. */
  isNew: boolean;
  /** Placed between the contacts and the language. */
  children?: ReactNode;
}

/** The fields shared by users and operators. */
// oxlint-disable-next-line max-lines-per-function -- plain JSX
export function AccountFields({ draft, errors, onChange, isNew, children }: AccountFieldsProps) {
  const t = useTexts('admin');
  const common = useTexts('common');
  return (
    <>
      <div className="admin-form-row">
        <FormField
          label={t('account.account')}
          required={isNew}
          error={errors.account}
          hint={isNew ? t('account.accountHint') : t('account.accountFixed')}
        >
          {(control) => (
            <Input
              {...control}
              value={draft.account}
              maxLength={64}
              disabled={!isNew}
              autoFocus={isNew}
              autoComplete="off"
              spellCheck={false}
              data-testid="field-account"
              onChange={({ target }) => onChange({ account: target.value })}
            />
          )}
        </FormField>
        <FormField label={t('account.name')} required error={errors.name}>
          {(control) => (
            <Input
              {...control}
              value={draft.name}
              maxLength={LIMITS.displayName}
              autoFocus={!isNew}
              autoComplete="off"
              data-testid="field-name"
              onChange={({ target }) => onChange({ name: target.value })}
            />
          )}
        </FormField>
      </div>
      <div className="admin-form-row">
        <FormField label={t('account.phoneNumber')} error={errors.phoneNumber}>
          {(control) => (
            <Input
              {...control}
              type="tel"
              value={draft.phoneNumber}
              maxLength={40}
              autoComplete="off"
              data-testid="field-phone"
              onChange={({ target }) => onChange({ phoneNumber: target.value })}
            />
          )}
        </FormField>
        <FormField label={t('account.email')} error={errors.email}>
          {(control) => (
            <Input
              {...control}
              type="email"
              value={draft.email}
              maxLength={254}
              autoComplete="off"
              data-testid="field-email"
              onChange={({ target }) => onChange({ email: target.value })}
            />
          )}
        </FormField>
      </div>
      {children}
      <FormField label={t('account.locale')} hint={t('account.localeHint')}>
        {(control) => (
          <Select<Locale>
            {...control}
            value={draft.locale}
            options={LOCALES.map((locale) => ({ value: locale, label: common(`language.${locale}`) }))}
            data-testid="field-locale"
            onChange={(locale) => onChange({ locale })}
          />
        )}
      </FormField>
    </>
  );
}
