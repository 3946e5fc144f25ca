import { useT } from '../texts.ts';

const MINUTE = 60_000;
/**
 * The Swedish locale writes `2026-11-20 09:00`, as the app does in both languages; a date library would make the join
 * page heavier.
 */
const dayAndTime = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short' });
const time = new Intl.DateTimeFormat('sv-SE', { timeStyle: 'short' });

interface MeetingDetailsProps {
  meeting: { hostName: string; startTime: string; duration: number };
  /** The host admits participants. */
  waitingRoom?: boolean;
  testId: string;
}

/** Meeting details shown before joining, to guests with a link and to the meeting's own people. */
export function MeetingDetails({
  meeting: { hostName, startTime, duration },
  waitingRoom = false,
  testId,
}: MeetingDetailsProps) {
  const t = useT();
  const start = new Date(startTime);
  const end = new Date(start.getTime() + duration * MINUTE);
  const endsSameDay = end.toDateString() === start.toDateString();
  const zone =
    new Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset' })
      .formatToParts(start)
      .find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return (
    <>
      <dl className="join-facts" data-testid={testId}>
        <div>
          <dt>{t('guest.host')}</dt>
          <dd>{hostName}</dd>
        </div>
        <div>
          <dt>{t('guest.time')}</dt>
          <dd>
            {t('guest.timeZone', {
              start: dayAndTime.format(start),
              end: (endsSameDay ? time : dayAndTime).format(end),
              zone,
            })}
          </dd>
        </div>
      </dl>
      {waitingRoom && <p className="join-lead">{t('guest.waiting')}</p>}
    </>
  );
}
