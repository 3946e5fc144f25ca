import { useEffect, useId, useRef, useState } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { Button } from '../Button.tsx';
import { Icon } from '../icons.tsx';
import './texts.ts';

interface ColumnMenuProps {
  choices: readonly { key: string; label: string; shown: boolean }[];
  onToggle: (key: string) => void;
}

/** A button that opens the list of columns, each with a checkbox. Escape and a click outside close it. */
export function ColumnMenu({ choices, onToggle }: ColumnMenuProps) {
  const t = useTexts('admin');
  const id = useId();
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!open) return undefined;
    const closeOutside = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    document.addEventListener('focusin', closeOutside);
    return () => {
      document.removeEventListener('pointerdown', closeOutside);
      document.removeEventListener('focusin', closeOutside);
    };
  }, [open]);

  if (choices.length === 0) return null;
  return (
    <div
      ref={root}
      className="column-menu"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return;
        setOpen(false);
        root.current?.querySelector('button')?.focus();
      }}
    >
      <Button
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        data-testid="columns"
        onClick={() => setOpen(!open)}
      >
        <Icon name="columns" />
        {t('columns')}
      </Button>
      {open && (
        <div id={id} className="column-menu-list" role="group" aria-label={t('columnsHint')}>
          {choices.map(({ key, label, shown }) => (
            <label key={key}>
              <input type="checkbox" checked={shown} data-testid={`column-${key}`} onChange={() => onToggle(key)} />
              {label}
            </label>
          ))}
        </div>
      )}
    </div>
  );
}
