import { useDesk, useView } from '../context.ts';
import type { Grouping, RowGroup } from '../model/listView.ts';
import { useT, type T } from '../texts.tsx';

/** The name of a group, and a checkbox that selects the whole group. */
export function GroupHeading({ group, top, index }: { group: RowGroup; top: number; index: number }) {
  const t = useT();
  const desk = useDesk();
  const grouping = useView(({ list }) => list.grouping);
  const ids = useView(({ selection }) => selection.ids);
  const members = group.rows.map(({ termId }) => termId);
  const all = members.every((termId) => ids.has(termId));
  const title = titleOf(group.key, grouping, t);
  const toggle = () => {
    const next = new Set(ids);
    for (const termId of members) {
      if (all) next.delete(termId);
      else next.add(termId);
    }
    desk.view.set({ selection: { ids: next, anchor: members[0] ?? null } });
  };
  return (
    <div className="desk-group" role="row" aria-rowindex={index} style={{ top }}>
      <span role="gridcell">
        <input type="checkbox" checked={all} aria-label={t('list.selectGroup', { name: title })} onChange={toggle} />
        <strong>{title}</strong>
        <span className="desk-group-count">{group.rows.length}</span>
      </span>
    </div>
  );
}

function titleOf(key: string, grouping: Grouping, t: T): string {
  if (grouping === 'department') return key === '' ? t('list.noDepartment') : key;
  return grouping === 'quality' ? t(`quality.${key as 'good'}`) : t(`role.${key as 'chair'}`);
}
