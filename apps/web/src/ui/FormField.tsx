import { useId, type ReactNode } from 'react';
import './formField.css';

/** Props that connect a control to its label and note. */
export interface ControlProps {
  id: string;
  'aria-describedby'?: string;
  'aria-invalid'?: true;
  'aria-required'?: true;
  status?: 'error';
}

interface FormFieldProps {
  label: string;
  required?: boolean;
  error?: string | undefined;
  hint?: string | undefined;
  children: (control: ControlProps) => ReactNode;
}

/** A labelled antd control with its hint, or with its error. */
export function FormField({ label, required = false, error, hint, children }: FormFieldProps) {
  const id = useId();
  const note = error ?? hint;
  const control: ControlProps = {
    id,
    ...(note === undefined ? {} : { 'aria-describedby': `${id}-note` }),
    ...(required ? { 'aria-required': true } : {}),
    ...(error === undefined ? {} : { 'aria-invalid': true, status: 'error' }),
  };
  return (
    <div className="form-field">
      <label htmlFor={id}>
        {label}
        {required && (
          <span className="form-field-required" aria-hidden="true">
            {' *'}
          </span>
        )}
      </label>
      {children(control)}
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
  );
}
