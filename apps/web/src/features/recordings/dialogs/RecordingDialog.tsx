import type { Recording } from '@rmeet/contract';
import type { ReactNode } from 'react';
import { Dialog } from '../../../ui/Dialog.tsx';
import './dialogs.css';

export interface RecordingDialogProps {
  recording: Recording;
  onClose: () => void;
}

interface FrameProps {
  title: string;
  testId: string;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog of recordings. */
export function RecordingDialog({ title, testId, onClose, children }: FrameProps) {
  return (
    <div className="recording-dialog">
      <Dialog title={title} testId={testId} onClose={onClose}>
        {children}
      </Dialog>
    </div>
  );
}
