import { Input, Select } from 'antd';
import { useTexts } from '../../lib/i18n/index.ts';
import { NumberField } from '../../ui/admin/NumberField.tsx';
import { SecondFactorFields } from '../../ui/admin/secondFactor/SecondFactorFields.tsx';
import { FormField } from '../../ui/FormField.tsx';
import { ChatFilesSection } from './ChatFilesSection.tsx';
import { LookSection, type OwnSectionProps } from './LookSection.tsx';
import { RecordingSection } from './RecordingSection.tsx';
import { SignInSection } from './SignInSection.tsx';

/** A tenant's own settings: look, contacts, sign-in, password rules, files in chats, recordings, audit log. */
export function OwnSections(props: OwnSectionProps) {
  return (
    <>
      <LookSection {...props} />
      <ContactSection {...props} />
      <SignInSection {...props} />
      <SecondFactorFields {...props} of="tenant" />
      <PasswordSection {...props} />
      <ChatFilesSection {...props} />
      <RecordingSection {...props} />
      <AuditSection {...props} />
    </>
  );
}

function ContactSection({ draft, errors, onChange }: OwnSectionProps) {
  const t = useTexts('tenants');
  const contacts = [
    { who: t('contacts.meetingAdmin'), name: 'meetingAdminName', phone: 'meetingAdminPhone' },
    { who: t('contacts.serviceDesk'), name: 'serviceDeskName', phone: 'serviceDeskPhone' },
  ] as const;
  return (
    <fieldset>
      <legend>{t('contacts.title')}</legend>
      <p className="admin-form-hint">{t('contacts.hint')}</p>
      {contacts.map(({ who, name, phone }) => (
        <div key={name} className="admin-form-row">
          <FormField label={t('contacts.name', { who })} error={errors[name]}>
            {(control) => (
              <Input
                {...control}
                value={draft[name]}
                maxLength={60}
                autoComplete="off"
                data-testid={name}
                onChange={({ target }) => onChange({ [name]: target.value })}
              />
            )}
          </FormField>
          <FormField label={t('contacts.phone', { who })} error={errors[phone]}>
            {(control) => (
              <Input
                {...control}
                type="tel"
                value={draft[phone]}
                maxLength={40}
                autoComplete="off"
                data-testid={phone}
                onChange={({ target }) => onChange({ [phone]: target.value })}
              />
            )}
          </FormField>
        </div>
      ))}
    </fieldset>
  );
}

const CLASSES = [1, 2, 3, 4];

function PasswordSection({ draft, errors, onChange }: OwnSectionProps) {
  const t = useTexts('tenants');
  return (
    <fieldset>
      <legend>{t('rules.title')}</legend>
      <div className="admin-form-row">
        <NumberField
          label={t('rules.minLength')}
          value={draft.minLength}
          required
          error={errors.minLength}
          hint={t('rules.minLengthHint')}
          testId="rules-length"
          onChange={(minLength) => onChange({ minLength })}
        />
        <FormField label={t('rules.minClasses')} error={errors.minClasses} hint={t('rules.minClassesHint')}>
          {(control) => (
            <Select<number>
              {...control}
              value={draft.minClasses}
              options={CLASSES.map((count) => ({ value: count, label: t('rules.classes', { count }) }))}
              data-testid="rules-classes"
              onChange={(minClasses) => onChange({ minClasses })}
            />
          )}
        </FormField>
        <NumberField
          label={t('rules.history')}
          value={draft.history}
          required
          error={errors.history}
          hint={t('rules.historyHint')}
          unit={t('rules.times')}
          testId="rules-history"
          onChange={(history) => onChange({ history })}
        />
        <NumberField
          label={t('rules.maxAgeDays')}
          value={draft.maxAgeDays}
          error={errors.maxAgeDays}
          hint={t('rules.maxAgeHint')}
          unit={t('rules.days')}
          placeholder={t('rules.never')}
          testId="rules-age"
          onChange={(maxAgeDays) => onChange({ maxAgeDays })}
        />
      </div>
    </fieldset>
  );
}

function AuditSection({ draft, errors, onChange }: OwnSectionProps) {
  const t = useTexts('tenants');
  return (
    <fieldset>
      <legend>{t('audit.title')}</legend>
      <div className="admin-form-row">
        <NumberField
          label={t('audit.months')}
          value={draft.auditMonths}
          required
          error={errors.auditMonths}
          hint={t('audit.hint')}
          unit={t('audit.unit')}
          testId="audit-months"
          onChange={(auditMonths) => onChange({ auditMonths })}
        />
      </div>
    </fieldset>
  );
}
