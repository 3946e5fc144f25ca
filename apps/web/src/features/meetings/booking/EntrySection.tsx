import { CONFERENCE_TEMPLATES } from '@rmeet/conference';
import { LIMITS } from '@rmeet/contract';
import { Input, Select } from 'antd';
import { useLanguage, useTexts } from '../../../lib/i18n/index.ts';
import { SwitchField } from '../../../ui/admin/SwitchField.tsx';
import { Button } from '../../../ui/Button.tsx';
import { FormField } from '../../../ui/FormField.tsx';
import { entryOf, isEncryptable, isRecordable, newPassword } from './draft.ts';
import { templateName } from '../format.ts';
import { useMayRecord } from '../queries.ts';
import type { FieldsProps } from './fields.ts';
import { Section } from './Section.tsx';

const STANDARD = entryOf('standard');
const SWITCHES = [
  { field: 'waitingRoom', testId: 'meeting-waiting-room' },
  { field: 'joinBeforeHost', testId: 'meeting-join-before-host' },
  { field: 'muteOnEntry', testId: 'meeting-mute-on-entry' },
] as const;

/** The conference template, and how participants enter. */
export function EntrySection({ draft, errors, onChange }: FieldsProps) {
  const t = useTexts('meetings');
  const language = useLanguage();
  const isEncrypted = draft.e2ee && isEncryptable(draft.type);
  const isRecorded = draft.autoRecord && isRecordable(draft.type);
  const isFilled =
    draft.template !== 'standard' ||
    draft.password === '' ||
    isEncrypted ||
    isRecorded ||
    SWITCHES.some(({ field }) => draft[field] !== STANDARD[field]);
  const summary = [
    ...(draft.template === 'standard' ? [] : [templateName(draft.template, language)]),
    ...(draft.password === '' ? [] : [t('entry.withPassword', { password: draft.password })]),
    ...SWITCHES.filter(({ field }) => draft[field]).map(({ field }) => t(`entry.${field}`)),
    ...(isRecorded ? [t('record.auto')] : []),
    ...(isEncrypted ? [t('encryption.title')] : []),
  ].join(' · ');

  return (
    <Section
      title={t('entry.title')}
      summary={summary}
      isFilled={isFilled}
      hasError={errors.password !== undefined || errors.e2ee !== undefined}
      testId="section-entry"
    >
      <FormField label={t('entry.template')} hint={t(`template.${draft.template}`)}>
        {(control) => (
          <Select
            {...control}
            value={draft.template}
            options={CONFERENCE_TEMPLATES.map(({ id }) => ({ value: id, label: templateName(id, language) }))}
            data-testid="meeting-template"
            onChange={(id) => onChange(entryOf(id))}
          />
        )}
      </FormField>
      <FormField label={t('form.password')} error={errors.password} hint={t('form.passwordHint')}>
        {(control) => (
          <div className="booking-password">
            <Input
              {...control}
              value={draft.password}
              maxLength={LIMITS.meetingPassword.max}
              autoComplete="off"
              spellCheck={false}
              data-testid="meeting-password-input"
              onChange={({ target }) => onChange({ password: target.value })}
            />
            <Button onClick={() => onChange({ password: newPassword() })}>{t('form.passwordNew')}</Button>
          </div>
        )}
      </FormField>
      <EntrySwitches draft={draft} errors={errors} onChange={onChange} />
    </Section>
  );
}

/** Who waits, who is muted, whether it is recorded, and who can read what is said. */
function EntrySwitches({ draft, errors, onChange }: Pick<FieldsProps, 'draft' | 'errors' | 'onChange'>) {
  const t = useTexts('meetings');
  const mayRecord = useMayRecord();
  return (
    <>
      {SWITCHES.map(({ field, testId }) => (
        <SwitchField
          key={field}
          label={t(`entry.${field}`)}
          hint={t(`entry.${field}Hint`)}
          checked={draft[field]}
          onChange={(checked) => onChange({ [field]: checked })}
          testId={testId}
        />
      ))}
      {isRecordable(draft.type) && (
        <SwitchField
          label={t('record.auto')}
          hint={t(mayRecord ? 'record.autoHint' : 'record.off')}
          checked={draft.autoRecord}
          disabled={!mayRecord && !draft.autoRecord}
          onChange={(autoRecord) => onChange({ autoRecord })}
          testId="meeting-auto-record"
        />
      )}
      {isEncryptable(draft.type) && (
        <SwitchField
          label={t('encryption.title')}
          hint={t(draft.e2ee ? 'encryption.chosenHint' : 'encryption.hint')}
          error={errors.e2ee}
          checked={draft.e2ee}
          onChange={(e2ee) => onChange({ e2ee })}
          testId="meeting-e2ee"
        />
      )}
    </>
  );
}
