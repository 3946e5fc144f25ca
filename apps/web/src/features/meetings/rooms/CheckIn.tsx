import type { Meeting } from '@rmeet/contract';
import { useLanguage, useTexts } from '../../../lib/i18n/index.ts';
import { toast } from '../../../lib/notify.ts';
import { clockOf, dayOf, ownZone } from '../../../lib/rooms/index.ts';
import { startTimeText } from '../../../lib/startTimeText.ts';
import { Button } from '../../../ui/Button.tsx';
import { endOf, opensAt } from '../agenda/days.ts';
import type { useCheckIn } from '../queries.ts';

interface CheckInProps {
  meetId: string;
  room: Meeting['rooms'][number];
  /** From when check-in is possible. */
  from: number;
  now: number;
  disabled: boolean;
  checkIn: ReturnType<typeof useCheckIn>;
}

/** Checks in to a room, or shows from when this is possible. */
export function CheckIn({ meetId, room, from, now, disabled, checkIn }: CheckInProps) {
  const t = useTexts('meetings');
  const language = useLanguage();
  if (now < from) {
    const isSameDay = dayOf(from, ownZone()) === dayOf(now, ownZone());
    return (
      <span className="meeting-room-later" data-testid="room-check-in-from">
        {isSameDay
          ? t('rooms.checkInFrom', { time: clockOf(from, ownZone()) })
          : t('row.checkInOn', { when: startTimeText(new Date(from), new Date(now), language) })}
      </span>
    );
  }
  return (
    <Button
      disabled={disabled}
      aria-label={t('rooms.checkInTo', { room: room.name })}
      data-testid="room-check-in"
      onClick={() =>
        checkIn.mutate(
          { meetId, roomId: room.id },
          { onSuccess: () => toast('success', () => t('rooms.checkedInNow', { room: room.name })) },
        )
      }
    >
      {t('rooms.checkIn')}
    </Button>
  );
}

/** Whether the rooms of a meeting are or will be checked in to. */
export function hasCheckIn(meeting: Meeting, now: number): boolean {
  return meeting.status !== 'OFFLINE' && endOf(meeting) > now;
}

/** Whether a meeting has not ended, and its rooms can be checked in to today. */
export function isToday(meeting: Meeting, now: number): boolean {
  const zone = ownZone();
  return hasCheckIn(meeting, now) && dayOf(opensAt(meeting), zone) <= dayOf(now, zone);
}
