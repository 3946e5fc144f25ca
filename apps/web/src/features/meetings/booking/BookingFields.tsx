import { LIMITS, type Meeting } from '@rmeet/contract';
import { Input, InputNumber } from 'antd';
import { useState, type ReactNode } from 'react';
import { useTexts } from '../../../lib/i18n/index.ts';
import { useProfile } from '../../../lib/profile.ts';
import { offsetName, ownZone } from '../../../lib/rooms/index.ts';
import { FormField } from '../../../ui/FormField.tsx';
import { StartFields } from '../../../ui/StartFields.tsx';
import { ChangeNotice } from './ChangeNotice.tsx';
import { EntrySection } from './EntrySection.tsx';
import type { FieldsProps } from './fields.ts';
import { LiveSection } from './LiveSection.tsx';
import { FileField } from './FileField.tsx';
import { MoreSection } from './MoreSection.tsx';
import { PhoneParties } from './PhoneParties.tsx';
import { Section } from './Section.tsx';
import { SeriesNote } from './SeriesNote.tsx';
import { TerminalPicker } from './TerminalPicker.tsx';
import { TypeSwitch } from './TypeSwitch.tsx';
import { hasConference, typedPhones, type Draft } from './draft.ts';
import { formatDuration } from '../format.ts';
import { PeopleField } from '../people/PeopleField.tsx';
import { RepeatField, RepeatOptions } from '../series/RepeatField.tsx';
import { RepeatPreview } from '../series/RepeatPreview.tsx';
import type { Repeat } from '../series/rule.ts';
import { ResourceField } from '../resources/ResourceField.tsx';
import { RoomPicker } from '../rooms/RoomPicker.tsx';
import type { BookableType } from '../types.ts';
import type { Booking } from './useBooking.ts';
import './booking.css';

interface BookingFieldsProps {
  /** The edited meeting; null for a new one. */
  meeting: Meeting | null;
  /** Types the account may book. */
  types: readonly BookableType[];
  booking: Booking;
}

/** The fields that every booking needs, and rarely used ones under section titles. */
// oxlint-disable-next-line complexity -- plain JSX: which fields each type of meeting has
export function BookingFields({ meeting, types, booking }: BookingFieldsProps) {
  const t = useTexts('meetings');
  const flags = useProfile()?.flags;
  const { draft, errors, change } = booking;
  const fields: FieldsProps = { meeting, draft, errors, onChange: change };
  const phones = (
    <PhoneParties value={draft.phones} error={errors.phones} onChange={(next) => change({ phones: next })} />
  );
  const mayCall = flags?.enableTel === 1 || draft.phones.length > 0;
  const mayBringFiles = flags?.enableUploadMeetingFile === 1 || draft.files.length > 0;
  return (
    <>
      {meeting === null && types.length > 1 && (
        <TypeSwitch types={types} value={draft.type} onChange={(type) => change({ type })} />
      )}
      {meeting !== null && <SeriesNote meeting={meeting} />}
      <FormField label={t('form.subject')} required error={errors.subject}>
        {(control) => (
          <Input
            {...control}
            value={draft.subject}
            maxLength={LIMITS.subject}
            autoFocus
            autoComplete="off"
            data-testid="meeting-subject"
            onChange={({ target }) => change({ subject: target.value })}
          />
        )}
      </FormField>
      <TimeFields {...fields} />
      {meeting && <ChangeNotice meeting={meeting} draft={draft} />}
      {draft.type === 'PHONE_MEETING' && phones}
      <RoomPicker draft={draft} meeting={meeting} error={errors.roomIds} onChange={(roomIds) => change({ roomIds })} />
      {draft.type === 'VIDEO_MEETING' && (
        <TerminalPicker
          value={draft.terminals}
          error={errors.terminals}
          onChange={(terminals) => change({ terminals })}
        />
      )}
      <PeopleField {...fields} />
      {draft.type === 'LOCAL_MEETING' && mayBringFiles && <BookingFiles booking={booking} />}
      <ResourceField {...fields} />
      <div className="booking-sections">
        {draft.type === 'LIVE_MEETING' && <LiveSection {...fields} />}
        {hasConference(draft.type) && <EntrySection {...fields} />}
        {hasConference(draft.type) && draft.type !== 'PHONE_MEETING' && mayCall && (
          <PhoneSection draft={draft} hasError={errors.phones !== undefined}>
            {phones}
          </PhoneSection>
        )}
        <AgendaSection {...fields} />
        <MoreSection {...fields} />
      </div>
    </>
  );
}

function BookingFiles({ booking: { draft, files, isSaving, change } }: { booking: Booking }) {
  return (
    <FileField
      kept={draft.files}
      added={files.added}
      fault={files.fault}
      progress={isSaving ? (files.progress ?? 0) : null}
      onKept={(kept) => {
        files.clearFault();
        change({ files: kept });
      }}
      onAdd={files.add}
      onRemove={files.remove}
    />
  );
}

interface PhoneSectionProps {
  draft: Draft;
  hasError: boolean;
  children: ReactNode;
}

function PhoneSection({ draft, hasError, children }: PhoneSectionProps) {
  const t = useTexts('meetings');
  return (
    <Section
      title={t('phones.title')}
      summary={typedPhones(draft)
        .map(({ name, phone }) => name || phone)
        .join(', ')}
      isFilled={draft.phones.length > 0}
      hasError={hasError}
      testId="section-phones"
    >
      {children}
    </Section>
  );
}

/** In minutes. */
const STEP = 15;

/** Start, duration and recurrence. */
function TimeFields({ meeting, draft, errors, onChange }: FieldsProps) {
  const t = useTexts('meetings');
  const { startTime, timeZone } = draft;
  const [now] = useState(() => Date.now());
  const elsewhere =
    timeZone === ownZone()
      ? undefined
      : t('zone.by', {
          zone: timeZone,
          offset: offsetName(startTime === null ? now : Date.parse(startTime), timeZone),
        });
  const repeating = { meeting, draft, error: errors.repeat, onChange: (repeat: Repeat | null) => onChange({ repeat }) };
  return (
    <>
      <StartFields
        startTime={startTime}
        timeZone={timeZone}
        labels={{ date: t('form.date'), time: t('form.time') }}
        hint={elsewhere}
        error={errors.startTime}
        onChange={(next) => onChange({ startTime: next })}
      />
      <div className="booking-pair">
        <FormField
          label={t('form.duration')}
          required
          error={errors.duration}
          hint={
            draft.duration !== null && draft.duration >= 60 ? formatDuration(draft.duration) : t('form.durationHint')
          }
        >
          {(control) => (
            <InputNumber
              {...control}
              className="booking-duration"
              value={draft.duration}
              min={0}
              step={STEP}
              precision={0}
              suffix={t('form.minutesUnit')}
              data-testid="meeting-duration"
              onChange={(duration) => onChange({ duration })}
            />
          )}
        </FormField>
        <RepeatField {...repeating} />
      </div>
      {draft.repeat && (
        <section className="repeat" aria-label={t('repeat.title')}>
          <RepeatOptions {...repeating} />
          <RepeatPreview {...repeating} draft={draft} />
        </section>
      )}
    </>
  );
}

function AgendaSection({ draft, errors, onChange }: FieldsProps) {
  const t = useTexts('meetings');
  return (
    <Section
      title={t('form.agenda')}
      summary={draft.agenda.split('\n', 1)[0] ?? ''}
      isFilled={draft.agenda !== ''}
      hasError={errors.agenda !== undefined}
      testId="section-agenda"
    >
      <div className="booking-agenda">
        <FormField label={t('form.agenda')} error={errors.agenda}>
          {(control) => (
            <Input.TextArea
              {...control}
              value={draft.agenda}
              maxLength={LIMITS.agenda}
              showCount
              autoSize={{ minRows: 3, maxRows: 10 }}
              placeholder={t('form.agendaPlaceholder')}
              data-testid="meeting-agenda"
              onChange={({ target }) => onChange({ agenda: target.value })}
            />
          )}
        </FormField>
      </div>
    </Section>
  );
}
