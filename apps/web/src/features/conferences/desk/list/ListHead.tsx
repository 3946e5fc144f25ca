import { useEffect, useRef } from 'react';
import { useDesk } from '../context.ts';
import { useT } from '../texts.tsx';

const COLUMNS = [
  'state',
  'name',
  'department',
  'device',
  'microphone',
  'camera',
  'onAir',
  'role',
  'hand',
  'quality',
  'latency',
  'more',
] as const;

/** The column headings, and the checkbox that selects all rows shown. */
export function ListHead({ shown, selected }: { shown: readonly string[]; selected: ReadonlySet<string> }) {
  const t = useT();
  const desk = useDesk();
  const box = useRef<HTMLInputElement>(null);
  const all = shown.length > 0 && shown.every((termId) => selected.has(termId));
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = selected.size > 0 && !all;
  }, [selected, all]);
  return (
    <div role="rowgroup">
      <div className="desk-head" role="row" aria-rowindex={1}>
        <span className="desk-cell-pick" role="columnheader">
          <input
            ref={box}
            type="checkbox"
            checked={all}
            aria-label={t('list.selectAll')}
            data-testid="desk-select-all"
            onChange={() => desk.view.set({ selection: { ids: new Set(all ? [] : shown), anchor: shown[0] ?? null } })}
          />
        </span>
        {COLUMNS.map((column) => (
          <span key={column} className={`desk-cell-${column}`} role="columnheader">
            {t(`column.${column}`)}
          </span>
        ))}
      </div>
    </div>
  );
}
