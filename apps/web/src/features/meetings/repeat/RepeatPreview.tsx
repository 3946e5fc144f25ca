import type { Occurrence } from '@rmeet/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../lib/api/index.ts';
import { useLanguage, useTexts } from '../../../lib/i18n/index.ts';
import { clockOf, dayOf } from '../../../lib/rooms/index.ts';
import { useSettled } from '../../../ui/admin/useSettled.ts';
import { Button } from '../../../ui/Button.tsx';
import type { Draft } from '../draft.ts';
import type { MeetingTexts } from '../format.ts';
import { ruleOf, writeRule, type Repeat } from './rule.ts';
import { dateWords, ruleWords } from './words.ts';

interface RepeatPreviewProps {
  draft: Draft;
  onChange: (repeat: Repeat) => void;
}

/** Meetings shown before all are asked for. */
const FEW = 5;

/** What recurring does, in a sentence, and the meetings that come of it; those that cannot have their rooms can be left out. */
export function RepeatPreview({ draft, onChange }: RepeatPreviewProps) {
  const t = useTexts('meetings');
  const language = useLanguage();
  const { repeat, startTime, duration, timeZone } = draft;
  const rule = repeat && startTime !== null ? ruleOf(repeat, startTime, timeZone) : null;
  const asked = useSettled(
    JSON.stringify(
      rule && startTime !== null && duration !== null && duration > 0
        ? {
            startTime, duration, timeZone, roomIds: draft.roomIds, recurrence: { rule: writeRule(rule) },
            userIds: draft.participants.flatMap((one) => (one.kind === 'user' ? [one.userId] : [])),
          }
        : null,
    ),
  );
  const body = JSON.parse(asked) as Parameters<typeof api.series.preview>[0]['body'] | null;
  const preview = useQuery({
    queryKey: ['series-preview', asked],
    queryFn: () => api.series.preview({ body: body ?? { startTime: '', duration: 0, recurrence: { rule: '' } } }),
    enabled: body !== null,
    placeholderData: keepPreviousData,
    retry: false,
    meta: { quiet: true },
  });
  if (!repeat || !rule || startTime === null) return null;
  const occurrences = preview.isError ? [] : (preview.data?.occurrences ?? []);
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
      {occurrences.length > 0 && <Occurrences occurrences={occurrences} repeat={repeat} timeZone={timeZone} onChange={onChange} />}
    </div>
  );
}

interface OccurrencesProps {
  occurrences: readonly Occurrence[];
  repeat: Repeat;
  timeZone: string;
  onChange: (repeat: Repeat) => void;
}

function Occurrences({ occurrences, repeat, timeZone, onChange }: OccurrencesProps) {
  const t = useTexts('meetings');
  const language = useLanguage();
  const [showsAll, setShowsAll] = useState(false);
  const isOut = ({ startTime }: Occurrence) => repeat.except.includes(startTime);
  const blocked = occurrences.filter(isBlocked);
  const open = blocked.filter((one) => !isOut(one));
  // What cannot be is shown, wherever in the series it is.
  const shown = occurrences.filter((one, at) => showsAll || at < FEW || isBlocked(one) || isOut(one));
  const leaveOut = (starts: readonly string[]) => onChange({ ...repeat, except: [...new Set([...repeat.except, ...starts])] });
  const left = occurrences.length - repeat.except.filter((start) => occurrences.some((one) => one.startTime === start)).length;
  return (
    <>
      {/* As many as the sentence says need not be counted again. */}
      {(repeat.end === 'until' || left < occurrences.length) && (
        <p className="repeat-count">{left === occurrences.length ? t('repeat.total', { count: left }) : t('repeat.totalOf', { left, count: occurrences.length })}</p>
      )}
      {open.length > 0 && (
        <div className="repeat-blocked" role="alert">
          <span>{t('repeat.blocked', { count: open.length })}</span>
          <Button data-testid="repeat-leave-out-all" onClick={() => leaveOut(open.map(({ startTime }) => startTime))}>
            {t('repeat.leaveOutAll')}
          </Button>
        </div>
      )}
      <ul className="repeat-list">
        {shown.map((one) => {
          const start = Date.parse(one.startTime);
          const date = dateWords(dayOf(start, timeZone), language);
          return (
            <li key={one.startTime} data-out={isOut(one)} data-testid="repeat-occurrence">
              <span className="repeat-when">
                {date} {clockOf(start, timeZone)}
              </span>
              <span className="repeat-notes">
                {isOut(one) ? t('repeat.out') : notesOf(one, t).map(({ words, isBad }) => <small key={words} className={isBad ? 'repeat-bad' : 'repeat-note'}>{words}</small>)}
              </span>
              {isOut(one) ? (
                <Button kind="quiet" aria-label={t('repeat.takeInOf', { date })} onClick={() => onChange({ ...repeat, except: repeat.except.filter((out) => out !== one.startTime) })}>
                  {t('repeat.takeIn')}
                </Button>
              ) : (
                <Button kind="quiet" disabled={left < 2} aria-label={t('repeat.leaveOutOf', { date })} data-testid="repeat-leave-out" onClick={() => leaveOut([one.startTime])}>
                  {t('repeat.leaveOut')}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      {shown.length < occurrences.length && (
        <Button kind="quiet" data-testid="repeat-all" onClick={() => setShowsAll(true)}>
          {t('repeat.showAll', { count: occurrences.length })}
        </Button>
      )}
    </>
  );
}

/** Whether a meeting cannot have all its rooms. */
function isBlocked({ roomsTaken, roomsClosed }: Occurrence): boolean {
  return roomsTaken.length > 0 || roomsClosed.length > 0;
}

function notesOf({ roomsTaken, roomsClosed, busyCount }: Occurrence, t: MeetingTexts): { words: string; isBad: boolean }[] {
  return [
    ...roomsTaken.map(({ name, host }) => ({ words: t('repeat.roomTaken', { room: name, host }), isBad: true })),
    ...roomsClosed.map(({ name }) => ({ words: t('repeat.roomClosed', { room: name }), isBad: true })),
    ...(busyCount > 0 ? [{ words: t('repeat.busy', { count: busyCount }), isBad: false }] : []),
  ];
}
