import { MEETING_SCOPES } from '@rmeet/contract';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { Icon } from '../../ui/icons.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Select } from '../../ui/Select.tsx';
import { SORT_KEYS, type ListState, type Order, type SortKey } from './useListState.ts';

/** Milliseconds without a key before the search runs. */
const SEARCH_DELAY = 300;

interface ListFiltersProps {
  state: ListState;
  onState: (change: Partial<ListState>) => void;
}

/** Which meetings are shown; on phones also in which order, since cards have no column heads. */
export function ListFilters({ state, onState }: ListFiltersProps) {
  const t = useTexts('meetings');
  const columns = { startTime: t('column.startTime'), subject: t('column.name'), duration: t('column.duration'), numericId: t('column.number') };
  const orders = { ASC: t('ascending'), DESC: t('descending') };
  return (
    <div className="meeting-filters">
      <div className="meeting-scopes" role="group" aria-label={t('scopes')}>
        {MEETING_SCOPES.map((scope) => (
          <button key={scope} type="button" aria-pressed={scope === state.scope} data-testid={`scope-${scope}`} onClick={() => onState({ scope })}>
            {t(`scope.${scope}`)}
          </button>
        ))}
      </div>
      <SearchField keyword={state.keyword} onSearch={(keyword) => onState({ keyword })} />
      <div className="meeting-sort">
        <Select
          label={t('sort')}
          value={`${state.sort} ${state.order}`}
          options={SORT_KEYS.flatMap((key) => (['ASC', 'DESC'] as const).map((order) => ({ value: `${key} ${order}`, label: `${columns[key]} · ${orders[order]}` })))}
          onChange={(value) => {
            const [sort, order] = value.split(' ') as [SortKey, Order];
            onState({ sort, order });
          }}
        />
      </div>
    </div>
  );
}

function SearchField({ keyword, onSearch }: { keyword: string; onSearch: (keyword: string) => void }) {
  const t = useTexts('meetings');
  const [typed, setTyped] = useState(keyword);
  const [shown, setShown] = useState(keyword);
  // The address was changed from elsewhere, as by the browser's back button.
  if (shown !== keyword) {
    setShown(keyword);
    if (keyword !== typed.trim()) setTyped(keyword);
  }

  const search = useEffectEvent(onSearch);
  useEffect(() => {
    const wanted = typed.trim();
    if (wanted === keyword) return undefined;
    const timer = setTimeout(() => search(wanted), SEARCH_DELAY);
    return () => clearTimeout(timer);
  }, [typed, keyword]);

  return (
    <div className="meeting-search" role="search">
      <Icon name="search" />
      <input
        type="search"
        value={typed}
        maxLength={100}
        placeholder={t('search')}
        aria-label={t('search')}
        data-testid="meeting-search"
        onChange={(event) => setTyped(event.target.value)}
      />
      {typed !== '' && <IconButton icon="close" label={t('searchClear')} onClick={() => setTyped('')} />}
    </div>
  );
}
