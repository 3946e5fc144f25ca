import { MEETING_TYPES } from '@rmeet/contract';
import { DatePicker } from 'antd';
import dayjs from 'dayjs';
import { useTexts } from '../../lib/i18n/index.ts';
import { FilterSelect } from '../../ui/admin/FilterSelect.tsx';
import { Icon } from '../../ui/icons.tsx';
import { DAY, periodOf, type StatisticsState } from './state.ts';

interface FiltersProps {
  state: StatisticsState;
  onState: (change: Partial<StatisticsState>) => void;
}

/** The period, the type of meetings, and the department with the way back to those above it. */
export function Filters({ state, onState }: FiltersProps) {
  const t = useTexts('statistics');
  const { from, to } = periodOf(state);
  const today = dayjs();
  const month = today.subtract(1, 'month');
  return (
    <div className="list-toolbar">
      <DatePicker.RangePicker
        className="statistics-range"
        size="medium"
        aria-label={t('range')}
        allowClear={false}
        value={[dayjs(from), dayjs(to)]}
        presets={[
          { label: t('ranges.month'), value: [today.startOf('month'), today.endOf('month')] },
          { label: t('ranges.lastMonth'), value: [month.startOf('month'), month.endOf('month')] },
          { label: t('ranges.week'), value: [today.subtract(6, 'day'), today] },
          { label: t('ranges.quarter'), value: [today.subtract(89, 'day'), today] },
          { label: t('ranges.year'), value: [today.startOf('year'), today.endOf('year')] },
        ]}
        data-testid="statistics-range"
        onChange={(days) => onState({ from: days?.[0]?.format(DAY) ?? '', to: days?.[1]?.format(DAY) ?? '', unit: '' })}
      />
      <FilterSelect
        label={t('dimension.type')}
        value={state.type}
        options={MEETING_TYPES.map((type) => ({ value: type, label: t(`part.type.${type}`) }))}
        onChange={(type) => onState({ type })}
        testId="statistics-type"
      />
      {state.department !== '' && <DepartmentPath department={state.department} onState={onState} />}
    </div>
  );
}

/** The chosen department; each part of its path leads to the department above. */
function DepartmentPath({ department, onState }: { department: string } & Pick<FiltersProps, 'onState'>) {
  const t = useTexts('statistics');
  const parts = department.split('/');
  return (
    <nav className="statistics-path" aria-label={t('dimension.department')}>
      {parts.map((name, n) => {
        const path = parts.slice(0, n + 1).join('/');
        return path === department ? (
          <span key={path} aria-current="true">
            {name}
          </span>
        ) : (
          <button key={path} type="button" onClick={() => onState({ department: path })}>
            {name}
          </button>
        );
      })}
      <button
        type="button"
        className="statistics-path-end"
        aria-label={t('allDepartments')}
        data-testid="statistics-all-departments"
        onClick={() => onState({ department: '' })}
      >
        <Icon name="close" />
      </button>
    </nav>
  );
}
