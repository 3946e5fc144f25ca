import type { ReactNode } from 'react';
import { Dialog } from '../Dialog.tsx';
import './factor.css';

interface FactorDialogProps {
  title: string;
  testId: string;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog about the second factor, in the style of forms. */
export function FactorDialog(props: FactorDialogProps) {
  return (
    <div className="factor-dialog">
      <Dialog {...props} />
    </div>
  );
}
