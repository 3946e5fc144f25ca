import type { ButtonHTMLAttributes } from 'react';
import './button.css';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: 'primary' | 'plain' | 'danger' | 'quiet';
  /** Full width and taller: the one button of a page. */
  large?: boolean;
  /**
   * At work: says so to everybody and does nothing when pressed again. It keeps the focus, which a disabled button
   * would lose.
   */
  busy?: boolean;
  'data-testid'?: string;
}

/** A button in the product's look without antd, for pages that must be light and for the shell. */
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
        // Also keeps a form from being sent, by Enter in a field too.
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
      {...rest}
    >
      {children}
    </button>
  );
}
