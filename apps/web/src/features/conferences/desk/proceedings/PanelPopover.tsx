import type { ReactNode } from 'react';
import { IconButton } from '../../../../ui/IconButton.tsx';
import { Popover } from '../../../../ui/Popover.tsx';
import type { PanelProps } from '../context.ts';
import { useT } from '../texts.tsx';

/** A popover with a title and form fields. */
export function PanelPopover({
  title,
  anchor,
  onClose,
  testId,
  children,
}: PanelProps & { title: string; testId: string; children: ReactNode }) {
  const t = useT();
  return (
    <Popover form wide label={title} anchor={anchor} onClose={onClose} testId={testId}>
      <div className="desk-panel">
        <h3>{title}</h3>
        {children}
        {/* After the fields, so that the focus starts at the first of them. */}
        <IconButton className="desk-panel-close" icon="close" label={t('close')} onClick={onClose} />
      </div>
    </Popover>
  );
}
