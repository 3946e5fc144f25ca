import type { ButtonHTMLAttributes } from 'react';
import { Icon, type IconName } from './icons.tsx';
import './iconButton.css';

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  icon: IconName;
  /** The accessible name, and the tooltip unless `title` is a shorter one. */
  label: string;
  danger?: boolean;
  'data-testid'?: string;
}

export function IconButton({ icon, label, danger = false, className = '', ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      className={`icon-button ${danger ? 'icon-button-danger' : ''} ${className}`}
      title={label}
      {...rest}
      aria-label={label}
    >
      <Icon name={icon} />
    </button>
  );
}
