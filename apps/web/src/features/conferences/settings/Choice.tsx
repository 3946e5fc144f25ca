import { useId } from 'react';

interface ChoicesProps<V extends string> {
  label: string;
  value: V;
  options: readonly { value: V; label: string; hint?: string }[];
  testId: string;
  onChange: (value: V) => void;
}

/** One of a few, all visible. */
export function Choices<V extends string>({ label, value, options, testId, onChange }: ChoicesProps<V>) {
  const name = useId();
  return (
    <fieldset className="settings-choices">
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value} className="settings-choice">
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            data-testid={`${testId}-${option.value}`}
            onChange={() => onChange(option.value)}
          />
          <Words label={option.label} hint={option.hint} />
        </label>
      ))}
    </fieldset>
  );
}

interface SwitchProps {
  label: string;
  hint?: string;
  on: boolean;
  testId: string;
  onChange: (on: boolean) => void;
}

export function Switch({ label, hint, on, testId, onChange }: SwitchProps) {
  return (
    <label className="settings-choice">
      <input type="checkbox" checked={on} data-testid={testId} onChange={(event) => onChange(event.target.checked)} />
      <Words label={label} hint={hint} />
    </label>
  );
}

function Words({ label, hint }: { label: string; hint: string | undefined }) {
  return (
    <span>
      {label}
      {hint !== undefined && <small>{hint}</small>}
    </span>
  );
}
