import { useId, type InputHTMLAttributes, type ReactNode, type Ref } from 'react';
import './textField.css';

interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  /** What is wrong with the input; announced, and tied to it. */
  error?: string | undefined;
  hint?: string | undefined;
  /** Sits inside the box, after the text. */
  suffix?: ReactNode;
  ref?: Ref<HTMLInputElement>;
  'data-testid'?: string;
}

/** A labelled input in the product's look without antd. */
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
