import type { ReactNode } from 'react';
import { Popover } from '../../../../ui/Popover.tsx';

export interface PanelProps {
  anchor: HTMLElement;
  onClose: () => void;
}

/** A popover with a title and form fields. */
export function PanelPopover({
  title,
  anchor,
  onClose,
  testId,
  children,
}: PanelProps & { title: string; testId: string; children: ReactNode }) {
  return (
    <Popover form wide label={title} anchor={anchor} onClose={onClose} testId={testId}>
      <div className="desk-panel">
        <h3>{title}</h3>
        {children}
      </div>
    </Popover>
  );
}
