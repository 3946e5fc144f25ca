import type { Meeting } from '@rmeet/contract';
import { useId, useState } from 'react';
import { session } from '../../../lib/browser.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { dayOf, ownZone } from '../../../lib/rooms/index.ts';
import { Icon } from '../../../ui/icons.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Menu, MenuItem } from '../../../ui/Menu.tsx';
import { useCalendarWords } from '../calendar/words.ts';
import { elsewhereTime, formatDuration } from '../format.ts';
import { isOutsideStream, isWatched } from '../booking/draft.ts';
import { mayInvite } from '../invitation.ts';
import { useSeriesWords } from '../series/useSeriesWords.ts';
import { MeetingBadges } from '../status/MeetingBadges.tsx';
import { StatusBadge } from '../status/StatusBadge.tsx';
import type { MeetingActions } from '../useMeetingActions.ts';
import { EntryButton } from './EntryButton.tsx';
import { endOf, entryOf, isHeld, isOver, opensAt, startOf, type AgendaRow } from './days.ts';

interface DayRowProps {
  row: AgendaRow;
  now: number;
  actions: MeetingActions;
  onOpen: (id: string) => void;
  onEdit: (id: string) => void;
}

/** One meeting of a day. A series can be opened to its later meetings. */
export function DayRow({ row: { meeting, terms }, now, actions, onOpen, onEdit }: DayRowProps) {
  const words = useCalendarWords();
  const over = isOver(meeting, now);
  const elsewhere = elsewhereTime(meeting.startTime, meeting.timeZone);
  return (
    <li className="day-row" data-over={over} data-running={isHeld(meeting)} data-testid="meeting-row">
      <p className="day-row-time">
        {words.times({ start: startOf(meeting), end: endOf(meeting) })}
        <small>{formatDuration(meeting.duration)}</small>
        <Began meeting={meeting} now={now} />
        {elsewhere !== null && (
          <small title={meeting.timeZone} data-testid="meeting-elsewhere">
            {elsewhere}
          </small>
        )}
      </p>
      <div className="day-row-what">
        <Name meeting={meeting} onOpen={onOpen} />
        <Facts meeting={meeting} />
        {terms.length > 0 && <Terms meeting={meeting} terms={terms} onOpen={onOpen} />}
      </div>
      <RowEnd meeting={meeting} now={now} actions={actions} onEdit={onEdit} />
    </li>
  );
}

/** The day on which a meeting began that goes on today. */
function Began({ meeting, now }: { meeting: Meeting; now: number }) {
  const t = useTexts('meetings');
  const words = useCalendarWords();
  const day = dayOf(startOf(meeting), ownZone());
  if (day >= dayOf(now, ownZone())) return null;
  return <small data-testid="meeting-began">{t('row.began', { day: words.longDay(day) })}</small>;
}

function Name({ meeting, onOpen }: { meeting: Meeting; onOpen: (id: string) => void }) {
  const t = useTexts('meetings');
  const { meetId, subject } = meeting;
  return (
    <p className="day-row-name">
      <button
        type="button"
        className="meeting-name"
        title={subject}
        aria-label={t('action.details', { subject })}
        data-testid="meeting-name"
        onClick={() => onOpen(meetId)}
      >
        {subject}
      </button>
      <MeetingBadges meeting={meeting} />
    </p>
  );
}

/** Who hosts the meeting, its type and its rooms. */
function Facts({ meeting }: { meeting: Meeting }) {
  const t = useTexts('meetings');
  const { host, type, rooms } = meeting;
  const facts = [
    host.userId === session.user?.id ? t('agenda.youHost') : t('hostedBy', { name: host.name }),
    t(isOutsideStream(meeting) ? 'live.outside' : `type.${type}`),
    ...rooms.map(({ name }) => name),
  ];
  return <p className="day-row-facts">{facts.join(' · ')}</p>;
}

/** The later meetings of a series, once they are asked for. */
function Terms({ meeting, terms, onOpen }: AgendaRow & { onOpen: (id: string) => void }) {
  const t = useTexts('meetings');
  const words = useCalendarWords();
  const series = useSeriesWords(meeting);
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  return (
    <>
      <button
        type="button"
        className="day-row-series"
        aria-expanded={isOpen}
        aria-controls={id}
        data-testid="series-terms"
        onClick={() => setIsOpen(!isOpen)}
      >
        <Icon name="down" size={16} />
        {[series, t('agenda.terms', { count: terms.length })].join(' · ')}
      </button>
      <ul id={id} className="day-row-terms" hidden={!isOpen}>
        {terms.map((term) => (
          <li key={term.meetId}>
            <button type="button" data-testid="series-term" onClick={() => onOpen(term.meetId)}>
              {words.when({ start: startOf(term), end: endOf(term) })}
              {term.subject !== meeting.subject && ` · ${term.subject}`}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The state of a meeting that is not simply booked, and what the user can do with it. */
function RowEnd({ meeting, now, actions, onEdit }: Omit<DayRowProps, 'row' | 'onOpen'> & { meeting: Meeting }) {
  const t = useTexts('meetings');
  const { can, subject } = meeting;
  const entry = entryOf(meeting, now);
  const isOpen = isHeld(meeting) || now >= opensAt(meeting);
  const desk = t('action.control');
  return (
    <div className="day-row-end">
      {(isHeld(meeting) || isOver(meeting, now)) && <StatusBadge meeting={meeting} />}
      {isOpen && (entry === 'start' || entry === 'join' || isWatched(meeting)) && (
        <EntryButton meeting={meeting} actions={actions} />
      )}
      {can.end && (
        <IconButton
          icon="desk"
          label={t('action.of', { action: desk, subject })}
          title={desk}
          data-testid="meeting-desk"
          onClick={() => actions.control(meeting)}
        />
      )}
      <MoreActions meeting={meeting} early={!isOpen && entry === 'start'} actions={actions} onEdit={onEdit} />
    </div>
  );
}

interface MoreActionsProps {
  meeting: Meeting;
  /** The host may start it although it is early; this asks first. */
  early: boolean;
  actions: MeetingActions;
  onEdit: (id: string) => void;
}

function MoreActions({ meeting, early, actions, onEdit }: MoreActionsProps) {
  const t = useTexts('meetings');
  const { can, meetId, subject } = meeting;
  if (!mayInvite(meeting) && !can.edit && !can.cancel) return <span className="day-row-no-more" />;
  return (
    <Menu
      button={<Icon name="more" />}
      label={t('action.of', { action: t('agenda.more'), subject })}
      className="icon-button"
      testId="meeting-more"
    >
      {early && (
        <MenuItem testId="meeting-start" onSelect={() => actions.start(meeting)}>
          {t('agenda.startEarly')}
        </MenuItem>
      )}
      {mayInvite(meeting) && (
        <MenuItem testId="meeting-copy" onSelect={() => actions.copyInvitation(meeting)}>
          {t('action.copy')}
        </MenuItem>
      )}
      {can.edit && (
        <MenuItem testId="meeting-edit" onSelect={() => onEdit(meetId)}>
          {t('action.edit')}
        </MenuItem>
      )}
      {can.cancel && (
        <MenuItem danger testId="meeting-cancel" onSelect={() => void actions.cancel(meeting)}>
          {t('action.cancel')}
        </MenuItem>
      )}
    </Menu>
  );
}
