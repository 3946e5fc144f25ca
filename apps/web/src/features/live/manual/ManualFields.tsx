import { LIMITS } from '@rmeet/contract';
import { Input, InputNumber } from 'antd';
import { session } from '../../../lib/browser.ts';
import { ownZone } from '../../../lib/rooms/index.ts';
import { SwitchField } from '../../../ui/admin/SwitchField.tsx';
import { SettingFields } from '../../../ui/broadcast/SettingFields.tsx';
import { FormField } from '../../../ui/FormField.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { StartFields } from '../../../ui/StartFields.tsx';
import { useT } from './texts.ts';
import type { ManualForm } from './useManualForm.ts';

interface ManualFieldsProps {
  form: ManualForm;
  isNew: boolean;
}

/** In minutes. */
const STEP = 15;

/** The fields of a broadcast of an outside stream. */
export function ManualFields({ form, isNew }: ManualFieldsProps) {
  const t = useT();
  const { draft, errors, change } = form;
  return (
    <>
      <FormField label={t('form.subject')} required error={errors.subject}>
        {(control) => (
          <Input
            {...control}
            value={draft.subject}
            maxLength={LIMITS.subject}
            autoFocus
            autoComplete="off"
            data-testid="manual-subject"
            onChange={({ target }) => change({ subject: target.value })}
          />
        )}
      </FormField>
      <Times form={form} />
      <Source form={form} />
      <SwitchField
        label={t('form.startsItself')}
        hint={t(draft.startsItself ? 'form.startsItselfHint' : 'form.startsByHand')}
        checked={draft.startsItself}
        testId="manual-starts-itself"
        onChange={(startsItself) => change({ startsItself })}
      />
      {isNew ? (
        <SettingFields
          value={draft.live}
          hostId={session.user?.id}
          hasPassword={false}
          isOutside
          error={errors.live}
          onChange={(part) => change({ live: { ...draft.live, ...part } })}
        />
      ) : (
        <p className="form-field-hint">{t('form.settingsElsewhere')}</p>
      )}
    </>
  );
}

function Times({ form: { draft, errors, change } }: Pick<ManualFieldsProps, 'form'>) {
  const t = useT();
  return (
    <>
      <StartFields
        startTime={draft.startTime}
        timeZone={ownZone()}
        labels={{ date: t('form.date'), time: t('form.time') }}
        error={errors.startTime}
        onChange={(startTime) => change({ startTime })}
      />
      <FormField label={t('form.duration')} required error={errors.duration} hint={t('form.durationHint')}>
        {(control) => (
          <InputNumber
            {...control}
            className="manual-duration"
            value={draft.duration}
            min={0}
            step={STEP}
            precision={0}
            suffix={t('form.minutes')}
            data-testid="manual-duration"
            onChange={(duration) => change({ duration })}
          />
        )}
      </FormField>
    </>
  );
}

/** Where the pictures come from. */
function Source({ form: { draft, errors, change } }: Pick<ManualFieldsProps, 'form'>) {
  const t = useT();
  return (
    <div className="manual-source">
      <span aria-hidden="true">{t('form.source')}</span>
      <Segments
        label={t('form.source')}
        values={['push', 'play']}
        chosen={draft.source}
        textOf={(source) => t(`source.${source}`)}
        onChoose={(source) => change({ source })}
        testId="manual-source"
      />
      <p className="form-field-hint">{t(`form.hint.${draft.source}`)}</p>
      {draft.source === 'play' && (
        <FormField label={t('form.playAddress')} required error={errors.playAddress} hint={t('form.playAddressHint')}>
          {(control) => (
            <Input
              {...control}
              value={draft.playAddress}
              maxLength={1_000}
              autoComplete="off"
              spellCheck={false}
              data-testid="manual-play-address"
              onChange={({ target }) => change({ playAddress: target.value })}
            />
          )}
        </FormField>
      )}
    </div>
  );
}
