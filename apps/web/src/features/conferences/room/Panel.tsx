import { useEffect, useEffectEvent, useId, useRef, type ReactNode } from 'react';
import { Icon } from '../icons.tsx';
import { useT } from '../texts.ts';
import './panels.css';

/** The column beside the pictures; on a phone it covers them. */
export function Panel({ title, testId, onClose, children }: { title: string; testId: string; onClose: () => void; children: ReactNode }) {
  const t = useT();
  const id = useId();
  const returnTo = useRef<Element | null>(null);
  useEffect(() => {
    returnTo.current = document.activeElement;
    return () => {
      // Focus inside the panel would be lost with it.
      if (document.activeElement === document.body && returnTo.current instanceof HTMLElement) returnTo.current.focus();
    };
  }, []);
  const escape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.isComposing && document.querySelector('dialog[open]') === null) onClose();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => escape(event);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
  return (
    <aside className="panel" aria-labelledby={id} data-testid={testId}>
      <header className="panel-header">
        <h2 id={id}>{title}</h2>
        <button type="button" className="icon-button" aria-label={t('close')} onClick={onClose}>
          <Icon name="close" size={20} />
        </button>
      </header>
      {children}
    </aside>
  );
}
