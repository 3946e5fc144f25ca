import { useTexts } from '../../lib/i18n/index.ts';
import type { Draft, DraftField } from './draft.ts';
import { formatDuration, formatTime, participantName, type MeetingTexts } from './format.ts';
import { useRoomNames, type NamedRoom } from './rooms.ts';
import type { Conflict } from './useBooking.ts';

const LABELS = {
  subject: 'form.subject',
  startTime: 'form.time',
  duration: 'form.duration',
  password: 'form.password',
  waitingRoom: 'form.waitingRoom',
  participants: 'form.participants',
  roomIds: 'form.rooms',
  agenda: 'form.agenda',
} as const satisfies Record<DraftField, string>;

/** Says what somebody else changed while this person was typing. */
export function ConflictNotice({ conflict: { fields, before, now }, rooms }: { conflict: Conflict; rooms: readonly NamedRoom[] | undefined }) {
  const t = useTexts('meetings');
  const nameOf = useRoomNames(rooms);
  return (
    <div className="booking-conflict" role="alert" data-testid="booking-conflict">
      <strong>{t('conflict.title')}</strong>
      <p>{t('conflict.text')}</p>
      <ul>
        {fields.map((field) => (
          <li key={field}>{t('conflict.line', { field: t(LABELS[field]), from: wordsOf(before, field, t, nameOf), to: wordsOf(now, field, t, nameOf) })}</li>
        ))}
      </ul>
    </div>
  );
}

function wordsOf(draft: Draft, field: DraftField, t: MeetingTexts, nameOf: (id: string) => string): string {
  const words = {
    subject: () => draft.subject,
    startTime: () => (draft.startTime === null ? '' : formatTime(draft.startTime)),
    duration: () => (draft.duration === null ? '' : formatDuration(draft.duration, t)),
    password: () => draft.password,
    waitingRoom: () => t(draft.waitingRoom ? 'detail.on' : 'detail.off'),
    participants: () => draft.participants.map(participantName).join(', '),
    roomIds: () => draft.roomIds.map(nameOf).join(', '),
    agenda: () => draft.agenda,
  }[field]();
  return words === '' ? t('conflict.none') : words;
}
