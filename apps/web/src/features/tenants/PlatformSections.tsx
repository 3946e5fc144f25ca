import { FEATURE_CODES, permissionDefinition, type Tenant } from '@rmeet/contract';
import { Input } from 'antd';
import { useLanguage, useTexts } from '../../lib/i18n/index.ts';
import { NumberField } from '../../ui/admin/NumberField.tsx';
import { SwitchField } from '../../ui/admin/SwitchField.tsx';
import type { FieldErrors } from '../../ui/admin/useForm.ts';
import { FormField } from '../../ui/FormField.tsx';
import { GIGABYTE, type PlatformDraft } from './draft.ts';

interface SectionProps {
  draft: PlatformDraft;
  errors: FieldErrors<PlatformDraft>;
  onChange: (part: Partial<PlatformDraft>) => void;
}

export function NameField({ draft, errors, onChange }: SectionProps) {
  const t = useTexts('tenants');
  return (
    <FormField label={t('form.name')} required error={errors.name} hint={t('form.nameHint')}>
      {(control) => (
        <Input
          {...control}
          value={draft.name}
          maxLength={100}
          autoFocus
          autoComplete="off"
          data-testid="tenant-name"
          onChange={({ target }) => onChange({ name: target.value })}
        />
      )}
    </FormField>
  );
}

/** The tenant's quotas, and its current usage. */
export function QuotaSection({ draft, errors, onChange, usage }: SectionProps & { usage?: Tenant['usage'] }) {
  const t = useTexts('tenants');
  const used = (count: number | undefined) => (count === undefined ? undefined : t('quota.used', { used: count }));
  const shared = { placeholder: t('unlimited') };
  return (
    <fieldset>
      <legend>{t('quota.title')}</legend>
      <p className="admin-form-hint">{t('quota.hint')}</p>
      <div className="admin-form-row">
        <NumberField
          {...shared}
          label={t('quota.users')}
          value={draft.users}
          error={errors.users}
          hint={used(usage?.users)}
          testId="quota-users"
          onChange={(users) => onChange({ users })}
        />
        <NumberField
          {...shared}
          label={t('quota.terminals')}
          value={draft.terminals}
          error={errors.terminals}
          hint={used(usage?.terminals)}
          testId="quota-terminals"
          onChange={(terminals) => onChange({ terminals })}
        />
        <NumberField
          {...shared}
          label={t('quota.meeting')}
          value={draft.meetingMinutes}
          error={errors.meetingMinutes}
          unit={t('quota.minutes')}
          testId="quota-meeting"
          onChange={(meetingMinutes) => onChange({ meetingMinutes })}
        />
        <NumberField
          {...shared}
          label={t('quota.recording')}
          value={draft.recordingBytes === null ? null : Math.round(draft.recordingBytes / GIGABYTE)}
          error={errors.recordingBytes}
          hint={t('quota.recordingHint')}
          unit={t('quota.gigabytes')}
          testId="quota-recording"
          onChange={(space) => onChange({ recordingBytes: space === null ? null : space * GIGABYTE })}
        />
        <NumberField
          {...shared}
          label={t('quota.meetingFiles')}
          value={draft.meetingFileBytes === null ? null : Math.round(draft.meetingFileBytes / GIGABYTE)}
          error={errors.meetingFileBytes}
          hint={t('quota.meetingFilesHint')}
          unit={t('quota.gigabytes')}
          testId="quota-meeting-files"
          onChange={(space) => onChange({ meetingFileBytes: space === null ? null : space * GIGABYTE })}
        />
      </div>
    </fieldset>
  );
}

/** Those that the product has; what else was denied stays so. */
const OFFERED_FEATURES = FEATURE_CODES.filter((code) => permissionDefinition(code).inUse);

/** Features denied to the tenant. */
export function FeatureSection({ draft, onChange }: SectionProps) {
  const t = useTexts('tenants');
  const language = useLanguage();
  return (
    <fieldset>
      <legend>{t('feature.title')}</legend>
      <p className="admin-form-hint">{t('feature.hint')}</p>
      <div className="tenant-features">
        {OFFERED_FEATURES.map((code) => {
          return (
            <SwitchField
              key={code}
              label={permissionDefinition(code)[language]}
              checked={!draft.deniedFeatures.includes(code)}
              testId={`feature-${code}`}
              onChange={(allowed) => {
                const others = draft.deniedFeatures.filter((one) => one !== code);
                onChange({ deniedFeatures: allowed ? others : [...others, code].sort() });
              }}
            />
          );
        })}
      </div>
    </fieldset>
  );
}
