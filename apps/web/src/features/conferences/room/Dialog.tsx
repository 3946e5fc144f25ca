import { useEffect, useId, useRef, type ReactNode } from 'react';
import { PanelHeader } from './PanelHeader.tsx';
import './dialogs.css';

/** A native modal dialog: focus stays inside and goes back where it was; Escape closes it. */
export function Dialog({ title, testId, onClose, children }: { title: string; testId: string; onClose: () => void; children: ReactNode }) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
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
