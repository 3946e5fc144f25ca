import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { useTexts } from '../lib/i18n/index.ts';
import { IconButton } from './IconButton.tsx';
import './dialog.css';

interface DialogProps {
  title: string;
  testId: string;
  /** Wide enough for tables. */
  wide?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/**
 * A native modal dialog: the focus starts at the element marked `data-focus`, else at the close button, stays inside
 * and returns afterwards. Escape or a click outside closes it.
 */
export function Dialog({ title, testId, wide = false, onClose, children }: DialogProps) {
  const common = useTexts('common');
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const isShown = useRef(false);
  // The focus returns only if the element is still in the page when it is closed.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    element?.querySelector<HTMLElement>('[data-focus]')?.focus();
    isShown.current = true;
    return () => {
      isShown.current = false;
      element?.close();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={wide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={id}
      data-testid={testId}
      // React closes and shows it again, too, when a part of it waits for its texts; `close` comes a task later.
      onClose={() => {
        if (isShown.current && dialog.current?.open === false) onClose();
      }}
      // The `close` event comes after a task, in which a key may have opened another dialog: this one closes at once.
      onCancel={(event) => {
        if (event.target !== dialog.current) return;
        event.preventDefault();
        onClose();
      }}
      // Shortcuts of the page below are disabled.
      onKeyDown={(event) => event.stopPropagation()}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className="dialog-body">
        <header className="dialog-header">
          <h2 id={id}>{title}</h2>
          <IconButton icon="close" label={common('close')} onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  );
}
