import type { ReactNode } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { Button } from '../Button.tsx';
import './texts.ts';

/**
 * The number of selected rows, their actions (`children`), and a button to clear the selection. Renders nothing without
 * a selection.
 */
export function BulkActions({ count, onClear, children }: { count: number; onClear: () => void; children: ReactNode }) {
  const t = useTexts('admin');
  if (count === 0) return null;
  return (
    <div className="bulk-actions" role="group" aria-label={t('selected', { count })}>
      <strong>{t('selected', { count })}</strong>
      {children}
      <Button kind="quiet" data-testid="bulk-clear" onClick={onClear}>
        {t('clearSelection')}
      </Button>
    </div>
  );
}
