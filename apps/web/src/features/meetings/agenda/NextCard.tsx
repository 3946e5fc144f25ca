import type { Meeting } from '@rmeet/contract';
import { useLanguage, useTexts } from '../../../lib/i18n/index.ts';
import { session } from '../../../lib/browser.ts';
import { startTimeText } from '../../../lib/startTimeText.ts';
import { Button } from '../../../ui/Button.tsx';
import { formatDuration, formatNumber } from '../format.ts';
import { mayInvite } from '../invitation.ts';
import { useCheckIn } from '../queries.ts';
import { CheckIn, hasCheckIn } from '../rooms/CheckIn.tsx';
import { roomWords } from '../rooms/roomNames.ts';
import { MeetingBadges } from '../status/MeetingBadges.tsx';
import { isEntered, isOutsideStream, isWatched } from '../booking/draft.ts';
import type { MeetingActions } from '../useMeetingActions.ts';
import { EntryButton } from './EntryButton.tsx';
import { entryOf, isHeld, opensAt, startOf } from './days.ts';
import { DeskButton } from './DeskButton.tsx';

interface NextCardProps {
  meeting: Meeting;
  now: number;
  actions: MeetingActions;
  onOpen: (id: string) => void;
}

const MINUTE = 60_000;
/** From this many minutes before the start, the card counts them. */
const SOON = 60;

/** The running or the next meeting, with one button that leads into it, or the time from which it can be entered. */
export function NextCard({ meeting, now, actions, onOpen }: NextCardProps) {
  const t = useTexts('meetings');
  const { meetId, subject, host, numericId, type } = meeting;
  const start = useStart(meeting, now);
  return (
    <section
      className="next-meeting"
      aria-label={t('agenda.next')}
      data-running={isHeld(meeting)}
      data-testid="next-meeting"
    >
      <p className="next-when">
        <strong>{start}</strong>
        <When meeting={meeting} now={now} />
      </p>
      <h2>
        <button
          type="button"
          className="meeting-name"
          title={subject}
          aria-label={t('action.details', { subject })}
          data-testid="next-name"
          onClick={() => onOpen(meetId)}
        >
          {subject}
        </button>
        <MeetingBadges meeting={meeting} />
      </h2>
      <p className="next-facts">
        <span>{host.userId === session.user?.id ? t('agenda.youHost') : t('hostedBy', { name: host.name })}</span>
        <span>{t(isOutsideStream(meeting) ? 'live.outside' : `type.${type}`)}</span>
        {isEntered(meeting) && <span>{t('agenda.number', { number: formatNumber(numericId) })}</span>}
      </p>
      <NextRooms meeting={meeting} now={now} />
      <div className="next-actions">
        <Enter meeting={meeting} now={now} actions={actions} />
        {mayInvite(meeting) && (
          <Button data-testid="next-copy" onClick={() => actions.copyInvitation(meeting)}>
            {t('action.copy')}
          </Button>
        )}
        <DeskButton meeting={meeting} actions={actions} />
      </div>
    </section>
  );
}

/** `09:00–10:00 · 1 hour`, or with the day if that is not today. */
function When({ meeting: { startTime, duration }, now }: Pick<NextCardProps, 'meeting' | 'now'>) {
  const language = useLanguage();
  return <span>{`${startTimeText(new Date(startTime), new Date(now), language)} · ${formatDuration(duration)}`}</span>;
}

/** How far away the meeting is: in 12 minutes, running with three people inside. */
function useStart(meeting: Meeting, now: number): string {
  const t = useTexts('meetings');
  if (isHeld(meeting))
    return meeting.terminalCount > 0 ? t('agenda.runningWith', { count: meeting.terminalCount }) : t('agenda.running');
  const minutes = Math.ceil((startOf(meeting) - now) / MINUTE);
  if (minutes <= 0) return t('agenda.due');
  return minutes <= SOON ? t('agenda.inMinutes', { count: minutes }) : t('agenda.nextUp');
}

/** The main button of the card; before participants may enter, a sentence says from when they may. */
function Enter({ meeting, now, actions }: Omit<NextCardProps, 'onOpen'>) {
  const t = useTexts('meetings');
  const language = useLanguage();
  const entry = entryOf(meeting, now);
  const time = startTimeText(new Date(opensAt(meeting)), new Date(now), language);
  const isEarly = !isHeld(meeting) && now < opensAt(meeting);
  return (
    <>
      {(entry === 'start' || entry === 'join' || isWatched(meeting)) && (
        <EntryButton meeting={meeting} actions={actions} kind="primary" className="next-enter" />
      )}
      {entry !== 'none' && isEarly && (
        <span className="next-later" data-testid="next-later">
          {t(entry === 'start' ? 'agenda.othersFrom' : 'agenda.joinFrom', { time })}
        </span>
      )}
    </>
  );
}

/** The rooms of the meeting, with check-in or from when it is possible. */
function NextRooms({ meeting, now }: Pick<NextCardProps, 'meeting' | 'now'>) {
  const t = useTexts('meetings');
  const checkIn = useCheckIn();
  const { meetId, rooms } = meeting;
  if (rooms.length === 0) return null;
  return (
    <ul className="next-rooms" aria-label={t('detail.rooms')}>
      {rooms.map((room) => (
        <li key={room.id}>
          <span>{roomWords(room, t)}</span>
          {room.checkedIn && <span className="meeting-room-in">{t('rooms.checkedIn')}</span>}
          {!room.checkedIn && hasCheckIn(meeting, now) && (
            <CheckIn
              meetId={meetId}
              room={room}
              from={opensAt(meeting)}
              now={now}
              disabled={checkIn.isPending}
              checkIn={checkIn}
            />
          )}
        </li>
      ))}
    </ul>
  );
}
