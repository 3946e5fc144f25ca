import { LIMITS, RULE_SCOPES, type Meeting, type RuleScope } from '@rmeet/contract';
import { Checkbox, DatePicker, InputNumber, Radio, Select } from 'antd';
import dayjs from 'dayjs';
import { useId } from 'react';
import { useLanguage, useTexts } from '../../../lib/i18n/index.ts';
import { dayOf } from '../../../lib/rooms/index.ts';
import { FormField } from '../../../ui/FormField.tsx';
import type { Draft } from '../booking/draft.ts';
import {
  FREQUENCIES,
  newRepeat,
  nthOf,
  REPEAT_CHOICES,
  repeatOf,
  weekdayOf,
  type Repeat,
  type RepeatChoice,
} from './rule.ts';
import { useLeft } from './useLeft.ts';
import { inWeek, nthKey, weekdayName } from './words.ts';

interface RepeatFieldProps {
  /** The edited meeting; null for a new one. */
  meeting: Meeting | null;
  draft: Pick<Draft, 'repeat' | 'startTime' | 'timeZone'>;
  error: string | undefined;
  onChange: (repeat: Repeat | null) => void;
}

/** Does not recur, or a meeting of a series keeps its rule. */
const AS_IT_IS = 'none';

/**
 * Whether a meeting recurs, as a list of simple choices. A meeting of a series keeps its rule until another is chosen,
 * which starts from the existing rule.
 */
export function RepeatField({ meeting, draft: { repeat, startTime, timeZone }, error, onChange }: RepeatFieldProps) {
  const t = useTexts('meetings');
  const language = useLanguage();
  const words = startParts(startTime, timeZone);
  const named = words && {
    day: words.day,
    weekday: weekdayName(words.weekday, language),
    nth: t(`repeat.nth.${words.nth}`),
    date: words.dateIn(language),
  };
  const label = (choice: RepeatChoice) => (named ? t(`repeat.choice.${choice}`, named) : t(`repeat.bare.${choice}`));
  const series = meeting?.series ?? null;
  const left = useLeft(meeting);
  const chosen = (choice: RepeatChoice): Repeat => {
    if (repeat || !meeting || !series) return repeat ?? newRepeat(choice);
    const now = repeatOf(series.rule, series.recurrenceId, meeting.timeZone);
    // The remaining number: the rule itself counts from the series' first meeting.
    return { ...now, count: left?.[now.scope] ?? now.count };
  };
  return (
    // If options are shown, they show the error.
    <FormField label={t('repeat.title')} error={repeat ? undefined : error}>
      {(control) => (
        <Select<RepeatChoice | typeof AS_IT_IS>
          {...control}
          value={repeat?.choice ?? AS_IT_IS}
          options={[
            { value: AS_IT_IS, label: t(series ? 'repeat.keep' : 'repeat.none') },
            ...REPEAT_CHOICES.map((choice) => ({ value: choice, label: label(choice) })),
          ]}
          // All choices are visible without scrolling.
          listHeight={400}
          popupMatchSelectWidth={false}
          // A new rule starts from the remaining number of the current rule.
          loading={left === null}
          disabled={left === null}
          data-testid="meeting-repeat"
          onChange={(choice) => onChange(choice === AS_IT_IS ? null : { ...chosen(choice), choice, except: [] })}
        />
      )}
    </FormField>
  );
}

function startParts(startTime: string | null, timeZone: string) {
  if (startTime === null) return null;
  const day = dayOf(Date.parse(startTime), timeZone);
  const at = Date.parse(`${day}T00:00:00Z`);
  return {
    day: Number(day.slice(8)),
    weekday: weekdayOf(day),
    nth: nthKey(nthOf(day)),
    dateIn: (language: string) =>
      new Intl.DateTimeFormat(language, { month: 'long', day: 'numeric', timeZone: 'UTC' }).format(at),
  };
}

/** The end of the recurrence, the frequency of a custom rule, and for a series the meetings the rule applies to. */
export function RepeatOptions({ meeting, draft, error, onChange }: RepeatFieldProps) {
  const t = useTexts('meetings');
  const id = useId();
  const left = useLeft(meeting) ?? {};
  const { repeat, startTime, timeZone } = draft;
  if (!repeat) return null;
  const change = (part: Partial<Repeat>) => onChange({ ...repeat, except: [], ...part });
  /** An unchanged count is adjusted to the scope. */
  const chooseScope = (scope: RuleScope) =>
    change({
      scope,
      count: repeat.count === (left[repeat.scope] ?? null) ? (left[scope] ?? repeat.count) : repeat.count,
    });
  return (
    <>
      {meeting?.series && (
        <div className="repeat-scope">
          <span id={`${id}-scope`}>{t('repeat.scope')}</span>
          <Radio.Group
            value={repeat.scope}
            aria-labelledby={`${id}-scope`}
            options={RULE_SCOPES.map((scope) => ({
              value: scope,
              label: <span data-testid={`repeat-scope-${scope}`}>{t(`seriesScope.${scope}`)}</span>,
            }))}
            onChange={({ target }) => chooseScope(target.value as RuleScope)}
          />
        </div>
      )}
      {repeat.choice === 'custom' && (
        <CustomFields repeat={repeat} startTime={startTime} timeZone={timeZone} onChange={change} />
      )}
      <EndFields draft={draft} repeat={repeat} noteId={`${id}-note`} invalid={error !== undefined} onChange={change} />
      {error !== undefined && (
        <p id={`${id}-note`} className="form-field-error" role="alert">
          {error}
        </p>
      )}
      {error === undefined && (
        <span id={`${id}-note`} className="visually-hidden">
          {t('repeat.endHint', { max: LIMITS.occurrences })}
        </span>
      )}
    </>
  );
}

interface EndFieldsProps {
  draft: RepeatFieldProps['draft'];
  repeat: Repeat;
  noteId: string;
  invalid: boolean;
  onChange: (part: Partial<Repeat>) => void;
}

/** When the series ends: after a number of meetings or on a day. */
function EndFields({ draft: { startTime, timeZone }, repeat, noteId, invalid, onChange }: EndFieldsProps) {
  const t = useTexts('meetings');
  const wrong = invalid ? { 'aria-invalid': true, status: 'error' as const } : {};
  return (
    <div className="repeat-end">
      <Select<Repeat['end']>
        value={repeat.end}
        aria-label={t('repeat.end')}
        options={(['count', 'until'] as const).map((end) => ({ value: end, label: t(`repeat.ends.${end}`) }))}
        data-testid="repeat-end"
        onChange={(end) => onChange({ end })}
      />
      {repeat.end === 'count' ? (
        <InputNumber<number>
          value={repeat.count}
          min={0}
          precision={0}
          suffix={t('repeat.timesUnit')}
          aria-label={t('repeat.count')}
          aria-describedby={noteId}
          {...wrong}
          data-testid="repeat-count"
          onChange={(count) => onChange({ count })}
        />
      ) : (
        <DatePicker
          value={repeat.until === null ? null : dayjs(repeat.until)}
          allowClear={false}
          minDate={startTime === null ? dayjs().startOf('day') : dayjs(dayOf(Date.parse(startTime), timeZone))}
          placeholder={t('repeat.untilPlaceholder')}
          aria-label={t('repeat.lastDay')}
          aria-describedby={noteId}
          {...wrong}
          data-testid="repeat-until"
          onChange={(day) => onChange({ until: day === null ? null : day.format('YYYY-MM-DD') })}
        />
      )}
    </div>
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
          options={inWeek([0, 1, 2, 3, 4, 5, 6]).map((day) => ({
            value: day,
            label: weekdayName(day, language, 'short'),
          }))}
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
