import { CAMERA_CODECS, RECORDING_STARTERS, RECORDING_VIEWERS } from '@rmeet/contract';
import { Select } from 'antd';
import { useTexts } from '../../lib/i18n/index.ts';
import { NumberField } from '../../ui/admin/NumberField.tsx';
import { SwitchField } from '../../ui/admin/SwitchField.tsx';
import { FormField } from '../../ui/FormField.tsx';
import type { OwnSectionProps } from './LookSection.tsx';

/** Recordings of the tenant's meetings, and the codec of their pictures. */
export function RecordingSection(props: OwnSectionProps) {
  const t = useTexts('tenants');
  const { draft, errors, onChange } = props;
  return (
    <fieldset data-testid="recording-settings">
      <legend>{t('recording.title')}</legend>
      <p className="admin-form-hint">{t('recording.hint')}</p>
      <SwitchField
        label={t('recording.enabled')}
        hint={t('recording.enabledHint')}
        checked={draft.recordings}
        testId="recording-enabled"
        onChange={(recordings) => onChange({ recordings })}
      />
      {/* What is wrong must be seen to be corrected, even if recordings are off. */}
      {(draft.recordings || errors.recordingKeptDays !== undefined) && <RecordingFields {...props} />}
      <div className="admin-form-row">
        <FormField label={t('recording.codec')} hint={t(`recording.codecHint.${draft.codec}`)}>
          {(control) => (
            <Select
              {...control}
              value={draft.codec}
              options={CAMERA_CODECS.map((value) => ({ value, label: t(`recording.codecs.${value}`) }))}
              data-testid="recording-codec"
              onChange={(codec) => onChange({ codec })}
            />
          )}
        </FormField>
      </div>
    </fieldset>
  );
}

const SWITCHES = [
  { field: 'recordingTracks', key: 'tracks' },
  { field: 'recordingDownload', key: 'download' },
  { field: 'recordingWatermark', key: 'watermark' },
] as const;

/** Who starts and watches recordings, what is stored, and for how long. */
function RecordingFields({ draft, errors, onChange }: OwnSectionProps) {
  const t = useTexts('tenants');
  return (
    <>
      <div className="admin-form-row">
        <FormField label={t('recording.startedBy')} hint={t('recording.startedByHint')}>
          {(control) => (
            <Select
              {...control}
              value={draft.recordingStartedBy}
              options={RECORDING_STARTERS.map((value) => ({ value, label: t(`recording.starters.${value}`) }))}
              data-testid="recording-started-by"
              onChange={(recordingStartedBy) => onChange({ recordingStartedBy })}
            />
          )}
        </FormField>
        <FormField label={t('recording.watchedBy')} hint={t('recording.watchedByHint')}>
          {(control) => (
            <Select
              {...control}
              value={draft.recordingWatchedBy}
              options={RECORDING_VIEWERS.map((value) => ({ value, label: t(`recording.viewers.${value}`) }))}
              data-testid="recording-watched-by"
              onChange={(recordingWatchedBy) => onChange({ recordingWatchedBy })}
            />
          )}
        </FormField>
        <NumberField
          label={t('recording.keptDays')}
          value={draft.recordingKeptDays}
          error={errors.recordingKeptDays}
          hint={t('recording.keptDaysHint')}
          unit={t('recording.days')}
          placeholder={t('recording.forever')}
          testId="recording-kept-days"
          onChange={(recordingKeptDays) => onChange({ recordingKeptDays })}
        />
      </div>
      {SWITCHES.map(({ field, key }) => (
        <SwitchField
          key={field}
          label={t(`recording.${key}`)}
          hint={t(`recording.${key}Hint`)}
          checked={draft[field]}
          testId={`recording-${key}`}
          onChange={(checked) => onChange({ [field]: checked })}
        />
      ))}
    </>
  );
}
