import { BROADCAST_SCOPES } from '@rmeet/contract';
import { ListToolbar } from '../../../ui/admin/ListToolbar.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { Select } from '../../../ui/Select.tsx';
import { useT } from '../texts.ts';
import { listShape, type LiveListState } from './listShape.ts';

interface BroadcastFiltersProps {
  state: LiveListState;
  onState: (change: Partial<LiveListState>) => void;
  isPhone: boolean;
  /** What the search covers. */
  search: string;
}

/** Scope, search and, on a phone, the order of a list of broadcasts. */
export function BroadcastFilters({ state, onState, isPhone, search }: BroadcastFiltersProps) {
  const t = useT();
  return (
    <>
      <Segments
        label={t('scopes')}
        values={BROADCAST_SCOPES}
        chosen={state.scope}
        textOf={(scope) => t(`scope.${scope}`)}
        onChoose={(scope) => onState({ scope })}
        testId="scope"
        className="broadcast-scopes"
      />
      <ListToolbar keyword={state.keyword} onSearch={(keyword) => onState({ keyword })} placeholder={search}>
        {/* A phone has no column headings to sort by. */}
        {isPhone && <Sorting state={state} onState={onState} />}
      </ListToolbar>
    </>
  );
}

function Sorting({ state, onState }: Pick<BroadcastFiltersProps, 'state' | 'onState'>) {
  const t = useT();
  return (
    <Select
      label={t('sort')}
      value={`${state.sort} ${state.order}`}
      options={listShape.sorts.flatMap((sort) =>
        (['DESC', 'ASC'] as const).map((order) => ({ value: `${sort} ${order}`, label: t(`sortBy.${sort}.${order}`) })),
      )}
      onChange={(value) => {
        const [sort, order] = value.split(' ') as [LiveListState['sort'], LiveListState['order']];
        onState({ sort, order });
      }}
      data-testid="sort"
    />
  );
}
