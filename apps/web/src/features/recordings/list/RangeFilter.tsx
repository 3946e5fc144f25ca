import { lazy, Suspense, useState } from 'react';
import { loadChunk } from '../../../lib/chunks.ts';
import { FilterSelect } from '../../../ui/admin/FilterSelect.tsx';
import { useT } from '../texts.ts';
import { nameOfRange, rangeOf, RANGES, type Range } from './ranges.ts';

const DatesField = lazy(() => loadChunk(async () => ({ default: (await import('./DatesField.tsx')).DatesField })));

/** When a recording began: one of the usual times, or any days. */
export function RangeFilter({ from, to, onChange }: Range & { onChange: (range: Range) => void }) {
  const t = useT();
  // Days are to be chosen, and may not differ from a usual time yet.
  const [isOther, setOther] = useState(false);
  const name = isOther ? 'other' : nameOfRange({ from, to });
  return (
    <>
      <FilterSelect
        label={t('range')}
        value={name}
        options={[...RANGES, 'other' as const].map((value) => ({ value, label: t(`ranges.${value}`) }))}
        onChange={(value) => {
          setOther(value === 'other');
          if (value !== 'other') onChange(value === '' ? { from: '', to: '' } : rangeOf(value));
        }}
        testId="filter-range"
      />
      {name === 'other' && (
        <Suspense fallback={<span className="recordings-dates" aria-busy="true" />}>
          <DatesField from={from} to={to} onChange={onChange} />
        </Suspense>
      )}
    </>
  );
}
