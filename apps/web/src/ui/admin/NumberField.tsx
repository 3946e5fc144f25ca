import { InputNumber } from 'antd';
import { FormField } from '../FormField.tsx';
import './form.css';

interface NumberFieldProps {
  label: string;
  value: number | null;
  onChange: (value: number | null) => void;
  error?: string | undefined;
  hint?: string | undefined;
  unit?: string;
  /** Number of decimal places; none if missing. */
  precision?: number;
  /** The meaning of an empty field. */
  placeholder?: string;
  required?: boolean;
  testId: string;
}

/** A labelled number. Its range is checked on submit, so that the value is not corrected during typing. */
export function NumberField({
  label,
  value,
  onChange,
  error,
  hint,
  unit,
  precision = 0,
  placeholder,
  required = false,
  testId,
}: NumberFieldProps) {
  return (
    <FormField label={label} required={required} error={error} hint={hint}>
      {(control) => (
        <InputNumber<number>
          {...control}
          value={value}
          min={0}
          precision={precision}
          suffix={unit}
          placeholder={placeholder}
          data-testid={testId}
          onChange={onChange}
        />
      )}
    </FormField>
  );
}
