import type { Locale } from '@rmeet/contract';
import { useLanguage, useTexts } from '../../../lib/i18n/index.ts';
import type { Draft, DraftField } from './draft.ts';
import { formatDuration, formatTime, participantName, templateName, type MeetingTexts } from '../format.ts';
import { useRoomNames, type NamedRoom } from '../rooms/roomNames.ts';
import type { Conflict } from '../../../ui/admin/useDraft.ts';

const LABELS = {
  type: 'column.type',
  subject: 'form.subject',
  startTime: 'form.time',
  duration: 'form.duration',
  timeZone: 'zone.title',
  repeat: 'repeat.title',
  roomIds: 'form.rooms',
  terminals: 'terminals.title',
  participants: 'form.participants',
  phones: 'phones.title',
  files: 'files.title',
  template: 'entry.template',
  password: 'form.password',
  waitingRoom: 'entry.waitingRoom',
  joinBeforeHost: 'entry.joinBeforeHost',
  muteOnEntry: 'entry.muteOnEntry',
  e2ee: 'encryption.title',
  autoRecord: 'record.auto',
  vip: 'vip.title',
  resource: 'detail.resource',
  agenda: 'form.agenda',
  live: 'live.title',
} as const satisfies Record<DraftField, string>;

/** Tells the user what another user changed in the meantime. */
export function ConflictNotice({
  conflict: { fields, before, now },
  rooms,
}: {
  conflict: Conflict<Draft>;
  rooms: readonly NamedRoom[] | undefined;
}) {
  const t = useTexts('meetings');
  const words: Words = { t, language: useLanguage(), nameOf: useRoomNames(rooms) };
  return (
    <div className="booking-conflict" role="alert" data-testid="booking-conflict">
      <strong>{t('conflict.title')}</strong>
      <p>{t('conflict.text')}</p>
      <ul>
        {fields.map((field) => (
          <li key={field}>
            {t('conflict.line', {
              field: t(LABELS[field]),
              from: wordsOf(before, field, words),
              to: wordsOf(now, field, words),
            })}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface Words {
  t: MeetingTexts;
  language: Locale;
  nameOf: (roomId: string) => string;
}

function wordsOf(draft: Draft, field: DraftField, { t, language, nameOf }: Words): string {
  const onOff = (isOn: boolean) => t(isOn ? 'detail.on' : 'detail.off');
  const list = (words: readonly string[]) => words.join(', ');
  const words = {
    type: () => t(`type.${draft.type}`),
    subject: () => draft.subject,
    startTime: () => (draft.startTime === null ? '' : formatTime(draft.startTime, draft.timeZone)),
    duration: () => (draft.duration === null ? '' : formatDuration(draft.duration)),
    timeZone: () => draft.timeZone,
    repeat: () => '',
    live: () => '',
    roomIds: () => list(draft.roomIds.map(nameOf)),
    terminals: () => list(draft.terminals.map(({ name }) => name)),
    participants: () => list(draft.participants.map(participantName)),
    phones: () => list(draft.phones.map(({ name, phone }) => `${name} ${phone}`.trim())),
    files: () => list(draft.files.map(({ name }) => name)),
    template: () => templateName(draft.template, language),
    password: () => draft.password,
    waitingRoom: () => onOff(draft.waitingRoom),
    joinBeforeHost: () => onOff(draft.joinBeforeHost),
    muteOnEntry: () => onOff(draft.muteOnEntry),
    e2ee: () => onOff(draft.e2ee),
    autoRecord: () => onOff(draft.autoRecord),
    vip: () => onOff(draft.vip),
    resource: () => draft.resource?.name ?? '',
    agenda: () => draft.agenda,
  }[field]();
  return words === '' ? t('conflict.none') : words;
}
