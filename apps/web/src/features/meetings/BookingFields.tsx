import { LIMITS, type Meeting } from '@rmeet/contract';
import { DatePicker, Input, InputNumber, Switch, TimePicker } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { Button } from '../../ui/Button.tsx';
import { FormField } from '../../ui/FormField.tsx';
import { newPassword, type Draft } from './draft.ts';
import { formatDuration } from './format.ts';
import { ParticipantPicker } from './ParticipantPicker.tsx';
import { RoomPicker } from './RoomPicker.tsx';
import type { FieldErrors } from './useBooking.ts';

interface BookingFieldsProps {
  /** The one being edited; null for a new one. */
  meeting: Meeting | null;
  draft: Draft;
  errors: FieldErrors;
  onChange: (part: Partial<Draft>) => void;
}

/** Minutes. */
const STEP = 15;

export function BookingFields({ meeting, draft, errors, onChange }: BookingFieldsProps) {
  const t = useTexts('meetings');
  return (
    <>
      <FormField label={t('form.subject')} required error={errors.subject}>
        {(control) => (
          <Input
            {...control}
            value={draft.subject}
            maxLength={LIMITS.subject}
            autoFocus
            autoComplete="off"
            data-testid="meeting-subject"
            onChange={({ target }) => onChange({ subject: target.value })}
          />
        )}
      </FormField>
      <StartFields startTime={draft.startTime} error={errors.startTime} onChange={(startTime) => onChange({ startTime })} />
      <FormField
        label={t('form.duration')}
        required
        error={errors.duration}
        hint={draft.duration !== null && draft.duration >= 60 ? formatDuration(draft.duration, t) : t('form.durationHint')}
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
      <RoomPicker draft={draft} meeting={meeting} error={errors.roomIds} onChange={(roomIds) => onChange({ roomIds })} />
      <fieldset className="booking-guests">
        <legend>{t('form.guests')}</legend>
        <FormField label={t('form.password')} error={errors.password} hint={t('form.passwordHint')}>
          {(control) => (
            <div className="booking-password">
              <Input
                {...control}
                value={draft.password}
                maxLength={LIMITS.meetingPassword.max}
                autoComplete="off"
                spellCheck={false}
                data-testid="meeting-password-input"
                onChange={({ target }) => onChange({ password: target.value })}
              />
              <Button onClick={() => onChange({ password: newPassword() })}>{t('form.passwordNew')}</Button>
            </div>
          )}
        </FormField>
        <FormField label={t('form.waitingRoom')} hint={t('form.waitingRoomHint')}>
          {({ id, 'aria-describedby': describedBy }) => (
            <Switch
              id={id}
              aria-describedby={describedBy}
              checked={draft.waitingRoom}
              data-testid="meeting-waiting-room"
              onChange={(waitingRoom) => onChange({ waitingRoom })}
            />
          )}
        </FormField>
      </fieldset>
      <FormField label={t('form.participants')} error={errors.participants} hint={t('form.participantsHint')}>
        {(control) => <ParticipantPicker control={control} value={draft.participants} onChange={(participants) => onChange({ participants })} />}
      </FormField>
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
    </>
  );
}

interface StartFieldsProps {
  startTime: string | null;
  error: string | undefined;
  onChange: (startTime: string | null) => void;
}

/** Day and time of the start. One may be empty while the other is being chosen. */
function StartFields({ startTime, error, onChange }: StartFieldsProps) {
  const t = useTexts('meetings');
  const [day, setDay] = useState<Dayjs | null>(startTime === null ? null : dayjs(startTime));
  const [time, setTime] = useState<Dayjs | null>(startTime === null ? null : dayjs(startTime));
  // Another's edit, taken over after a conflict, is newer than what the fields show.
  // Compared to the minute: a meeting booked otherwise than here may start between two.
  const given = startTime === null ? null : dayjs(startTime);
  if (given !== null && startOf(given, given) !== startOf(day, time)) {
    setDay(given);
    setTime(given);
  }

  const choose = (nextDay: Dayjs | null, nextTime: Dayjs | null) => {
    setDay(nextDay);
    setTime(nextTime);
    onChange(startOf(nextDay, nextTime));
  };
  return (
    <div className="booking-start">
      <FormField label={t('form.date')} required error={error}>
        {(control) => (
          <DatePicker
            {...control}
            value={day}
            allowClear={false}
            minDate={dayjs().startOf('day')}
            data-testid="meeting-date"
            onChange={(next) => choose(next, time)}
          />
        )}
      </FormField>
      <FormField label={t('form.time')} required>
        {(control) => (
          <TimePicker
            {...control}
            value={time}
            format="HH:mm"
            minuteStep={5}
            needConfirm={false}
            allowClear={false}
            data-testid="meeting-time"
            onChange={(next) => choose(day, next)}
          />
        )}
      </FormField>
    </div>
  );
}

function startOf(day: Dayjs | null, time: Dayjs | null): string | null {
  if (!day || !time) return null;
  return day.hour(time.hour()).minute(time.minute()).second(0).millisecond(0).toISOString();
}
