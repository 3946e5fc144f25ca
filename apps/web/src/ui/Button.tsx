import type { ButtonHTMLAttributes } from 'react';
import './button.css';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: 'primary' | 'plain' | 'danger' | 'quiet';
  /** Full width and taller: the main button of a page. */
  large?: boolean;
  /**
   * Busy: announced to assistive technology, and further presses do nothing. The button keeps the focus, which a
   * disabled button would lose.
   */
  busy?: boolean;
  'data-testid'?: string;
}

/** A button in the product's style without antd, for the shell and for pages that must load fast. */
export function Button({
  kind = 'plain',
  large = false,
  busy = false,
  className = '',
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const classes = ['button', `button-${kind}`, large ? 'button-large' : '', busy ? 'button-busy' : '', className];
  return (
    <button
      type="button"
      className={classes.filter(Boolean).join(' ')}
      aria-busy={busy}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        // Also prevents submitting the form by Enter in a field.
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
      {...rest}
    >
      {children}
    </button>
  );
}
