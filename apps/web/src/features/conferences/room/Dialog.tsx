import { useEffect, useId, useRef, type ReactNode } from 'react';
import { Icon } from '../icons.tsx';
import { useT } from '../texts.ts';
import './dialogs.css';

/** A native modal dialog: focus stays inside and goes back where it was; Escape closes it. */
export function Dialog({ title, testId, onClose, children }: { title: string; testId: string; onClose: () => void; children: ReactNode }) {
  const t = useT();
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
        <header className="panel-header">
          <h2 id={id}>{title}</h2>
          <button type="button" className="icon-button" aria-label={t('close')} onClick={onClose}>
            <Icon name="close" size={20} />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
