import { useState } from 'react';
import { useLanguage, useTexts } from '../../../lib/i18n/index.ts';
import { clockOf, dayOf } from '../../../lib/rooms/index.ts';
import { Button } from '../../../ui/Button.tsx';
import type { MeetingTexts } from '../format.ts';
import { countFates, isBlocked, type Outcome } from './outcome.ts';
import type { Repeat } from './rule.ts';
import { dateWords } from './words.ts';

interface OutcomeListProps {
  outcomes: readonly Outcome[];
  /** The meetings exist already, and the list shows how they change. */
  isChange: boolean;
  repeat: Repeat;
  timeZone: string;
  onChange: (repeat: Repeat) => void;
}

/** Number of meetings shown before the list must be expanded. */
const FEW = 5;

/** The result for each day; single meetings can be left out. */
export function OutcomeList({ outcomes, isChange, repeat, timeZone, onChange }: OutcomeListProps) {
  const t = useTexts('meetings');
  const [showsAll, setShowsAll] = useState(false);
  const open = outcomes.filter(isBlocked);
  const ruled = outcomes.filter(({ occurrence }) => occurrence !== null);
  const left = ruled.filter(({ fate }) => fate !== 'leftOut').length;
  // Conflicts, and days cancelled or changed individually, are always shown, wherever in the series they are.
  const isSpecial = ({ fate, occurrence, detached }: Outcome) =>
    detached ||
    fate === 'leftOut' ||
    fate === 'staysOut' ||
    (occurrence !== null && occurrence.roomsTaken.length + occurrence.roomsClosed.length > 0);
  const shown = outcomes.filter((one, at) => showsAll || at < FEW || isSpecial(one));
  const leaveOut = (starts: readonly string[]) =>
    onChange({ ...repeat, except: [...new Set([...repeat.except, ...starts])] });
  return (
    <>
      {isChange ? (
        <p className="repeat-count" data-testid="repeat-fates">
          {fateWords(outcomes, t)}
        </p>
      ) : (
        // If the sentence already gives this number, it is not repeated.
        (repeat.end === 'until' || left < ruled.length) && (
          <p className="repeat-count">
            {left === ruled.length
              ? t('repeat.total', { count: left })
              : t('repeat.totalOf', { left, count: ruled.length })}
          </p>
        )
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
        {shown.map((one) => (
          <Row
            key={`${one.fate === 'givenUp' ? 'now' : 'then'} ${one.startTime}`}
            one={one}
            isChange={isChange}
            timeZone={timeZone}
            isLast={left < 2}
            onLeaveOut={() => leaveOut([one.startTime])}
            onTakeIn={() => onChange({ ...repeat, except: repeat.except.filter((out) => out !== one.startTime) })}
          />
        ))}
      </ul>
      {shown.length < outcomes.length && (
        <Button kind="quiet" data-testid="repeat-all" onClick={() => setShowsAll(true)}>
          {t('repeat.showAll', { count: outcomes.length })}
        </Button>
      )}
    </>
  );
}

interface RowProps {
  one: Outcome;
  isChange: boolean;
  timeZone: string;
  /** Only one meeting is left, which cannot be left out as well. */
  isLast: boolean;
  onLeaveOut: () => void;
  onTakeIn: () => void;
}

function Row({ one, isChange, timeZone, isLast, onLeaveOut, onTakeIn }: RowProps) {
  const t = useTexts('meetings');
  const language = useLanguage();
  const whenOf = (iso: string) =>
    `${dateWords(dayOf(Date.parse(iso), timeZone), language)} ${clockOf(Date.parse(iso), timeZone)}`;
  const date = dateWords(dayOf(Date.parse(one.startTime), timeZone), language);
  const isOff = one.fate === 'leftOut' || one.fate === 'givenUp' || one.fate === 'staysOut';
  return (
    <li data-out={isOff} data-fate={one.fate} data-testid="repeat-occurrence">
      <span className="repeat-when">{whenOf(one.startTime)}</span>
      <span className="repeat-notes">
        {notesOf(one, { t, isChange, whenOf }).map(({ words, tone }) => (
          <small key={words} className={tone}>
            {words}
          </small>
        ))}
      </span>
      {one.fate === 'leftOut' && (
        <Button kind="quiet" aria-label={t('repeat.takeInOf', { date })} onClick={onTakeIn}>
          {t('repeat.takeIn')}
        </Button>
      )}
      {!isOff && (
        <Button
          kind="quiet"
          disabled={isLast}
          aria-label={t('repeat.leaveOutOf', { date })}
          data-testid="repeat-leave-out"
          onClick={onLeaveOut}
        >
          {t('repeat.leaveOut')}
        </Button>
      )}
    </li>
  );
}

/** `3 new, 2 moved, 1 cancelled`; zero counts are left out. */
function fateWords(outcomes: readonly Outcome[], t: MeetingTexts): string {
  const counts = countFates(outcomes);
  return (['made', 'moved', 'stays', 'givenUp'] as const)
    .filter((fate) => counts[fate] > 0)
    .map((fate) => t(`repeat.fates.${fate}`, { count: counts[fate] }))
    .join(t('repeat.fates.comma'));
}

interface Note {
  words: string;
  tone: 'repeat-bad' | 'repeat-new' | 'repeat-note' | 'repeat-plain';
}

function notesOf(
  { fate, occurrence, detached }: Outcome,
  { t, isChange, whenOf }: { t: MeetingTexts; isChange: boolean; whenOf: (iso: string) => string },
): Note[] {
  const own = (words: string): Note[] => (detached ? [{ words, tone: 'repeat-note' }] : []);
  if (fate === 'staysOut') return [{ words: t('repeat.fate.staysOut'), tone: 'repeat-plain' }];
  if (fate === 'givenUp')
    return [{ words: t('repeat.fate.givenUp'), tone: 'repeat-bad' }, ...own(t('repeat.fate.ownLost'))];
  if (occurrence === null) return [];
  const { meeting, roomsTaken, roomsClosed, busyCount } = occurrence;
  if (fate === 'leftOut')
    return [
      { words: meeting ? t('repeat.fate.leftOut') : t('repeat.out'), tone: meeting ? 'repeat-bad' : 'repeat-plain' },
      ...own(t('repeat.fate.ownLost')),
    ];
  const isElsewhen = meeting !== null && meeting.startTime !== occurrence.startTime;
  return [
    ...(isChange && fate === 'made' ? [{ words: t('repeat.fate.made'), tone: 'repeat-new' as const }] : []),
    ...(meeting && isElsewhen
      ? [{ words: t('repeat.fate.moved', { when: whenOf(meeting.startTime) }), tone: 'repeat-plain' as const }]
      : []),
    ...own(t(isElsewhen ? 'repeat.fate.ownTimeLost' : 'repeat.fate.ownStays')),
    ...roomsTaken.map(({ name, host }) => ({
      words: t('repeat.roomTaken', { room: name, host }),
      tone: 'repeat-bad' as const,
    })),
    ...roomsClosed.map(({ name }) => ({ words: t('repeat.roomClosed', { room: name }), tone: 'repeat-bad' as const })),
    ...(busyCount > 0 ? [{ words: t('repeat.busy', { count: busyCount }), tone: 'repeat-note' as const }] : []),
  ];
}
