import { clockOf, ownZone } from '../../../lib/rooms/index.ts';
import { Icon } from '../../../ui/icons.tsx';
import type { Shown } from './layout.ts';
import { TYPE_ICONS, type CalendarWords } from './words.ts';

interface EntryProps {
  shown: Shown;
  words: CalendarWords;
  /** Its id for keyboard navigation. */
  stop: string;
  isCurrent: boolean;
  /** Whether it is only one line high. */
  isShort?: boolean;
  /** Whether it is being moved: dragged, moved by keys, or waiting for the server's answer. */
  isMoving: boolean;
  canMove: boolean;
  /** Whether it begins and ends in this part, or continues on other days. */
  begins: boolean;
  ends: boolean;
  onOpen: (meetId: string) => void;
  onFocus: () => void;
  /** Whether it can be resized at its lower edge. */
  canResize?: boolean;
}

/** One meeting in the calendar. Type and status are shown by colour, by an icon and as text. */
export function Entry({
  shown: { meeting, times },
  words,
  stop,
  isCurrent,
  isShort = false,
  isMoving,
  canMove,
  begins,
  ends,
  onOpen,
  onFocus,
  canResize = false,
}: EntryProps) {
  const { meetId, subject, type, status, approval } = meeting;
  return (
    <button
      type="button"
      className="calendar-entry"
      title={words.entry(meeting, times)}
      aria-describedby={canMove ? 'calendar-how-move' : undefined}
      tabIndex={isCurrent ? 0 : -1}
      data-type={type}
      data-status={status}
      data-approval={approval}
      data-short={isShort}
      data-moving={isMoving}
      data-movable={canMove}
      data-meet={meetId}
      data-stop={stop}
      data-testid="calendar-entry"
      onClick={() => onOpen(meetId)}
      onFocus={onFocus}
    >
      <span className="calendar-entry-name">
        {!begins && <span aria-hidden="true">◂ </span>}
        <Icon name={TYPE_ICONS[type]} />
        {isShort && <span className="calendar-entry-time">{clockOf(times.start, ownZone())} </span>}
        {subject}
        {!ends && <span aria-hidden="true"> ▸</span>}
      </span>
      {!isShort && <span className="calendar-entry-time">{words.times(times)}</span>}
      <EntryStatus meeting={meeting} words={words} />
      <span className="visually-hidden">{words.rest(meeting, times)}</span>
      {canResize && <span className="calendar-stretch" aria-hidden="true" data-testid="calendar-stretch" />}
    </button>
  );
}

function EntryStatus({ meeting, words }: { meeting: Shown['meeting']; words: CalendarWords }) {
  const { status, terminalCount, approval } = meeting;
  return (
    <>
      {status !== 'SCHEDULE' && (
        <span className="calendar-entry-status" data-testid="calendar-entry-status">
          {status === 'ONLINE' && terminalCount > 0
            ? words.t('running', { count: terminalCount })
            : words.status(meeting)}
        </span>
      )}
      {status === 'SCHEDULE' && (approval === 'waiting' || approval === 'refused') && (
        <span className="calendar-entry-status">{words.t(`approval.${approval}`)}</span>
      )}
    </>
  );
}
