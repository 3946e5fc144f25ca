import type { ReactNode } from 'react';
import { Dialog } from '../Dialog.tsx';
import './filesFrame.css';

interface FilesFrameProps {
  title: string;
  testId: string;
  /** Wide enough for lists and documents. */
  wide?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog about files, with the same frame on pages and in the meeting room. */
export function FilesFrame(props: FilesFrameProps) {
  return (
    <div className="files-frame">
      <Dialog {...props} />
    </div>
  );
}
