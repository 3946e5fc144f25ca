import { Switch } from 'antd';
import { useId, type ReactNode } from 'react';
import '../formField.css';
import './form.css';

interface SwitchFieldProps {
  label: ReactNode;
  hint?: string | undefined;
  error?: string | undefined;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
  testId?: string;
}

/** A switch with its label and hint, or with its error. */
export function SwitchField({ label, hint, error, checked, disabled = false, onChange, testId }: SwitchFieldProps) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className="switch-field">
      <div>
        <label htmlFor={id}>{label}</label>
        {note !== undefined && (
          <p
            id={`${id}-note`}
            className={error === undefined ? 'form-field-hint' : 'form-field-error'}
            role={error === undefined ? undefined : 'alert'}
          >
            {note}
          </p>
        )}
      </div>
      <Switch
        id={id}
        checked={checked}
        disabled={disabled}
        onChange={onChange}
        data-testid={testId}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        aria-invalid={error === undefined ? undefined : true}
      />
    </div>
  );
}
