import { useState } from 'react';

/** The selected rows of the current page. */
export function useSelection<Row extends { id: string }>(rows: readonly Row[] | undefined) {
  const [ids, setIds] = useState<readonly string[]>([]);
  const selected = (rows ?? []).filter(({ id }) => ids.includes(id));
  return {
    selected,
    /** For the table. */
    selection: { selected: selected.map(({ id }) => id), onSelect: (next: string[]) => setIds(next) },
    clear: () => setIds([]),
  };
}
