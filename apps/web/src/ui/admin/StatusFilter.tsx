import { useTexts } from '../../lib/i18n/index.ts';
import { FilterSelect } from './FilterSelect.tsx';
import type { Status } from './StatusMark.tsx';

interface StatusFilterProps<V extends Status> {
  statuses: readonly V[];
  value: V | '';
  onChange: (status: V | '') => void;
}

/** Filters a list by the status of its rows. */
export function StatusFilter<V extends Status>({ statuses, value, onChange }: StatusFilterProps<V>) {
  const t = useTexts('admin');
  return (
    <FilterSelect
      label={t('status.label')}
      value={value}
      options={
        statuses.map((status: Status) => ({ value: status, label: t(`status.${status}`) })) as {
          value: V;
          label: string;
        }[]
      }
      onChange={onChange}
      testId="filter-status"
    />
  );
}
