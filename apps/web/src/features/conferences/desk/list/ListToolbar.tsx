import { useState } from 'react';
import { Icon } from '../../../../ui/icons.tsx';
import { Select } from '../../../../ui/Select.tsx';
import { useDesk, useRows, useView } from '../context.ts';
import {
  FILTERS,
  GROUPINGS,
  SORTINGS,
  countsOf,
  type Filter,
  type Grouping,
  type ListView,
  type Sorting,
} from '../model/listView.ts';
import { useT } from '../texts.tsx';

/** Search, filter, sorting and grouping of the terminals. */
export function ListToolbar() {
  const t = useT();
  const desk = useDesk();
  const list = useView((view) => view.list);
  const rows = useRows();
  const counts = countsOf(rows ?? []);
  const [isSorting, setSorting] = useState(false);
  const set = (change: Partial<ListView>) => desk.view.set({ list: { ...list, ...change } });
  return (
    <div
      className={isSorting ? 'desk-toolbar desk-toolbar-all' : 'desk-toolbar'}
      role="search"
      aria-label={t('list.tools')}
    >
      <label className="desk-search">
        <Icon name="search" size={16} />
        <span className="visually-hidden">{t('list.search')}</span>
        <input
          type="search"
          value={list.search}
          maxLength={60}
          placeholder={t('list.search')}
          data-testid="desk-search"
          onChange={(event) => set({ search: event.target.value })}
        />
      </label>
      <Select
        label={t('list.filter')}
        value={list.filter}
        data-testid="desk-filter"
        onChange={(filter) => set({ filter: filter as Filter })}
        options={FILTERS.map((value) => ({
          value,
          label: t('list.counted', { what: t(`filter.${value}`), count: counts[value] }),
        }))}
      />
      <Select
        label={t('list.grouping')}
        value={list.grouping}
        data-testid="desk-grouping"
        onChange={(grouping) => set({ grouping: grouping as Grouping })}
        options={GROUPINGS.map((value) => ({ value, label: t(`grouping.${value}`) }))}
      />
      <Select
        label={t('list.sorting')}
        value={list.sorting}
        data-testid="desk-sorting"
        onChange={(sorting) => set({ sorting: sorting as Sorting })}
        options={SORTINGS.map((value) => ({ value, label: t(`sorting.${value}`) }))}
      />
      <SortingSwitch isOpen={isSorting} onToggle={() => setSorting(!isSorting)} />
      <LayoutSwitch />
    </div>
  );
}

/** On a phone: shows and hides sorting and grouping. */
function SortingSwitch({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) {
  const t = useT();
  return (
    <button
      type="button"
      className="desk-act desk-toolbar-more"
      aria-expanded={isOpen}
      aria-label={t('bar.sorting')}
      title={t('bar.sorting')}
      data-testid="desk-toolbar-more"
      onClick={onToggle}
    >
      <Icon name="sort" size={18} />
    </button>
  );
}

/** Switches between list and wall. */
function LayoutSwitch() {
  const t = useT();
  const desk = useDesk();
  const layout = useView((view) => view.layout);
  return (
    <div className="desk-layouts" role="group" aria-label={t('list.layout')}>
      {(['list', 'wall'] as const).map((value) => (
        <button
          key={value}
          type="button"
          aria-pressed={layout === value}
          title={t(`list.${value}`)}
          aria-label={t(`list.${value}`)}
          data-testid={`desk-layout-${value}`}
          onClick={() => desk.view.set({ layout: value })}
        >
          <Icon name={value === 'list' ? 'list' : 'grid'} size={18} />
        </button>
      ))}
    </div>
  );
}
