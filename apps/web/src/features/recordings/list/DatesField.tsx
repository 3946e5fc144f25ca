import { DatePicker } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { useT } from '../texts.ts';
import { DAY, type Range } from './ranges.ts';

const dayOf = (text: string): Dayjs | null => (text === '' ? null : dayjs(text));

/** Any two days, or one of them. Loaded when it is wanted: the picker weighs 32 KB. */
export function DatesField({ from, to, onChange }: Range & { onChange: (range: Range) => void }) {
  const t = useT();
  return (
    <DatePicker.RangePicker
      size="medium"
      aria-label={t('range')}
      value={[dayOf(from), dayOf(to)]}
      allowEmpty={[true, true]}
      maxDate={dayjs()}
      placeholder={[t('from'), t('to')]}
      data-testid="recordings-range"
      onChange={(days) => onChange({ from: days?.[0]?.format(DAY) ?? '', to: days?.[1]?.format(DAY) ?? '' })}
    />
  );
}
