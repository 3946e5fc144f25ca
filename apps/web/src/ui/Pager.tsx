import { useTexts } from '../lib/i18n/index.ts';
import { Button } from './Button.tsx';
import { Select } from './Select.tsx';
import './pager.css';

interface PagerProps {
  /** Starts at 1. */
  current: number;
  size: number;
  sizes: readonly number[];
  total: number;
  /** The total as text, which may be "more than". */
  totalText: string;
  onChange: (change: { current: number } | { size: number }) => void;
}

/** The current page of a long list, and buttons for the others. */
export function Pager({ current, size, sizes, total, totalText, onChange }: PagerProps) {
  const t = useTexts('common');
  const last = Math.max(1, Math.ceil(total / size));
  return (
    <nav className="pager" aria-label={t('pager.label')}>
      <span className="pager-total" aria-live="polite">
        {totalText}
      </span>
      <Button
        disabled={current <= 1}
        aria-label={t('pager.previous')}
        data-testid="page-previous"
        onClick={() => onChange({ current: current - 1 })}
      >
        {'‹'}
      </Button>
      <span>{t('pager.page', { current, last })}</span>
      <Button
        disabled={current >= last}
        aria-label={t('pager.next')}
        data-testid="page-next"
        onClick={() => onChange({ current: current + 1 })}
      >
        {'›'}
      </Button>
      <Select
        label={t('pager.sizeLabel')}
        value={String(size)}
        options={sizes.map((count) => ({ value: String(count), label: t('pager.size', { size: count }) }))}
        onChange={(value) => onChange({ size: Number(value) })}
        data-testid="page-size"
      />
    </nav>
  );
}
