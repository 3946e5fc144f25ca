import type { Meeting } from '@rmeet/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../../../lib/api/index.ts';
import { useLanguage, useTexts } from '../../../lib/i18n/index.ts';
import { useDebouncedValue } from '../../../ui/useDebouncedValue.ts';
import type { Draft } from '../booking/draft.ts';
import { OutcomeList } from './OutcomeList.tsx';
import { outcomesOf } from './outcome.ts';
import { ruleOf, writeRule, type Repeat } from './rule.ts';
import { ruleWords } from './words.ts';

interface RepeatPreviewProps {
  /** The edited meeting; null for a new one. */
  meeting: Meeting | null;
  draft: Draft;
  onChange: (repeat: Repeat) => void;
}

type Asked = Parameters<typeof api.series.preview>[0]['body'];

/** The preview request of a draft; null if a value is missing. */
function askedOf(
  { repeat, startTime, duration, timeZone, roomIds, participants }: Draft,
  meeting: Meeting | null,
): Asked | null {
  const rule = repeat && startTime !== null ? ruleOf(repeat, startTime, timeZone) : null;
  if (!repeat || !rule || startTime === null || duration === null || duration <= 0) return null;
  return {
    startTime,
    duration,
    timeZone,
    roomIds: [...roomIds],
    recurrence: { rule: writeRule(rule) },
    userIds: participants.flatMap((one) => (one.kind === 'user' ? [one.userId] : [])),
    ...(meeting ? { meetingId: meeting.meetId, scope: repeat.scope } : {}),
  };
}

/** The recurrence as a sentence, and its result for each day; days without a free room can be left out. */
export function RepeatPreview({ meeting, draft, onChange }: RepeatPreviewProps) {
  const t = useTexts('meetings');
  const language = useLanguage();
  const { repeat, startTime, timeZone } = draft;
  const rule = repeat && startTime !== null ? ruleOf(repeat, startTime, timeZone) : null;
  const asked = useDebouncedValue(JSON.stringify(askedOf(draft, meeting)));
  const body = JSON.parse(asked) as Asked | null;
  const preview = useQuery({
    queryKey: ['series-preview', asked],
    queryFn: () => api.series.preview({ body: body ?? { startTime: '', duration: 0, recurrence: { rule: '' } } }),
    enabled: body !== null,
    placeholderData: keepPreviousData,
    // Others may have changed the edited series in the meantime.
    ...(meeting ? { gcTime: 0 } : {}),
    retry: false,
    meta: { quiet: true },
  });
  if (!repeat || !rule || startTime === null) return null;
  const outcomes = preview.isError || !preview.data ? [] : outcomesOf(preview.data, repeat.except);
  return (
    <div className="repeat-preview" data-testid="repeat-preview">
      <p className="repeat-sentence" role="status" data-testid="repeat-sentence">
        {ruleWords(rule, { startTime, timeZone }, language, t)}
      </p>
      {preview.isError && (
        <p className="form-field-error" role="alert">
          {preview.error.message || t('repeat.previewFailed')}
        </p>
      )}
      {outcomes.length > 0 && (
        <OutcomeList
          outcomes={outcomes}
          isChange={meeting !== null}
          repeat={repeat}
          timeZone={timeZone}
          onChange={onChange}
        />
      )}
    </div>
  );
}
