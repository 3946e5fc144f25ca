import { useEffect, useEffectEvent, useId, useRef, type ReactNode } from 'react';
import { PanelHeader } from './PanelHeader.tsx';
import './panels.css';

/** The column beside the pictures; on a phone it covers them. */
export function Panel({
  title,
  testId,
  onClose,
  children,
}: {
  title: string;
  testId: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const id = useId();
  const returnTo = useRef<Element | null>(null);
  useEffect(() => {
    returnTo.current = document.activeElement;
    return () => {
      // The focus inside the panel would be lost when it closes.
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
      <PanelHeader id={id} title={title} onClose={onClose} />
      {children}
    </aside>
  );
}
