import type { Meeting } from '@rmeet/contract';
import { useNow } from '../../../lib/useNow.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { ask, toast } from '../../../lib/notify.ts';
import { Button } from '../../../ui/Button.tsx';
import { useCheckIn, useReleaseRoom } from '../queries.ts';
import { opensAt } from '../agenda/days.ts';
import { CheckIn, hasCheckIn, isToday } from './CheckIn.tsx';
import { placeWords } from './roomNames.ts';

/**
 * The rooms of a meeting: their location, on its day a button to release them, and from shortly before its start one to
 * check in; before that the time from which it is possible.
 */
export function DetailRooms({ meeting }: { meeting: Meeting }) {
  const t = useTexts('meetings');
  const checkIn = useCheckIn();
  const release = useReleaseRoom();
  const { meetId, rooms, can } = meeting;
  const now = useNow();
  const isOn = isToday(meeting, now);
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
            {hasCheckIn(meeting, now) && !room.checkedIn && (
              <CheckIn
                meetId={meetId}
                room={room}
                from={opensAt(meeting)}
                now={now}
                disabled={isBusy}
                checkIn={checkIn}
              />
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
