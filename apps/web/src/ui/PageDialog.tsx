import type { ReactNode } from 'react';
import { Dialog } from './Dialog.tsx';
import './pageDialog.css';

interface PageDialogProps {
  title: string;
  testId: string;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog with the margins and the frame of the forms of pages. */
export function PageDialog(props: PageDialogProps) {
  return (
    <div className="page-dialog">
      <Dialog {...props} />
    </div>
  );
}
