import { useEffect, useId, useRef, type ReactNode } from 'react';
import { IconButton } from '../../../../ui/IconButton.tsx';
import { useT } from '../texts.tsx';

interface DeskDialogProps {
  title: string;
  testId: string;
  /** As wide as tables need. */
  wide?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** A native modal dialog: focus stays inside and goes back where it was; Escape or a press beside it closes. */
export function DeskDialog({ title, testId, wide = false, onClose, children }: DeskDialogProps) {
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
      className={wide ? 'desk-dialog desk-dialog-wide' : 'desk-dialog'}
      aria-labelledby={id}
      data-testid={testId}
      onClose={onClose}
      onKeyDown={(event) => event.stopPropagation()}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className="desk-dialog-body">
        <header className="desk-dialog-head">
          <h2 id={id}>{title}</h2>
          <IconButton icon="close" label={t('close')} onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  );
}
