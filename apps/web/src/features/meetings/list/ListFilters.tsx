import { MEETING_SCOPES, MEETING_TYPES, type Meeting } from '@rmeet/contract';
import { useTexts } from '../../../lib/i18n/index.ts';
import { SearchField } from '../../../ui/SearchField.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { Select } from '../../../ui/Select.tsx';
import type { Order } from '../../../lib/listState.ts';
import { SORT_KEYS, type ListState, type SortKey } from './useMeetingListState.ts';

interface ListFiltersProps {
  state: ListState;
  onState: (change: Partial<ListState>) => void;
  /** The types to filter by. */
  types: readonly Meeting['type'][];
}

/** Filters of the list; on phones also the sort order, because cards have no column headings. */
// oxlint-disable-next-line max-lines-per-function -- plain JSX: one flat list of filters
export function ListFilters({ state, onState, types }: ListFiltersProps) {
  const t = useTexts('meetings');
  const columns = {
    startTime: t('column.startTime'),
    subject: t('column.name'),
    duration: t('column.duration'),
    numericId: t('column.number'),
  };
  const orders = { ASC: t('ascending'), DESC: t('descending') };
  return (
    <div className="meeting-filters">
      <Segments
        label={t('scopes')}
        values={MEETING_SCOPES}
        chosen={state.scope}
        textOf={(scope) => t(`scope.${scope}`)}
        onChoose={(scope) => onState({ scope })}
        testId="scope"
      />
      <SearchField
        keyword={state.keyword}
        onSearch={(keyword) => onState({ keyword })}
        placeholder={t('search')}
        testId="meeting-search"
      />
      {types.length > 1 && (
        <Select
          label={t('typeFilter')}
          value={state.type}
          options={[
            { value: '', label: t('typeAny') },
            ...types.map((type) => ({ value: type, label: t(`type.${type}`) })),
          ]}
          onChange={(value) => onState({ type: MEETING_TYPES.find((type) => type === value) ?? '' })}
          data-testid="meeting-type-filter"
        />
      )}
      <div className="meeting-sort">
        <Select
          label={t('sort')}
          value={`${state.sort} ${state.order}`}
          options={SORT_KEYS.flatMap((key) =>
            (['ASC', 'DESC'] as const).map((order) => ({
              value: `${key} ${order}`,
              label: `${columns[key]} · ${orders[order]}`,
            })),
          )}
          onChange={(value) => {
            const [sort, order] = value.split(' ') as [SortKey, Order];
            onState({ sort, order });
          }}
        />
      </div>
    </div>
  );
}
