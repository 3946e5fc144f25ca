import { EARLY_JOIN_MINUTES, type Meeting } from '@rmeet/contract';
import { clockOf, dayOf, ownZone } from '../../../lib/rooms/index.ts';
import { useNow } from '../../../lib/useNow.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { ask, toast } from '../../../lib/notify.ts';
import { Button } from '../../../ui/Button.tsx';
import { useCheckIn, useReleaseRoom } from '../queries.ts';
import { placeWords } from './roomNames.ts';

/**
 * The rooms of a meeting: their location, and on its day buttons to release them and, from shortly before its start, to
 * check in.
 */
export function DetailRooms({ meeting }: { meeting: Meeting }) {
  const t = useTexts('meetings');
  const checkIn = useCheckIn();
  const release = useReleaseRoom();
  const { meetId, rooms, can } = meeting;
  const now = useNow();
  const isOn = isToday(meeting, now);
  const checkInFrom = Date.parse(meeting.startTime) - EARLY_JOIN_MINUTES * 60_000;
  const isBusy = checkIn.isPending || release.isPending;
  // An account that may cancel, change or end a meeting manages it.
  const manages = can.edit || can.cancel || can.end;

  const giveBack = async (roomId: string, room: string) => {
    const sure = await ask({
      title: t('rooms.releaseTitle'),
      text: t('rooms.releaseText', { room }),
      okText: t('rooms.release'),
      cancelText: t('rooms.releaseKeep'),
      danger: true,
    });
    if (sure)
      release.mutate({ meetId, roomId }, { onSuccess: () => toast('success', () => t('rooms.released', { room })) });
  };

  return (
    <>
      <h3>{t('detail.rooms')}</h3>
      <ul className="meeting-room-list">
        {rooms.map((room) => (
          <li key={room.id} data-testid="detail-room">
            <span className="meeting-room-name">
              {room.name}
              <small>{placeWords(room, t)}</small>
            </span>
            {isOn && !room.checkedIn && (
              <CheckIn meetId={meetId} room={room} from={checkInFrom} now={now} disabled={isBusy} checkIn={checkIn} />
            )}
            {room.checkedIn && <span className="meeting-room-in">{t('rooms.checkedIn')}</span>}
            {isOn && manages && (
              <Button
                kind="quiet"
                disabled={isBusy}
                aria-label={t('rooms.releaseOf', { room: room.name })}
                data-testid="room-release"
                onClick={() => void giveBack(room.id, room.name)}
              >
                {t('rooms.release')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

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
function CheckIn({ meetId, room, from, now, disabled, checkIn }: CheckInProps) {
  const t = useTexts('meetings');
  if (now < from)
    return (
      <span className="meeting-room-later" data-testid="room-check-in-from">
        {t('rooms.checkInFrom', { time: clockOf(from, ownZone()) })}
      </span>
    );
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

/** Whether a meeting is today and has not ended. */
function isToday({ startTime, duration, status }: Meeting, now: number): boolean {
  const start = Date.parse(startTime);
  const end = start + duration * 60_000;
  return status !== 'OFFLINE' && end > now && (dayOf(start, ownZone()) === dayOf(now, ownZone()) || start < now);
}
