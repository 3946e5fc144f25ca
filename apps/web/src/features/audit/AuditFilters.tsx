import type { AuditEntry } from '@rmeet/contract';
import { DatePicker, Select } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { useTexts } from '../../lib/i18n/index.ts';
import { ListToolbar } from '../../ui/admin/ListToolbar.tsx';
import { Icon } from '../../ui/icons.tsx';
import type { AuditState } from './filter.ts';
import { useActions } from './queries.ts';
import { useAuditWords } from './words.ts';

interface AuditFiltersProps {
  state: AuditState;
  /** The rows currently listed; they provide the names of the filtered people. */
  records: readonly AuditEntry[];
  onState: (change: Partial<AuditState>) => void;
}

const DAY = 'YYYY-MM-DD';
const dayOf = (text: string): Dayjs | null => (text === '' ? null : dayjs(text));

/** Filters for time, action, actor and target. */
export function AuditFilters({ state, records, onState }: AuditFiltersProps) {
  const t = useTexts('audit');
  const words = useAuditWords();
  const actions = useActions();
  const actor = records.find((entry) => entry.actor.id === state.actor)?.actor;
  const target = records.find((entry) => entry.target.id === state.target)?.target;
  const today = dayjs();
  return (
    <ListToolbar keyword={state.keyword} onSearch={(keyword) => onState({ keyword })} placeholder={t('search')}>
      <DatePicker.RangePicker
        size="medium"
        aria-label={t('range')}
        value={[dayOf(state.from), dayOf(state.to)]}
        allowEmpty={[true, true]}
        maxDate={today}
        placeholder={[t('from'), t('to')]}
        presets={[
          { label: t('ranges.today'), value: [today, today] },
          { label: t('ranges.week'), value: [today.subtract(6, 'day'), today] },
          { label: t('ranges.month'), value: [today.subtract(29, 'day'), today] },
        ]}
        data-testid="audit-range"
        onChange={(days) => onState({ from: days?.[0]?.format(DAY) ?? '', to: days?.[1]?.format(DAY) ?? '' })}
      />
      <Select
        className="audit-action-filter"
        size="medium"
        aria-label={t('filter.action')}
        value={state.action}
        showSearch={{ optionFilterProp: 'label' }}
        options={[
          { value: '', label: t('filter.allActions') },
          ...(actions.data ?? []).map((action) => ({ value: action, label: words.action(action) })),
        ]}
        popupMatchSelectWidth={false}
        data-testid="audit-action-filter"
        onChange={(action: string) => onState({ action })}
      />
      {state.actor !== '' && (
        <Chip
          text={t('filter.actor', { name: actor ? words.actor(actor) : state.actor })}
          onRemove={() => onState({ actor: '' })}
        />
      )}
      {state.target !== '' && (
        <Chip
          text={t('filter.target', { name: target ? words.target(target) : state.target })}
          onRemove={() => onState({ target: '' })}
        />
      )}
    </ListToolbar>
  );
}

function Chip({ text, onRemove }: { text: string; onRemove: () => void }) {
  const t = useTexts('audit');
  return (
    <button
      type="button"
      className="audit-chip"
      aria-label={t('filter.remove', { name: text })}
      data-testid="audit-chip"
      onClick={onRemove}
    >
      <span>{text}</span>
      <Icon name="close" />
    </button>
  );
}
