import { useEffect, useId, useRef, type ReactNode } from 'react';
import { PanelHeader } from '../features/conferences/room/PanelHeader.tsx';
import '../features/conferences/room/dialogs.css';

/**
 * A native modal dialog: focus begins at what is marked `data-focus`, else on the way out, stays inside and goes back
 * where it was; Escape closes it.
 */
export function Dialog({
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
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    element?.querySelector<HTMLElement>('[data-focus]')?.focus();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={id}
      data-testid={testId}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className="dialog-body">
        <PanelHeader id={id} title={title} onClose={onClose} />
        {children}
      </div>
    </dialog>
  );
}
