import { useId } from 'react';
import { useTexts } from '../../../lib/i18n/index.ts';
import type { BookableType } from '../types.ts';

interface TypeSwitchProps {
  types: readonly BookableType[];
  value: BookableType;
  onChange: (type: BookableType) => void;
}

/** The kind of meeting to book. Typed values stay when it changes. */
export function TypeSwitch({ types, value, onChange }: TypeSwitchProps) {
  const t = useTexts('meetings');
  const name = useId();
  return (
    <fieldset className="booking-types">
      <legend className="visually-hidden">{t('column.type')}</legend>
      <div className="booking-types-row">
        {types.map((type) => (
          <label key={type} data-testid={`type-${type}`}>
            <input
              type="radio"
              className="visually-hidden"
              name={name}
              checked={type === value}
              aria-describedby={`${name}-hint`}
              onChange={() => onChange(type)}
            />
            <span>{t(`type.${type}`)}</span>
          </label>
        ))}
      </div>
      <p id={`${name}-hint`} className="form-field-hint">
        {t(`typeHint.${value}`)}
      </p>
    </fieldset>
  );
}
