import type { ButtonHTMLAttributes } from 'react';
import './button.css';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: 'primary' | 'plain' | 'danger' | 'quiet';
  /** Full width and taller: the one button of a page. */
  large?: boolean;
  /** At work: says so to everybody and cannot be pressed again. */
  busy?: boolean;
  'data-testid'?: string;
}

/** A button in the product's look without antd, for pages that must be light and for the shell. */
export function Button({ kind = 'plain', large = false, busy = false, className = '', disabled, children, ...rest }: ButtonProps) {
  const classes = ['button', `button-${kind}`, large ? 'button-large' : '', busy ? 'button-busy' : '', className];
  return (
    <button type="button" className={classes.filter(Boolean).join(' ')} aria-busy={busy} disabled={disabled === true || busy} {...rest}>
      {children}
    </button>
  );
}
