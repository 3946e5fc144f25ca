import { useTexts } from '../../lib/i18n/index.ts';
import { Select } from '../Select.tsx';
import './texts.ts';

interface FilterSelectProps<V extends string> {
  label: string;
  /** Empty: does not filter. */
  value: V | '';
  options: readonly { value: V; label: string }[];
  onChange: (value: V | '') => void;
  testId: string;
}

/** A filter with a few values, and "all". */
export function FilterSelect<V extends string>({ label, value, options, onChange, testId }: FilterSelectProps<V>) {
  const t = useTexts('admin');
  return (
    <Select
      label={label}
      value={value}
      options={[{ value: '', label: t('filterAll', { name: label }) }, ...options]}
      onChange={(chosen) => onChange(options.find((option) => option.value === chosen)?.value ?? '')}
      data-testid={testId}
    />
  );
}
