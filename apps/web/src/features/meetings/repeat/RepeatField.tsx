import { LIMITS } from '@rmeet/contract';
import { Checkbox, DatePicker, InputNumber, Select } from 'antd';
import dayjs from 'dayjs';
import { useId } from 'react';
import { useLanguage, useTexts } from '../../../lib/i18n/index.ts';
import { dayOf } from '../../../lib/rooms/index.ts';
import { FormField } from '../../../ui/FormField.tsx';
import type { Draft } from '../draft.ts';
import { FREQUENCIES, newRepeat, nthOf, REPEAT_CHOICES, weekdayOf, type Repeat, type RepeatChoice } from './rule.ts';
import { inWeek, nthKey, weekdayName } from './words.ts';

interface RepeatFieldProps {
  draft: Pick<Draft, 'repeat' | 'startTime' | 'timeZone'>;
  onChange: (repeat: Repeat | null) => void;
}

const ONCE = 'none';

/** Whether a meeting recurs, in the plain words of a list. */
export function RepeatField({ draft: { repeat, startTime, timeZone }, onChange }: RepeatFieldProps) {
  const t = useTexts('meetings');
  const language = useLanguage();
  const words = startWords(startTime, timeZone);
  const named = words && { day: words.day, weekday: weekdayName(words.weekday, language), nth: t(`repeat.nth.${words.nth}`), date: words.dateIn(language) };
  const label = (choice: RepeatChoice) => (named ? t(`repeat.choice.${choice}`, named) : t(`repeat.bare.${choice}`));
  return (
    <FormField label={t('repeat.title')}>
      {(control) => (
        <Select<RepeatChoice | typeof ONCE>
          {...control}
          value={repeat?.choice ?? ONCE}
          options={[{ value: ONCE, label: t('repeat.none') }, ...REPEAT_CHOICES.map((choice) => ({ value: choice, label: label(choice) }))]}
          // Every choice is in sight at once.
          listHeight={400}
          popupMatchSelectWidth={false}
          data-testid="meeting-repeat"
          onChange={(choice) => onChange(choice === ONCE ? null : { ...(repeat ?? newRepeat(choice)), choice, except: [] })}
        />
      )}
    </FormField>
  );
}

function startWords(startTime: string | null, timeZone: string) {
  if (startTime === null) return null;
  const day = dayOf(Date.parse(startTime), timeZone);
  const at = Date.parse(`${day}T00:00:00Z`);
  return {
    day: Number(day.slice(8)),
    weekday: weekdayOf(day),
    nth: nthKey(nthOf(day)),
    dateIn: (language: string) => new Intl.DateTimeFormat(language, { month: 'long', day: 'numeric', timeZone: 'UTC' }).format(at),
  };
}

interface RepeatOptionsProps extends RepeatFieldProps {
  error: string | undefined;
}

/** How long it goes on, and of a custom one how often it is. */
export function RepeatOptions({ draft, error, onChange }: RepeatOptionsProps) {
  const t = useTexts('meetings');
  const id = useId();
  const { repeat, startTime, timeZone } = draft;
  if (!repeat) return null;
  const change = (part: Partial<Repeat>) => onChange({ ...repeat, except: [], ...part });
  const wrong = error === undefined ? {} : { 'aria-invalid': true, status: 'error' as const };
  return (
    <>
      {repeat.choice === 'custom' && <CustomFields repeat={repeat} startTime={startTime} timeZone={timeZone} onChange={change} />}
      <div className="repeat-end">
        <Select<Repeat['end']>
          value={repeat.end}
          aria-label={t('repeat.end')}
          options={(['count', 'until'] as const).map((end) => ({ value: end, label: t(`repeat.ends.${end}`) }))}
          data-testid="repeat-end"
          onChange={(end) => change({ end })}
        />
        {repeat.end === 'count' ? (
          <InputNumber<number>
            value={repeat.count}
            min={0}
            precision={0}
            suffix={t('repeat.timesUnit')}
            aria-label={t('repeat.count')}
            aria-describedby={`${id}-note`}
            {...wrong}
            data-testid="repeat-count"
            onChange={(count) => change({ count })}
          />
        ) : (
          <DatePicker
            value={repeat.until === null ? null : dayjs(repeat.until)}
            allowClear={false}
            minDate={startTime === null ? dayjs().startOf('day') : dayjs(dayOf(Date.parse(startTime), timeZone))}
            placeholder={t('repeat.untilPlaceholder')}
            aria-label={t('repeat.lastDay')}
            aria-describedby={`${id}-note`}
            {...wrong}
            data-testid="repeat-until"
            onChange={(day) => change({ until: day === null ? null : day.format('YYYY-MM-DD') })}
          />
        )}
      </div>
      {error !== undefined && (
        <p id={`${id}-note`} className="form-field-error" role="alert">
          {error}
        </p>
      )}
      {error === undefined && <span id={`${id}-note`} className="visually-hidden">{t('repeat.endHint', { max: LIMITS.occurrences })}</span>}
    </>
  );
}

interface CustomFieldsProps {
  repeat: Repeat;
  startTime: string | null;
  timeZone: string;
  onChange: (part: Partial<Repeat>) => void;
}

function CustomFields({ repeat, startTime, timeZone, onChange }: CustomFieldsProps) {
  const t = useTexts('meetings');
  const language = useLanguage();
  const first = startTime === null ? null : weekdayOf(dayOf(Date.parse(startTime), timeZone));
  const chosen = repeat.days.length > 0 || first === null ? repeat.days : [first];
  return (
    <div className="repeat-custom">
      <label className="repeat-every">
        <span>{t('repeat.every')}</span>
        <InputNumber<number>
          value={repeat.interval}
          min={1}
          max={99}
          precision={0}
          data-testid="repeat-interval"
          onChange={(interval) => onChange({ interval })}
        />
      </label>
      <Select
        value={repeat.frequency}
        aria-label={t('repeat.unit')}
        options={FREQUENCIES.map((frequency) => ({ value: frequency, label: t(`repeat.units.${frequency}`) }))}
        data-testid="repeat-frequency"
        onChange={(frequency) => onChange({ frequency })}
      />
      {repeat.frequency === 'WEEKLY' && (
        <Checkbox.Group
          className="repeat-days"
          aria-label={t('repeat.days')}
          options={inWeek([0, 1, 2, 3, 4, 5, 6]).map((day) => ({ value: day, label: weekdayName(day, language, 'short') }))}
          value={[...chosen]}
          onChange={(days) => onChange({ days })}
        />
      )}
      {repeat.frequency === 'MONTHLY' && (
        <Select
          value={repeat.monthlyBy}
          aria-label={t('repeat.monthlyBy')}
          options={(['date', 'weekday'] as const).map((by) => ({ value: by, label: t(`repeat.by.${by}`) }))}
          data-testid="repeat-monthly-by"
          onChange={(monthlyBy) => onChange({ monthlyBy })}
        />
      )}
    </div>
  );
}
