import { DatePicker, TimePicker } from 'antd';
import dayjs from 'dayjs';
import { useState } from 'react';
import { clockOf, dayOf, instantOf, minutesOf } from '../lib/rooms/index.ts';
import { FormField } from './FormField.tsx';
import './startFields.css';

interface StartFieldsProps {
  startTime: string | null;
  /** The time zone in which the fields are read. */
  timeZone: string;
  labels: { date: string; time: string };
  hint?: string | undefined;
  error: string | undefined;
  onChange: (startTime: string | null) => void;
}

/** Date and time of the start. One may be empty while the other is being chosen. */
export function StartFields({ startTime, timeZone, labels, hint, error, onChange }: StartFieldsProps) {
  const [{ day, clock }, setShown] = useState(() => shownOf(startTime, timeZone));
  // A change by another user, merged after a conflict, is newer than the fields. Compared to the minute, because a
  // meeting booked by other means may start between two minutes.
  const given = shownOf(startTime, timeZone);
  if (given.day !== null && (given.day !== day || given.clock !== clock)) setShown(given);

  const choose = (nextDay: string | null, nextClock: string | null) => {
    setShown({ day: nextDay, clock: nextClock });
    onChange(startIn(timeZone, nextDay, nextClock));
  };
  const [now] = useState(() => Date.now());
  return (
    <div className="start-fields">
      <FormField label={labels.date} required error={error} hint={hint}>
        {(control) => (
          <DatePicker
            {...control}
            value={day === null ? null : dayjs(day)}
            allowClear={false}
            minDate={dayjs(dayOf(now, timeZone))}
            data-testid="meeting-date"
            onChange={(next) => choose(next === null ? null : next.format('YYYY-MM-DD'), clock)}
          />
        )}
      </FormField>
      <FormField label={labels.time} required>
        {(control) => (
          <TimePicker
            {...control}
            // A day without a clock change, because only the time of day is used.
            value={clock === null ? null : dayjs(`2026-01-15T${clock}`)}
            format="HH:mm"
            minuteStep={5}
            needConfirm={false}
            allowClear={false}
            data-testid="meeting-time"
            onChange={(next) => choose(day, next === null ? null : next.format('HH:mm'))}
          />
        )}
      </FormField>
    </div>
  );
}

interface Shown {
  day: string | null;
  clock: string | null;
}

function shownOf(startTime: string | null, zone: string): Shown {
  if (startTime === null) return { day: null, clock: null };
  const start = Date.parse(startTime);
  return { day: dayOf(start, zone), clock: clockOf(start, zone) };
}

function startIn(zone: string, day: string | null, clock: string | null): string | null {
  return day === null || clock === null ? null : new Date(instantOf(day, minutesOf(clock), zone)).toISOString();
}

/** The start in another zone with the same calendar date and clock time. */
export function movedStart(startTime: string | null, from: string, to: string): string | null {
  const { day, clock } = shownOf(startTime, from);
  return startIn(to, day, clock);
}
