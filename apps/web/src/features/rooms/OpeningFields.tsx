import { Checkbox, Radio, Select } from 'antd';
import { useId } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { FormField } from '../../ui/FormField.tsx';
import { clockTimes, inOrder, type RoomDraft } from './draft.ts';
import { WEEK } from './format.ts';
import type { RoomSectionProps } from './RoomFields.tsx';

/** When a room may be booked: at any time, or on certain days between two times. */
export function OpeningFields({ draft, errors, onChange }: RoomSectionProps) {
  const t = useTexts('rooms');
  const id = useId();
  const time = (field: 'from' | 'until') => (
    <FormField label={t(`form.${field}`)} required error={errors[field]}>
      {(control) => (
        <Select
          {...control}
          value={draft[field]}
          options={clockTimes(draft[field]).map((value) => ({ value, label: value }))}
          showSearch={{ optionFilterProp: 'label' }}
          data-testid={`room-${field}`}
          // An error of the end time may disappear when the start changes.
          onChange={(value: string) =>
            onChange(field === 'from' ? { from: value, until: draft.until } : { until: value })
          }
        />
      )}
    </FormField>
  );
  return (
    <fieldset>
      <legend id={`${id}-opening`}>{t('column.opening')}</legend>
      <p className="admin-form-hint">{t('form.openingHint')}</p>
      <Radio.Group
        aria-labelledby={`${id}-opening`}
        value={draft.always}
        options={[
          { value: true, label: t('opening.always') },
          { value: false, label: t('opening.some') },
        ]}
        data-testid="room-always"
        onChange={({ target }) => onChange({ always: target.value === true })}
      />
      {!draft.always && (
        <>
          <DaysField days={draft.days} error={errors.days} onChange={(days) => onChange({ days })} />
          <div className="admin-form-row">
            {time('from')}
            {time('until')}
          </div>
        </>
      )}
    </fieldset>
  );
}

interface DaysFieldProps {
  days: RoomDraft['days'];
  error: string | undefined;
  onChange: (days: RoomDraft['days']) => void;
}

/** The days of the week on which a room may be booked. */
function DaysField({ days, error, onChange }: DaysFieldProps) {
  const t = useTexts('rooms');
  const id = useId();
  return (
    <div
      className="form-field"
      role="group"
      aria-labelledby={`${id}-days`}
      aria-describedby={error === undefined ? undefined : `${id}-days-note`}
    >
      <span id={`${id}-days`} className="room-choices-label">
        {t('form.days')}
      </span>
      <div className="room-days">
        {WEEK.map((day) => (
          <Checkbox
            key={day}
            checked={days.includes(day)}
            aria-invalid={error === undefined ? undefined : true}
            data-testid={`room-day-${day}`}
            onChange={({ target }) =>
              onChange(inOrder(WEEK, target.checked ? [...days, day] : days.filter((other) => other !== day)))
            }
          >
            {t(`day.${day}`)}
          </Checkbox>
        ))}
      </div>
      {error !== undefined && (
        <p id={`${id}-days-note`} className="form-field-error" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
