import { useId, type InputHTMLAttributes, type ReactNode, type Ref } from 'react';
import './textField.css';

interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  /** The error of the input; announced, and connected to it. */
  error?: string | undefined;
  hint?: string | undefined;
  /** Inside the input's border, after the text. */
  suffix?: ReactNode;
  ref?: Ref<HTMLInputElement>;
  'data-testid'?: string;
}

/** A labelled input in the product's style without antd. */
export function TextField({ label, error, hint, suffix, className = '', ...input }: TextFieldProps) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className={`text-field ${className}`}>
      <label htmlFor={id}>{label}</label>
      <div className="text-field-box" data-invalid={error !== undefined}>
        <input
          id={id}
          aria-invalid={error !== undefined}
          aria-describedby={note === undefined ? undefined : `${id}-note`}
          {...input}
        />
        {suffix}
      </div>
      {note !== undefined && (
        <p id={`${id}-note`} className={error === undefined ? 'text-field-hint' : 'text-field-error'}>
          {note}
        </p>
      )}
    </div>
  );
}
